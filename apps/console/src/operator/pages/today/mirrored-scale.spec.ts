import { describe, expect, it } from '@jest/globals';
import { roundMax, shortNumber } from './mirrored-scale.js';

describe('the scale of the mirrored chart', () => {
  it.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [143_000, 200_000],
    [160_000, 200_000],
    [7_412_600, 8_000_000],
    [8_000_001, 10_000_000],
  ])('reaches from 0 over %d to %d', (greatest, max) => expect(roundMax(greatest)).toBe(max));

  it.each([
    [800, '800', '800'],
    [8_000_000, '800万', '8M'],
    [150_000_000, '1.5亿', '150M'],
  ])('writes %d short', (n, zh, en) => {
    expect([shortNumber(n, 'zh-CN'), shortNumber(n, 'en-US')]).toEqual([zh, en]);
  });
});
