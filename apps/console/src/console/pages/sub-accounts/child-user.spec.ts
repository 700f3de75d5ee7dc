import { describe, expect, it } from '@jest/globals';
import { holdingOfAll, nicknameOf, shortTime, type ChildUser } from './child-user.js';

const child = (over: Partial<ChildUser> = {}): ChildUser => ({
  userId: 7,
  account: '日韩组',
  nickname: '李贤',
  enabled: 1,
  autoDistribution: 0,
  lastLoginDateTime: null,
  memberAccount: { usableCharNum: 150_000, usableVoiceNum: 40, usableImageNum: 88 },
  usedCharTotal: 0,
  caps: null,
  ...over,
});

describe('a row of the sub-accounts', () => {
  it('has a nickname only if one was set', () => {
    expect(nicknameOf(child())).toBe('李贤');
    expect(nicknameOf(child({ nickname: '日韩组' }))).toBeNull();
    expect(nicknameOf(child({ nickname: '' }))).toBeNull();
  });

  it('names the year of a login only when it is another one', () => {
    expect(shortTime('2026-11-20 14:30:08', '2026-11-21 09:00:00')).toBe('11-20 14:30');
    expect(shortTime('2025-12-31 23:59:59', '2026-01-01 00:00:00')).toBe('2025-12-31 23:59');
  });

  it('adds up what several hold, and nothing for none', () => {
    expect(holdingOfAll([child(), child()])).toEqual({
      usableCharNum: 300_000,
      usableVoiceNum: 80,
      usableImageNum: 176,
    });
    expect(holdingOfAll([])).toEqual({ usableCharNum: 0, usableVoiceNum: 0, usableImageNum: 0 });
  });
});
