import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processorTime } from '../../../../test/support/processor-time.js';
import { cut, decode, encode, lines } from './apertium-text.js';

const SPECIAL = [
  ...'\\[]{}^$/<>@~#*+ \t\u00a0\u0001\u0000aé中😀.0',
  'https://a.com/b_c',
  'bob@x.com',
  '{{name}}',
  '%s',
  '\ud800',
];
const text = fc.oneof(fc.string({ unit: fc.constantFrom(...SPECIAL) }), fc.string({ unit: 'binary' }), fc.string());

describe('the stream format', () => {
  it('gives back any line that an engine leaves as it is', () => {
    fc.assert(
      fc.property(text, (any) => {
        const line = any.trim();
        const { stream, kept } = encode(line);
        expect(decode(stream, kept)).toBe(line);
      }),
      { numRuns: 1000 },
    );
  });

  it('never lets a NUL, a lone surrogate or an unescaped mark of the stream through', () => {
    fc.assert(
      fc.property(text, (any) => {
        const bare = encode(any)
          .stream.replace(/\\./gsu, '')
          .replace(/\[\d+\]/g, '');
        expect(bare).not.toMatch(/[\\[\]{}^$/<>@\p{Cc}\p{Cs}]/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps addresses and placeholders away from the dictionaries', () => {
    expect(encode('See https://a.com/red-house, or {{name}} at bob@x.com').kept).toEqual([
      'https://a.com/red-house',
      '{{name}}',
      'bob@x.com',
    ]);
  });

  it('notices a kept piece that is lost or doubled, and folds the blanks that an engine adds', () => {
    expect(decode('La [0] casa', ['x'])).toBe('La x casa');
    expect(decode('La casa', ['x'])).toBeNull();
    expect(decode('La [0] casa [0]', ['x'])).toBeNull();
    expect(decode("  y  quiero [']m['] ", [])).toBe("y quiero 'm'");
  });

  it('cuts texts into lines, and lines into pieces, without losing a character', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(
          lines(any)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(any);
        expect(
          cut(any)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(any);
      }),
      { numRuns: 1000 },
    );
    expect(lines(' a\r\n\n b \n').filter(({ words }) => words)).toEqual([
      { text: 'a', words: true },
      { text: 'b', words: true },
    ]);
  });

  it('takes 5,000 code points of anything in a moment', async () => {
    for (const unit of [' ', 'a', '.', 'www.', '{', '@', 'a@', '\t ', '{{', '%1$', '\n', 'https://', '\ud800']) {
      const long = unit.repeat(5000 / unit.length);
      const time = await processorTime(() => {
        const { stream, kept } = encode(long);
        decode(stream, kept);
        lines(long);
      });
      expect(time).toBeLessThan(1);
    }
  });
});
