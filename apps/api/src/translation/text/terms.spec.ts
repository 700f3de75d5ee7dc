import { describe, expect, it } from '@jest/globals';
import { type Term, TermIndex } from '@yiqiao/domain/glossary';
import fc from 'fast-check';
import { anyText } from '../../../test/support/texts.js';
import { findProtected } from './find-protected.js';
import { type Strategy, prepare, type TermStrategy } from './prepare.js';
import { protectOnlyTerms, protectTerms, restore } from './protect.js';
import type { TextLimits } from './split.js';

const LIMITS: TextLimits = { charsPerRequest: 10_000, bytesPerRequest: null, textsPerRequest: 50 };

const indexOf = (terms: Record<string, string>): TermIndex =>
  new TermIndex(Object.entries(terms).map(([term, translation]) => ({ term, translation })));

const WORDS = indexOf({
  数据线: 'data cable',
  苹果: 'Apple',
  'Windows 11': '视窗 11',
  example: '例子',
  iPhone: 'iPhone',
});

/** The text sent to the vendor, and the result of its response. */
const through = (text: string, by: TermStrategy['by'], answer: (piece: string) => string) => {
  const manner: Strategy = { terms: WORDS, by };
  const prepared = prepare(text, LIMITS, manner);
  return { pieces: prepared.pieces, ...prepared.restore(prepared.pieces.map(answer)) };
};

describe('masked terms', () => {
  it.each([
    ['这个数据线很好', '这个{0}很好', 'This {0} is good', 'This data cable is good'],
    ['苹果数据线', '', '', 'Apple data cable'],
    ['买苹果数据线', '买{0}{1}', 'Buy{0}{1}now', 'Buy Apple data cable now'],
    ['on Windows 11 of 3 PCs', 'on {0} of {1} PCs', '在{1}台电脑的{0}上', '在3台电脑的视窗 11上'],
    ['see https://example.com, an example', 'see {0}, an {1}', '见 {0}，一个{1}', '见 https://example.com，一个例子'],
    ['{0} 和 iPhone', '{0} 和 {1}', '{0} and {1}', '{0} and iPhone'],
  ])('%s', (text, sent, answer, translated) => {
    const done = through(text, 'mask', () => answer);
    expect(done).toEqual({ pieces: sent === '' ? [] : [sent], translated, lost: [] });
  });

  it('add no space between Chinese words', () => {
    const index = indexOf({ phone: '手机', case: '壳' });
    const prepared = prepare('a phone case', LIMITS, { terms: index, by: 'mask' });
    expect(prepared.pieces).toEqual(['a {0} {1}']);
    expect(prepared.restore(['一个{0}{1}']).translated).toBe('一个手机壳');
  });

  it('report the terms that are missing', () => {
    expect(through('这个数据线很好', 'mask', () => 'This is good').lost).toEqual(['data cable']);
    expect(through('这个数据线很好', 'mask', () => '{0} and {0}').lost).toEqual(['data cable']);
  });

  it('survive any text that is returned unchanged, and leave the rest as it was', () => {
    const piece = fc.oneof(
      fc.constantFrom('数据线', '苹果', ' Windows 11 ', 'example', ' iPhone ', '，', ' '),
      anyText(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (parts) => {
        const text = parts.join('');
        const found = WORDS.find(text, findProtected(text));
        let wanted = '';
        let end = 0;
        for (const one of found) {
          wanted += text.slice(end, one.start) + one.translation;
          end = one.end;
        }
        wanted += text.slice(end);
        for (const guarded of [protectTerms(text, WORDS), protectOnlyTerms(text, WORDS)]) {
          const back = restore(guarded.masked, guarded);
          const blanks = (s: string) => s.replaceAll(' ', '');
          expect(blanks(back.text)).toBe(blanks(wanted));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('change nothing in a text without terms', () => {
    const none = new TermIndex([{ term: 'qqqqqq', translation: 'never' } satisfies Term]);
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(prepare(text, LIMITS, { terms: none, by: 'mask' }).pieces).toEqual(
          prepare(text, LIMITS, 'masked').pieces,
        );
      }),
    );
  });
});

describe('terms applied by the vendor', () => {
  it('are sent as written', () => {
    expect(through('苹果的数据线 5 米', 'vendor', () => 'x {0} y')).toMatchObject({
      pieces: ['苹果的数据线 {0} 米'],
      lost: [],
    });
  });

  it('are searched for in the response if the vendor only had a prompt', () => {
    const asked = (answer: string) => through('苹果的数据线', 'prompt', () => answer).lost;
    expect(asked('Data cable of apple')).toEqual([]);
    expect(asked('Cable of Apple')).toEqual(['data cable']);
  });

  it('are reported missing after the last attempt', () => {
    expect(through('苹果的数据线', 'plain', () => 'Apple’s wire').lost).toEqual(['data cable']);
  });
});
