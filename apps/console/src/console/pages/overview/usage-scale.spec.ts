import { describe, expect, it } from '@jest/globals';
import { isUnused, peakOf, scaleOf, sharesOf, type UsageDay } from './usage-scale.js';

const day = (charNum: number, more: Partial<UsageDay> = {}): UsageDay => ({
  date: '2026-11-20',
  charNum,
  voiceNum: 0,
  imageNum: 0,
  ...more,
});
const child = (userId: number, charNum: number) => ({ userId, nickname: `组${userId}`, charNum });

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

  it('knows the peak, the later one of two, and days without use', () => {
    expect(peakOf([day(3), day(9), day(9), day(1)])).toBe(2);
    expect(peakOf([])).toBe(0);
    expect(isUnused([day(0), day(0)])).toBe(true);
    expect(isUnused([day(0), day(0, { voiceNum: 1 })])).toBe(false);
  });
});

describe('the share of each sub-account', () => {
  it('shows those who used most, the others together, and the rest as the main account’s own', () => {
    const usage = { days: [day(600), day(400)], children: [child(1, 400), child(2, 200), child(3, 100), child(4, 50)] };
    expect(
      sharesOf(usage, 2).map(({ kind, name, charNum, percent, width }) => [kind, name, charNum, percent, width]),
    ).toEqual([
      ['child', '组1', 400, 40, 100],
      ['child', '组2', 200, 20, 50],
      ['others', '', 150, 15, 37.5],
      ['own', '', 250, 25, 62.5],
    ]);
  });

  it('leaves out what nobody used', () => {
    expect(sharesOf({ days: [day(5)], children: [child(1, 5)] }, 4)).toHaveLength(1);
    expect(sharesOf({ days: [day(0)], children: [] }, 4)).toEqual([]);
  });
});
