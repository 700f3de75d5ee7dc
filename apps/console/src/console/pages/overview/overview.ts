import { PACKAGE_DAYS } from '@yiqiao/domain/limits';

/** The API's largest page: in a larger family the enabled sub-accounts are not counted. */
export const COUNTED_CHILDREN = 100;

export type Greeting = 'morning' | 'noon' | 'afternoon' | 'evening';

/** The greeting at `hour` (0–23, the member's own clock): 0–10 morning, 10–14 noon, 14–18 afternoon, 18–24 evening (specification §2). */
export const greetingOf = (hour: number): Greeting => {
  if (hour < 10) return 'morning';
  if (hour < 14) return 'noon';
  return hour < 18 ? 'afternoon' : 'evening';
};

const DAY_MS = 86_400_000;

export type DayCell = 'used' | 'today' | 'left';
/** `daysLeft`: started days until expiry, 0 once it has expired. `cells`: the last 30 days of the package, oldest first. */
export type PackageDays = { daysLeft: number; expired: boolean; cells: readonly DayCell[] };

/** The 30 days of a package that ends at `expireAt`, at the time `now` (milliseconds on the same clock; specification §1). */
export const packageDays = (expireAt: number | null, now: number): PackageDays => {
  const daysLeft = expireAt === null ? 0 : Math.max(0, Math.ceil((expireAt - now) / DAY_MS));
  const used = Math.max(0, PACKAGE_DAYS - daysLeft);
  const cells = Array.from({ length: PACKAGE_DAYS }, (_, day): DayCell => {
    if (day < used) return 'used';
    return day === used ? 'today' : 'left';
  });
  return { daysLeft, expired: daysLeft === 0, cells };
};

/** An entry that reset the balance: a recharge, or a change of channel that converted it. */
type Beginning = { id: number; lastCharNum: number };
type Characters = { usableCharNum: number; usedCharTotal: number };

/** The quota of this period, against which the meter shows what is left (DESIGN §3). */
export type Period = {
  quota: number;
  /** How much of it is left, in whole per cent. */
  left: number;
  /** Since the last recharge or change of channel; `all`: there was none, and the quota is everything ever credited. */
  since: 'beginning' | 'all';
};

/** `beginnings`: the last one of each kind. Later gifts (an invitation, an adjustment) can only raise the quota. */
export function periodOf({ usableCharNum, usedCharTotal }: Characters, beginnings: readonly Beginning[]): Period {
  const last = [...beginnings].sort((a, b) => b.id - a.id)[0];
  const quota = last ? Math.max(last.lastCharNum, usableCharNum) : usableCharNum + usedCharTotal;
  const left = quota === 0 ? 0 : Math.round((usableCharNum / quota) * 100);
  return { quota, left, since: last ? 'beginning' : 'all' };
}
