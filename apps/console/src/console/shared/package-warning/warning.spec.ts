import { describe, expect, it } from '@jest/globals';
import { warningOf } from './warning.js';

const NOW = '2026-11-21 12:00:00';
type Account = Parameters<typeof warningOf>[0];

const account = { usableVoiceNum: 0, usableImageNum: 0, usedCharTotal: 0, rechargeAmountTotal: 0 };
const member = (change: Partial<Account> = {}, charNum = 5_000, expireDateTime = '2026-12-21 12:00:00'): Account => ({
  parentUserId: null,
  memberGroupId: 3,
  memberGroup: { name: '专业版', enName: 'Professional', translationBillingMode: 'char' },
  memberAccount: { ...account, usableCharNum: charNum, expireDateTime },
  autoDistribution: 0,
  reminders: { lowCharNum: 1_000, expiryDays: 3, byMail: 1 },
  ...change,
});
const timed: Partial<Account> = {
  memberGroup: { name: '月卡', enName: 'Monthly', translationBillingMode: 'time' },
};

describe('the warning about a package', () => {
  it('is absent with enough characters and days', () => {
    expect(warningOf(member(), NOW)).toBeNull();
    expect(warningOf(member({}, 1_000), NOW)).toBeNull();
    expect(warningOf(member({}, 5_000, '2026-11-24 12:00:01'), NOW)).toBeNull();
  });

  it('is the most serious one: expired, then ending, then low', () => {
    expect(warningOf(member({}, 5, NOW), NOW)).toEqual({ kind: 'expired', trial: false });
    expect(warningOf(member({}, 5, '2026-11-24 12:00:00'), NOW)).toEqual({
      kind: 'ending',
      trial: false,
      date: '2026-11-24',
      time: '12:00',
      days: 3,
    });
    expect(warningOf(member({}, 999), NOW)).toEqual({ kind: 'low', trial: false, left: 999, least: 1_000 });
  });

  it('counts started days, and none on the day itself', () => {
    const days = (at: string) => warningOf(member({}, 5_000, at), NOW);
    expect(days('2026-11-21 23:30:00')).toMatchObject({ days: 0, time: '23:30' });
    expect(days('2026-11-22 00:30:00')).toMatchObject({ days: 1 });
    expect(days('2026-11-22 12:30:00')).toMatchObject({ days: 2 });
  });

  it('distinguishes the trial from a bought package', () => {
    expect(warningOf(member({ memberGroupId: 1 }, 5, NOW), NOW)).toEqual({ kind: 'expired', trial: true });
  });

  it('follows the thresholds of the member; 0 turns a warning off', () => {
    const reminders = { lowCharNum: 0, expiryDays: 0, byMail: 0 as const };
    expect(warningOf(member({ reminders }, 0, '2026-11-21 13:00:00'), NOW)).toBeNull();
    expect(warningOf(member({ reminders }, 0, NOW), NOW)).toMatchObject({ kind: 'expired' });
    expect(warningOf(member({ reminders: { ...reminders, lowCharNum: 6_000 } }), NOW)).toMatchObject({ kind: 'low' });
  });

  it('ignores characters in time mode, but a sub-account always pays by character', () => {
    expect(warningOf(member(timed, 0), NOW)).toBeNull();
    expect(warningOf(member({ ...timed, parentUserId: 7 }, 0), NOW)).toMatchObject({ kind: 'low', left: 0 });
  });

  it('never warns a sub-account with automatic distribution of few characters', () => {
    expect(warningOf(member({ parentUserId: 7, autoDistribution: 1 }, 0), NOW)).toBeNull();
    expect(warningOf(member({ parentUserId: 7, autoDistribution: 1 }, 0, NOW), NOW)).toMatchObject({
      kind: 'expired',
    });
    expect(warningOf(member({ autoDistribution: 1 }, 0), NOW)).toMatchObject({ kind: 'low' });
  });

  it('accepts a member that was stored before reminders existed', () => {
    const { reminders: _, ...old } = member({}, 999);
    expect(warningOf(old, NOW)).toMatchObject({ kind: 'low', least: 1_000 });
  });
});
