import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../test/support/texts.js';
import { type Strategy, prepare } from './prepare.js';
import type { TextLimits } from './split.js';

const LIMITS: TextLimits = { charsPerRequest: 1000, bytesPerRequest: null, textsPerRequest: 10 };
const pieces = (text: string, manner: Strategy = 'masked'): readonly string[] => prepare(text, LIMITS, manner).pieces;

describe('preparing a text for a vendor', () => {
  it.each([
    ['  Hi {name}, 5 files\n', ['Hi {0}, {1} files']],
    ['你好\n世界 👍', ['你好\n世界 {0}']],
    ['   ', []],
    ['https://example.com 12:30 @anna 👍', []],
    ['<b></b>', []],
    ['…!?', []],
  ])('masks %j', (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  it.each([
    ['  Hi {name}, 5 files\n\n  Bye\n', ['Hi {name}, 5 files', 'Bye']],
    ['https://example.com\r\n你好 @李雷\r\n', ['你好 @李雷']],
    [`${'line\n'.repeat(51)}end`, [`${'line\n'.repeat(51)}end`]],
  ])('sends plain text at the second attempt: %j', (text, expected) => {
    expect(pieces(text, 'plain')).toEqual(expected);
  });

  it('restores the text from an unchanged response', () => {
    const limits = fc.record({
      charsPerRequest: fc.integer({ min: 5, max: 200 }),
      bytesPerRequest: fc.constant(null),
      textsPerRequest: fc.constant(5),
    });
    fc.assert(
      fc.property(anyText(), limits, fc.constantFrom<Strategy>('masked', 'plain'), (text, limit, manner) => {
        const prepared = prepare(text, limit, manner);
        expect(prepared.restore(prepared.pieces)).toEqual({ translated: text, lost: [] });
        for (const part of prepared.pieces) expect(part.trim()).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, whatever the response is', () => {
    fc.assert(
      fc.property(anyText(), fc.array(anyText(), { maxLength: 5 }), (text, answers) => {
        for (const manner of ['masked', 'plain'] as const) {
          const { translated, lost } = prepare(text, LIMITS, manner).restore(answers);
          expect(typeof translated).toBe('string');
          expect(new Set(lost).size).toBe(lost.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a response', () => {
  const answered = (text: string, answers: readonly string[], manner: Strategy = 'masked') =>
    prepare(text, LIMITS, manner).restore(answers);

  it('gets its white space, protected pieces and line breaks restored', () => {
    expect(answered('  Hi {name}!\r\n\r\nYou have 5 files.\n', [' Hallo {0}!\n\nSie haben { 1 } Dateien. '])).toEqual({
      translated: '  Hallo {name}!\r\n\r\nSie haben 5 Dateien.\n',
      lost: [],
    });
    expect(answered('第3条：联系 a@b.cn。', ['Article {0}: contact {1}.'])).toEqual({
      translated: 'Article 3: contact a@b.cn.',
      lost: [],
    });
  });

  it('reports lost pieces and line breaks', () => {
    expect(answered('Hi {name}\nBye', ['Hallo Tschüss'])).toEqual({
      translated: 'Hallo Tschüss',
      lost: ['{name}', '\n'],
    });
    expect(answered('Hi {name}, it is 5\nBye', ['Hallo, es ist 5', 'Tschüss'], 'plain')).toEqual({
      translated: 'Hallo, es ist 5\nTschüss',
      lost: ['{name}'],
    });
  });

  it('keeps line breaks when each line is sent alone', () => {
    expect(answered('Hi\n\n5\nBye', ['Hallo', 'Tschüss'], 'plain')).toEqual({
      translated: 'Hallo\n\n5\nTschüss',
      lost: [],
    });
    expect(answered('Hi\nBye', ['Hal\nlo', 'Tschüss'], 'plain').lost).toEqual(['\n']);
  });
});
