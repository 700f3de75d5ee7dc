import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../../../test/support/texts.js';
import { findProtected } from './find-protected.js';
import { placeholdersOf } from './placeholders.js';
import { protect } from './protect.js';
import { ENVELOPE_BYTES, FIELD_BYTES, pack, sizeOf, split, type TextLimits } from './split.js';

const upTo = (charsPerRequest: number): TextLimits => ({ charsPerRequest, bytesPerRequest: null, textsPerRequest: 50 });
const asked = (text: string, charsPerRequest: number): string[] =>
  split(text, upTo(charsPerRequest), placeholdersOf(text))
    .filter((stretch) => stretch.asked)
    .map((stretch) => stretch.text);

const bodyBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

const anyLimits = (): fc.Arbitrary<TextLimits> =>
  fc.record({
    charsPerRequest: fc.integer({ min: 1, max: 60 }),
    // A character takes six bytes at most.
    bytesPerRequest: fc.option(fc.integer({ min: ENVELOPE_BYTES + FIELD_BYTES + 6, max: ENVELOPE_BYTES + 200 })),
    textsPerRequest: fc.integer({ min: 1, max: 5 }),
  });

describe('splitting a long text', () => {
  it.each([
    ['fits', 'Eins. Zwei.\n\nDrei.', 50, ['Eins. Zwei.\n\nDrei.']],
    ['paragraphs', 'Erster Absatz.\n\nZweiter.\nZeile.', 18, ['Erster Absatz.', 'Zweiter.\nZeile.']],
    ['lines', 'Erste Zeile\nZweite Zeile\nDrei', 20, ['Erste Zeile', 'Zweite Zeile\nDrei']],
    ['Latin sentences', 'One is here. Two is there! Is three?', 27, ['One is here. Two is there!', 'Is three?']],
    ['Chinese sentences', '今天天气很好。我们去公园吧！你来吗？', 10, ['今天天气很好。', '我们去公园吧！', '你来吗？']],
    [
      'Japanese sentences',
      '今日は晴れです。散歩に行きますか？はい！',
      12,
      ['今日は晴れです。', '散歩に行きますか？はい！'],
    ],
    ['Arabic sentences', 'مرحبا بك. كيف حالك اليوم؟ أنا بخير.', 18, ['مرحبا بك.', 'كيف حالك اليوم؟', 'أنا بخير.']],
    ['Hindi sentences', 'मैं घर जा रहा हूँ। तुम कहाँ हो?', 20, ['मैं घर जा रहा हूँ।', 'तुम कहाँ हो?']],
    ['words', 'one two three four', 8, ['one two', 'three', 'four']],
    ['Chinese words', '我们明天去北京旅游', 4, ['我们明天', '去北京', '旅游']],
    ['no words', 'aaaaaaaaaa', 4, ['aaaa', 'aaaa', 'aa']],
    ['characters of several code points', 'é́é́é́', 3, ['é́', 'é́', 'é́']],
    ['one character longer than the limit', 'e\u0301\u0302\u0303', 2, ['e\u0301']],
    ['masks', 'abc{12}def{13}', 5, ['abc', 'def']],
    ['nothing to translate', '123\n\n{0} – !!!\n', 50, []],
  ])('cuts at %s', (_, text, limit, pieces) => {
    expect(asked(text, limit)).toEqual(pieces);
  });

  it('joins back to the same text, with every piece within the limits', () => {
    fc.assert(
      fc.property(anyText(), anyLimits(), (text, limits) => {
        const stretches = split(text, limits, findProtected(text));
        expect(stretches.map((stretch) => stretch.text).join('')).toBe(text);
        for (const stretch of stretches) {
          expect(stretch.text.isWellFormed()).toBe(true);
          if (!stretch.asked) continue;
          expect(stretch.text.trim()).toBe(stretch.text);
          expect(Array.from(stretch.text).length).toBeLessThanOrEqual(limits.charsPerRequest);
          if (limits.bytesPerRequest !== null)
            expect(bodyBytes(stretch.text) + FIELD_BYTES + ENVELOPE_BYTES).toBeLessThanOrEqual(limits.bytesPerRequest);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never cuts inside a mask or a grapheme that fits', () => {
    const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 12, max: 40 }), (text, charsPerRequest) => {
        const { masked } = protect(text);
        const characters = Array.from(graphemes.segment(masked), ({ index, segment }) => ({ index, segment }));
        const ends = new Set(characters.map(({ index, segment }) => index + segment.length));
        const longest = Math.max(0, ...characters.map(({ segment }) => Array.from(segment).length));
        let end = 0;
        for (const stretch of split(masked, upTo(charsPerRequest), placeholdersOf(masked))) {
          end += stretch.text.length;
          expect(placeholdersOf(masked).some((mask) => mask.start < end && end < mask.end)).toBe(false);
          // White space at a cut may carry a combining mark of the next word; pieces themselves end between characters.
          if (stretch.asked && longest <= charsPerRequest)
            expect(ends.has(end) || /^\p{M}|\u200d/u.test(masked.slice(end))).toBe(true);
        }
      }),
      { numRuns: 250 },
    );
  });

  it('takes linear time, even character by character', () => {
    const text = '\u0301'.repeat(2000) + 'e' + '\u0301'.repeat(3000);
    const begin = performance.now();
    expect(
      split(text, upTo(7), [])
        .map((stretch) => stretch.text)
        .join(''),
    ).toBe(text);
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});

describe('the size of a text on the wire', () => {
  it('is that of its JSON encoding', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { characters, bytes } = sizeOf(text);
        expect(characters).toBe(Array.from(text).length);
        // \n and \t take two bytes, and are counted as the six of other control characters.
        expect(bytes).toBeGreaterThanOrEqual(bodyBytes(text));
      }),
    );
    expect(sizeOf('a"é好😀')).toEqual({ characters: 5, bytes: 1 + 2 + 2 + 3 + 4 });
  });
});

describe('packing pieces into requests', () => {
  it('fills requests up to the limits, in order', () => {
    const pieces = ['aaaa', 'bbbb', 'cc', 'dddddd', 'e'];
    expect(pack(pieces, { charsPerRequest: 10, bytesPerRequest: null, textsPerRequest: 50 })).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(pack(pieces, { charsPerRequest: 100, bytesPerRequest: null, textsPerRequest: 2 })).toEqual([
      [0, 1],
      [2, 3],
      [4],
    ]);
    const two = ENVELOPE_BYTES + 2 * FIELD_BYTES + 8;
    expect(pack(pieces, { charsPerRequest: 100, bytesPerRequest: two, textsPerRequest: 50 })).toEqual([
      [0, 1],
      [2, 3],
      [4],
    ]);
    expect(pack([], upTo(5))).toEqual([]);
  });

  it('never exceeds the limits and leaves no piece out', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, anyLimits(), (texts, limits) => {
        const requests = pack(texts, limits);
        expect(requests.flat()).toEqual(texts.map((_, index) => index));
        for (const request of requests) {
          expect(request.length).toBeLessThanOrEqual(limits.textsPerRequest);
          if (request.length === 1) continue;
          const together = request.map((index) => texts[index] ?? '');
          expect(Array.from(together.join('')).length).toBeLessThanOrEqual(limits.charsPerRequest);
          if (limits.bytesPerRequest !== null)
            expect(
              together.reduce((sum, text) => sum + bodyBytes(text) + FIELD_BYTES, ENVELOPE_BYTES),
            ).toBeLessThanOrEqual(limits.bytesPerRequest);
        }
      }),
    );
  });
});
