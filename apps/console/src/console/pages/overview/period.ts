/** The quota of this period, against which the meter shows what is left (DESIGN §3). */

/** An entry that set the balance anew: a recharge, or a change of channel that counted it in other characters. */
type Beginning = { id: number; lastCharNum: number };
type Characters = { usableCharNum: number; usedCharTotal: number };

export type Period = {
  quota: number;
  /** Whole per cent of it that are left. */
  left: number;
  /** Since the last recharge or change of channel; `all`: there was none, and the quota is whatever ever came. */
  since: 'beginning' | 'all';
};

/** `beginnings`: the last one of each kind. What was given since (an invitation, an adjustment) can only raise the quota. */
export function periodOf({ usableCharNum, usedCharTotal }: Characters, beginnings: readonly Beginning[]): Period {
  const last = [...beginnings].sort((a, b) => b.id - a.id)[0];
  const quota = last ? Math.max(last.lastCharNum, usableCharNum) : usableCharNum + usedCharTotal;
  const left = quota === 0 ? 0 : Math.round((usableCharNum / quota) * 100);
  return { quota, left, since: last ? 'beginning' : 'all' };
}
