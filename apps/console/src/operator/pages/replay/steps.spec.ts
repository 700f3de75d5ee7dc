import { describe, expect, it } from '@jest/globals';
import {
  areaPath,
  bandPath,
  largest,
  ownScale,
  scaleFromZero,
  seqAtTime,
  splitAt,
  stepPath,
  tickHeight,
  valueMarks,
} from './steps.js';

const span = { from: 0, to: 100 };
const scale = { min: 0, max: 100, height: 50 };
const samples = [
  { at: 0, seq: 1, value: 100 },
  { at: 50, seq: 2, value: 40 },
  { at: 75, seq: 3, value: 60 },
];

describe('a step chart', () => {
  it('keeps a balance until the next entry, and never slopes', () => {
    expect(stepPath(samples, { span, scale, until: 100 })).toBe('M0 0H500V30H750V20H1000');
    expect(stepPath([], { span, scale, until: 100 })).toBe('');
  });

  it('closes its area along the lower edge', () => {
    expect(areaPath('M0 0H500V30H1000', scale)).toBe('M0 0H500V30H1000V50H0Z');
    expect(areaPath('', scale)).toBe('');
  });

  it('draws between the extremes of an interval, and nothing where there are none', () => {
    const coarse = [
      { at: 0, seq: 1, value: 100, min: 100, max: 100 },
      { at: 50, seq: 9, value: 40, min: 20, max: 100 },
      { at: 100, seq: 9, value: 40, min: 40, max: 40 },
    ];
    expect(bandPath(coarse, { span, scale })).toBe('M0 0H500V40H0Z');
  });

  it('splits at the moment: the future begins where the past ends', () => {
    const { past, future } = splitAt(samples, 2, 60);
    expect(past.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(future).toEqual([
      { at: 60, seq: 2, value: 40 },
      { at: 75, seq: 3, value: 60 },
    ]);
    expect(splitAt(samples, 3, 80).future).toEqual([]);
  });

  it('finds the entry of a time', () => {
    expect([-1, 0, 49, 50, 1_000].map((at) => seqAtTime(samples, at))).toEqual([null, 1, 1, 2, 3]);
  });
});

describe('scales', () => {
  it('begin at zero for characters, and near the values for what is counted singly', () => {
    expect(scaleFromZero(samples, 50)).toMatchObject({ min: 0, height: 50 });
    expect(scaleFromZero(samples, 50).max).toBeGreaterThan(100);
    const own = ownScale(
      [
        { at: 0, seq: 1, value: 864 },
        { at: 1, seq: 2, value: 863 },
      ],
      46,
    );
    expect(own.min).toBeGreaterThan(800);
    expect(ownScale([], 46).max).toBe(1);
  });

  it('have round marks', () => {
    expect(valueMarks({ min: 0, max: 5_600_000, height: 172 })).toEqual([2_000_000, 4_000_000]);
    expect(valueMarks({ min: 0, max: 1, height: 172 })).toEqual([1]);
    for (const max of [3, 9, 15_400_000, 21_000, 999]) {
      const marks = valueMarks({ min: 0, max, height: 172 });
      expect([max, marks.length >= 2 && marks.length <= 4]).toEqual([max, true]);
    }
  });

  it('show a single character and a recharge as ticks', () => {
    expect(tickHeight(1, 22)).toBeGreaterThanOrEqual(2);
    expect(tickHeight(-5_000_000, 22)).toBeLessThanOrEqual(20);
    expect(tickHeight(-5_000_000, 22)).toBeGreaterThan(tickHeight(100, 22));
  });
});

it('labels the largest changes, those that do not lie on each other', () => {
  const changes = [
    { at: 10, change: 5 },
    { at: 12, change: -50 },
    { at: 40, change: 7 },
    { at: 90, change: 1 },
  ];
  expect(largest(changes, span).map(({ at }) => at)).toEqual([12, 40, 90]);
});
