import { describe, expect, it } from '@jest/globals';
import { peakOf, scaleOf, type ChartDay } from './usage-scale.js';

const day = (charNum: number): ChartDay => ({ date: '2026-11-20', charNum });

describe('the scale of the usage chart', () => {
  it.each([
    [56_200, [0, 20_000, 40_000, 60_000], true],
    [10_000, [0, 5_000, 10_000], true],
    [9_999, [0, 5_000, 10_000], true],
    [60, [0, 20, 40, 60], false],
    [1, [0, 1], false],
    [0, [0, 1], false],
    [3, [0, 1, 2, 3], false],
  ])('%i has its lines at %j', (most, ticks, inThousands) => {
    expect(scaleOf(most)).toEqual({ top: ticks.at(-1), ticks, inThousands });
  });

  it('never cuts a bar off, and has two to five lines, whatever the size', () => {
    for (let most = 1; most < 1e15; most = Math.ceil(most * 1.7)) {
      const { top, ticks } = scaleOf(most);
      expect(top).toBeGreaterThanOrEqual(most);
      expect([most, ticks.length >= 2 && ticks.length <= 5]).toEqual([most, true]);
    }
  });

  it('knows the peak, the later one of two', () => {
    expect(peakOf([day(3), day(9), day(9), day(1)])).toBe(2);
    expect(peakOf([])).toBe(0);
  });
});
