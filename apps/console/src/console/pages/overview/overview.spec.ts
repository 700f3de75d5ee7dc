import { describe, expect, it } from '@jest/globals';
import { greetingOf, packageDays, periodOf } from './overview.js';

describe('greeting by hour', () => {
  it.each([
    [0, 'morning'],
    [9, 'morning'],
    [10, 'noon'],
    [13, 'noon'],
    [14, 'afternoon'],
    [17, 'afternoon'],
    [18, 'evening'],
    [23, 'evening'],
  ] as const)('%i is %s', (hour, greeting) => {
    expect(greetingOf(hour)).toBe(greeting);
  });
});

const now = Date.UTC(2026, 10, 20, 12);
const inDays = (days: number) => now + days * 86_400_000;
const count = (expireAt: number | null, cell: string) =>
  packageDays(expireAt, now).cells.filter((c) => c === cell).length;

describe('the strip of 30 days', () => {
  it('counts a started day as a whole one', () => {
    expect(packageDays(inDays(23.2), now).daysLeft).toBe(24);
    expect(packageDays(inDays(0.001), now).daysLeft).toBe(1);
  });

  it('shows six days used, today, and twenty-three to come', () => {
    expect([count(inDays(24), 'used'), count(inDays(24), 'today'), count(inDays(24), 'left')]).toEqual([6, 1, 23]);
  });

  it('is all used once the package has expired, or was never bought', () => {
    for (const expireAt of [inDays(-1), now, null]) {
      expect(packageDays(expireAt, now)).toMatchObject({ daysLeft: 0, expired: true });
      expect(count(expireAt, 'used')).toBe(30);
    }
  });

  it('does not overflow when several packages were bought', () => {
    expect(packageDays(inDays(90), now).daysLeft).toBe(90);
    expect([count(inDays(90), 'used'), count(inDays(90), 'today'), count(inDays(90), 'left')]).toEqual([0, 1, 29]);
  });
});

const account = { usableCharNum: 1_284_500, usedCharTotal: 3_715_500 };
const recharge = { id: 7, lastCharNum: 5_138_000 };

describe('the quota of this period', () => {
  it('is the balance after the last recharge, regardless of earlier use', () => {
    expect(periodOf(account, [recharge])).toEqual({ quota: 5_138_000, left: 25, since: 'beginning' });
  });

  it('restarts with a later change of channel, not with an earlier one', () => {
    expect(periodOf(account, [recharge, { id: 9, lastCharNum: 2_569_000 }]).quota).toBe(2_569_000);
    expect(periodOf(account, [{ id: 3, lastCharNum: 2_569_000 }, recharge]).quota).toBe(5_138_000);
  });

  it('is never less than what is left: gifts may have come since', () => {
    expect(periodOf(account, [{ id: 7, lastCharNum: 1_000_000 }])).toMatchObject({ quota: 1_284_500, left: 100 });
  });

  it('is everything ever credited without a purchase', () => {
    expect(periodOf({ usableCharNum: 4_000, usedCharTotal: 1_000 }, [])).toEqual({
      quota: 5_000,
      left: 80,
      since: 'all',
    });
    expect(periodOf({ usableCharNum: 0, usedCharTotal: 0 }, [])).toMatchObject({ quota: 0, left: 0 });
  });
});
