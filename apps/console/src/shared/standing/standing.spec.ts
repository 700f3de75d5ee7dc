import { describe, expect, it } from '@jest/globals';
import { standingOf } from './standing.js';

const NOW = '2026-11-21 12:00:00';
type Standee = Parameters<typeof standingOf>[0];

const account = { usableVoiceNum: 0, usableImageNum: 0, usedCharTotal: 0, rechargeAmountTotal: 0 };
const member = (change: Partial<Standee> = {}, charNum = 5_000, expireDateTime = '2026-12-21 12:00:00'): Standee => ({
  parentUserId: null,
  memberGroupId: 3,
  memberGroup: { name: '专业版', enName: 'Professional', translationBillingMode: 'char' },
  memberAccount: { ...account, usableCharNum: charNum, expireDateTime },
  autoDistribution: 0,
  reminders: { lowCharNum: 1_000, expiryDays: 3, byMail: 1 },
  ...change,
});
const timed: Partial<Standee> = {
  memberGroup: { name: '月卡', enName: 'Monthly', translationBillingMode: 'time' },
};

describe('how an account stands', () => {
  it('is well with enough characters and days', () => {
    expect(standingOf(member(), NOW)).toBeNull();
    expect(standingOf(member({}, 1_000), NOW)).toBeNull();
    expect(standingOf(member({}, 5_000, '2026-11-24 12:00:01'), NOW)).toBeNull();
  });

  it('says the worst first: over, then ending, then low', () => {
    expect(standingOf(member({}, 5, NOW), NOW)).toEqual({ kind: 'expired', trial: false });
    expect(standingOf(member({}, 5, '2026-11-24 12:00:00'), NOW)).toEqual({
      kind: 'ending',
      trial: false,
      date: '2026-11-24',
      time: '12:00',
      days: 3,
    });
    expect(standingOf(member({}, 999), NOW)).toEqual({ kind: 'low', trial: false, left: 999, least: 1_000 });
  });

  it('counts started days, and none on the day itself', () => {
    const days = (at: string) => standingOf(member({}, 5_000, at), NOW);
    expect(days('2026-11-21 23:30:00')).toMatchObject({ days: 0, time: '23:30' });
    expect(days('2026-11-22 00:30:00')).toMatchObject({ days: 1 });
    expect(days('2026-11-22 12:30:00')).toMatchObject({ days: 2 });
  });

  it('tells the trial from what was bought', () => {
    expect(standingOf(member({ memberGroupId: 1 }, 5, NOW), NOW)).toEqual({ kind: 'expired', trial: true });
  });

  it('warns when the member wants it and 0 is never', () => {
    const reminders = { lowCharNum: 0, expiryDays: 0, byMail: 0 as const };
    expect(standingOf(member({ reminders }, 0, '2026-11-21 13:00:00'), NOW)).toBeNull();
    expect(standingOf(member({ reminders }, 0, NOW), NOW)).toMatchObject({ kind: 'expired' });
    expect(standingOf(member({ reminders: { ...reminders, lowCharNum: 6_000 } }), NOW)).toMatchObject({ kind: 'low' });
  });

  it('counts no characters in time mode, but a sub-account always pays by character', () => {
    expect(standingOf(member(timed, 0), NOW)).toBeNull();
    expect(standingOf(member({ ...timed, parentUserId: 7 }, 0), NOW)).toMatchObject({ kind: 'low', left: 0 });
  });

  it('leaves a sub-account alone that draws on its main account by itself', () => {
    expect(standingOf(member({ parentUserId: 7, autoDistribution: 1 }, 0), NOW)).toBeNull();
    expect(standingOf(member({ parentUserId: 7, autoDistribution: 1 }, 0, NOW), NOW)).toMatchObject({
      kind: 'expired',
    });
    expect(standingOf(member({ autoDistribution: 1 }, 0), NOW)).toMatchObject({ kind: 'low' });
  });

  it('knows a member that was stored before there were reminders', () => {
    const { reminders: _, ...old } = member({}, 999);
    expect(standingOf(old, NOW)).toMatchObject({ kind: 'low', least: 1_000 });
  });
});
