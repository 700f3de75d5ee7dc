import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { removeRules } from './prepare-for-ocr.js';

const [WIDTH, HEIGHT] = [400, 200];
const size = { width: WIDTH, height: HEIGHT };
type Rect = readonly [left: number, top: number, width: number, height: number];

/** Black rectangles on white. */
function page(...rects: readonly Rect[]): Buffer {
  const grey = Buffer.alloc(WIDTH * HEIGHT, 255);
  for (const [left, top, width, height] of rects)
    for (let y = top; y < top + height; y++) grey.fill(0, y * WIDTH + left, y * WIDTH + left + width);
  return grey;
}
const cleaned = (...rects: readonly Rect[]): Buffer => {
  const grey = page(...rects);
  removeRules(grey, size);
  return grey;
};

describe('preparing a page for OCR', () => {
  it('removes connected shapes that cannot be letters: frames, rules, bars', () => {
    for (const rule of [
      [20, 100, 360, 2],
      [200, 10, 2, 180],
      [50, 50, 60, 3],
      [50, 50, 3, 60],
      [10, 10, 200, 100],
    ] as const)
      expect(cleaned(rule).equals(page())).toBe(true);
  });

  it('removes a frame and keeps the text inside it', () => {
    const frame: Rect[] = [
      [10, 10, 380, 3],
      [10, 187, 380, 3],
      [10, 10, 3, 180],
      [387, 10, 3, 180],
    ];
    const letter: Rect = [100, 80, 4, 24];
    expect(cleaned(...frame, letter).equals(page(letter))).toBe(true);
  });

  it('keeps whatever may be a letter, wherever it is', () => {
    // As thick as any stroke of a letter, and no larger than a headline.
    const stroke = fc.tuple(fc.integer({ min: 4, max: 30 }), fc.integer({ min: 4, max: 30 }));
    const place = fc.tuple(fc.integer({ min: 0, max: WIDTH - 31 }), fc.integer({ min: 0, max: HEIGHT - 31 }));
    fc.assert(
      fc.property(stroke, place, ([width, height], [left, top]) => {
        const rect: Rect = [left, top, width, height];
        expect(cleaned(rect).equals(page(rect))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('accepts an empty page and an all-black one', () => {
    expect(cleaned().equals(page())).toBe(true);
    expect(cleaned([0, 0, WIDTH, HEIGHT]).equals(page())).toBe(true);
  });
});
