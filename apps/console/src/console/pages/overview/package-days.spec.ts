import { describe, expect, it } from '@jest/globals';
import { packageDays } from './package-days.js';

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
