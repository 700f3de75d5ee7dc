import { describe, expect, it } from '@jest/globals';
import { isUnused, sharesOf, type UsageDay } from './usage-scale.js';

const day = (charNum: number, more: Partial<UsageDay> = {}): UsageDay => ({
  date: '2026-11-20',
  charNum,
  voiceNum: 0,
  imageNum: 0,
  ...more,
});
const child = (userId: number, charNum: number) => ({ userId, nickname: `组${userId}`, charNum });

describe('a span without use', () => {
  it('has neither characters nor voice nor images', () => {
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
