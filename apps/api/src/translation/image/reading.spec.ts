import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Box, ReadLine, Word } from '../engines/pictures/jobs.js';
import { around, isCertain, joined, tidy, turnOf } from './reading.js';

const word = (text: string, left: number, width = 40, confidence = 95): Word => ({
  text,
  confidence,
  box: [left, 100, width, 20],
});
const line = (words: readonly Word[], more: Partial<ReadLine> = {}): ReadLine => ({
  words,
  height: 20,
  baseline: 118,
  slope: 0,
  turned: 0,
  ...more,
});

describe('a line of OCR output', () => {
  it('is kept if its words are reliable and it is neither a rule nor a barcode', () => {
    expect(isCertain(line([word('The', 0), word('house', 50)]))).toBe(true);
    expect(isCertain(line([word('The', 0, 40, 57), word('house', 50, 40, 58)]))).toBe(false);
    for (const strokes of ['|||', 'l1Il', '— _ ~', '///', '...'])
      expect(isCertain(line(strokes.split(' ').map((text, at) => word(text, at * 50))))).toBe(false);
    // OCR is always confident about punctuation, which says nothing about the words beside it.
    expect(isCertain(line([word('***', 0, 40, 99), word('rn', 50, 40, 20)]))).toBe(false);
    expect(isCertain(line([]))).toBe(false);
  });

  it('is split at column gaps, and loses smudges', () => {
    const parts = tidy([
      line([word('Material', 0, 80), word('Cotton', 300, 60), word('|', 380, 4), word('x', 390, 8, 12)]),
    ]);
    expect(parts.map(({ text }) => text)).toEqual(['Material', 'Cotton']);
    expect(parts[1]?.box).toEqual([300, 100, 60, 20]);
  });

  it('stays whole when only its word gaps are wide', () => {
    expect(tidy([line([word('Two', 0), word('old', 50), word('books', 105)])])).toMatchObject([
      { text: 'Two old books', em: 20, baseline: 118 },
    ]);
  });

  it('of wide characters gets its size from its length', () => {
    const characters = [...'头发很长发现'].map((text, at) => ({
      ...word(text, at * 30, 28),
      box: [at * 30, 100, 28, 33],
    }));
    const [only] = tidy([line(characters as unknown as Word[], { height: 33 })]);
    expect(only?.text).toBe('头发很长发现');
    expect(only?.em).toBeCloseTo(30, 0);
  });
});

describe('joining words', () => {
  const write = (...texts: string[]): string => joined(texts.map((text) => ({ text })));

  it('puts spaces between words in scripts that use them', () => {
    expect(write('The', 'house')).toBe('The house');
    expect(write('头发', '很长', '。')).toBe('头发很长。');
    expect(write('请用', 'USB', '线')).toBe('请用 USB 线');
    expect(write('안녕', '하세요')).toBe('안녕 하세요');
    expect(write()).toBe('');
  });

  it('loses nothing and adds only spaces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (texts) => {
        const bare = (text: string): string => text.replaceAll(' ', '');
        expect(bare(write(...texts))).toBe(bare(texts.join('')));
      }),
    );
  });
});

describe('a picture', () => {
  const long = (slope: number, turned = 0): ReadLine => line([word('a long line', 0, 400)], { slope, turned });

  it('is rotated by the direction of most of its long lines', () => {
    expect(turnOf([long(0.05), long(0.05), line([word('a', 0, 10)], { slope: 0.9 })])).toBe(-2.9);
    expect(turnOf([long(-0.05)])).toBe(2.9);
    expect(turnOf([long(0.05, 90), long(0, 90)])).toBe(90);
  });

  it('stays as it is when level, barely askew or without text', () => {
    for (const lines of [[], [long(0)], [long(0.005)], [line([word('a', 0, 10)], { slope: 0.5 })]])
      expect(turnOf(lines)).toBe(0);
  });

  it('is rotated by exactly the common slope of its lines', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.5, max: 0.5, noNaN: true }), fc.integer({ min: 1, max: 9 }), (slope, count) => {
        const turn = turnOf(Array.from({ length: count }, () => long(slope)));
        const degrees = (-Math.atan(slope) * 180) / Math.PI;
        expect(Math.abs(turn - degrees)).toBeLessThan(Math.abs(degrees) < 0.4 ? 0.4 : 0.051);
      }),
    );
  });
});

it('a bounding box contains all boxes and is no larger', () => {
  const box = fc.tuple(...[500, 500, 90, 90].map((max) => fc.integer({ min: 0, max }))) as fc.Arbitrary<unknown>;
  fc.assert(
    fc.property(fc.array(box as fc.Arbitrary<Box>, { minLength: 1, maxLength: 8 }), (boxes) => {
      const [left, top, width, height] = around(boxes);
      expect(
        boxes.every(([x, y, w, h]) => x >= left && y >= top && x + w <= left + width && y + h <= top + height),
      ).toBe(true);
      expect(boxes.some(([x]) => x === left) && boxes.some(([, y]) => y === top)).toBe(true);
      expect(boxes.some(([x, , w]) => x + w === left + width)).toBe(true);
    }),
  );
});
