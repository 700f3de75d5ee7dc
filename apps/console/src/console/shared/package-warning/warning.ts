import { DAY_MS, REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import type { User } from '../../../shared/auth/stored-user.js';
import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { wireMs } from '../wire-time.js';

/**
 * A warning about a member's package. `trial`: the free package, for which nothing was paid yet.
 * `date`, `time`: of the expiry, as on the wire; `days`: started days until then, 0 when it ends today.
 */
export type PackageWarning =
  | { kind: 'expired'; trial: boolean }
  | { kind: 'ending'; trial: boolean; date: string; time: string; days: number }
  | { kind: 'low'; trial: boolean; left: number; least: number };

type Account = Pick<User, 'parentUserId' | 'memberGroupId' | 'memberGroup' | 'memberAccount' | 'autoDistribution'> &
  Partial<Pick<User, 'reminders'>>;

/** The member's thresholds; the defaults for a member that was stored before reminders existed. */
export const remindersOf = ({ reminders }: Partial<Pick<User, 'reminders'>>): User['reminders'] =>
  reminders ?? REMINDER_DEFAULTS;

/** A sub-account that draws on its main account automatically never runs low on its own. */
const paysByCharacter = ({ parentUserId, memberGroup, autoDistribution }: Account): boolean =>
  parentUserId === null ? memberGroup.translationBillingMode === 'char' : autoDistribution === 0;

/** The most serious warning, or null. `now` as on the wire. */
export function warningOf(user: Account, now: string): PackageWarning | null {
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

/** `main`: the reader is a main account, which can buy a package. */
type Reader = { main: boolean; t: Translate<'package-warning'> };

/** The warning in one sentence. */
export function warningText(warning: PackageWarning, { main, t }: Reader): string {
  const { kind, trial } = warning;
  if (kind === 'low') return t('low', { n: grouped(warning.left), least: grouped(warning.least) });
  if (kind === 'expired') return trial ? t(main ? 'trialOver' : 'trialOverSub') : t('expired');
  const { date, time, days } = warning;
  if (days === 0) return t(trial ? 'trialEndingToday' : 'endingToday', { time });
  return t(trial ? 'trialEnding' : 'ending', { date, days });
}

/** For a main account the label of the link to the packages, for a sub-account what to ask its main account for. */
export function warningAction({ kind, trial }: PackageWarning, { main, t }: Reader): string {
  if (!main) return t(kind === 'low' ? 'askForQuota' : 'askForRenewal');
  if (trial) return t('choose');
  return t(kind === 'low' ? 'recharge' : 'renew');
}
