import { describe, expect, it } from '@jest/globals';
import { periodOf } from './period.js';

const account = { usableCharNum: 1_284_500, usedCharTotal: 3_715_500 };
const recharge = { id: 7, lastCharNum: 5_138_000 };

describe('the quota of this period', () => {
  it('is what the last recharge made of the balance, whatever was used before it', () => {
    expect(periodOf(account, [recharge])).toEqual({ quota: 5_138_000, left: 25, since: 'beginning' });
  });

  it('begins anew with a change of channel that came later, not with one that came before', () => {
    expect(periodOf(account, [recharge, { id: 9, lastCharNum: 2_569_000 }]).quota).toBe(2_569_000);
    expect(periodOf(account, [{ id: 3, lastCharNum: 2_569_000 }, recharge]).quota).toBe(5_138_000);
  });

  it('is never less than what is left: gifts may have come since', () => {
    expect(periodOf(account, [{ id: 7, lastCharNum: 1_000_000 }])).toMatchObject({ quota: 1_284_500, left: 100 });
  });

  it('is all that ever came where nothing was bought', () => {
    expect(periodOf({ usableCharNum: 4_000, usedCharTotal: 1_000 }, [])).toEqual({
      quota: 5_000,
      left: 80,
      since: 'all',
    });
    expect(periodOf({ usableCharNum: 0, usedCharTotal: 0 }, [])).toMatchObject({ quota: 0, left: 0 });
  });
});
