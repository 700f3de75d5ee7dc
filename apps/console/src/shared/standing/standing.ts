import { DAY_MS, REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import type { User } from '../auth/stored-user.js';
import { wireMs } from '../wire-time.js';

/**
 * What a member should know about its package without looking for it. `trial`: it is the free one, for which nothing was paid yet.
 * `date`, `time`: of the expiry, as on the wire; `days`: started days until then, 0 when it ends today.
 */
export type Standing =
  | { kind: 'expired'; trial: boolean }
  | { kind: 'ending'; trial: boolean; date: string; time: string; days: number }
  | { kind: 'low'; trial: boolean; left: number; least: number };

type Standee = Pick<User, 'parentUserId' | 'memberGroupId' | 'memberGroup' | 'memberAccount' | 'autoDistribution'> &
  Partial<Pick<User, 'reminders'>>;

/** When the member is warned: of one that was stored before there were reminders, the proposals count. */
export const remindersOf = ({ reminders }: Partial<Pick<User, 'reminders'>>): User['reminders'] =>
  reminders ?? REMINDER_DEFAULTS;

/** The worst of it, or null when all is well. `now` as on the wire. */
export function standingOf(user: Standee, now: string): Standing | null {
  const { lowCharNum: least, expiryDays } = remindersOf(user);
  const { expireDateTime, usableCharNum: left } = user.memberAccount;
  const trial = user.memberGroupId === TRIAL_GROUP_ID;
  if (expireDateTime !== null) {
    const ms = wireMs(expireDateTime) - wireMs(now);
    if (ms <= 0) return { kind: 'expired', trial };
    const [date = '', time = ''] = expireDateTime.split(' ');
    const days = date === now.slice(0, 10) ? 0 : Math.ceil(ms / DAY_MS);
    if (ms <= expiryDays * DAY_MS) return { kind: 'ending', trial, date, time: time.slice(0, 5), days };
  }
  return paysByCharacter(user) && left < least ? { kind: 'low', trial, left, least } : null;
}

/** A sub-account that draws on its main account by itself never has little of its own. */
const paysByCharacter = ({ parentUserId, memberGroup, autoDistribution }: Standee): boolean =>
  parentUserId === null ? memberGroup.translationBillingMode === 'char' : autoDistribution === 0;
