import type { Translate } from '../i18n/messages.js';
import { grouped } from '../ledger/amount-text.js';
import type { Standing } from './standing.js';

/** `main`: a main account reads it, which can do something about it. */
type Reader = { main: boolean; t: Translate<'standing'> };

/** How the account stands, in one sentence. */
export function standingText(standing: Standing, { main, t }: Reader): string {
  const { kind, trial } = standing;
  if (kind === 'low') return t('low', { n: grouped(standing.left), least: grouped(standing.least) });
  if (kind === 'expired') return trial ? t(main ? 'trialOver' : 'trialOverSub') : t('expired');
  const { date, time, days } = standing;
  if (days === 0) return t(trial ? 'trialEndingToday' : 'endingToday', { time });
  return t(trial ? 'trialEnding' : 'ending', { date, days });
}

/** What can be done about it: for a main account what stands on the way to recharging, for a sub-account what it asks for. */
export function standingHelp({ kind, trial }: Standing, { main, t }: Reader): string {
  if (!main) return t(kind === 'low' ? 'askForQuota' : 'askForRenewal');
  if (trial) return t('choose');
  return t(kind === 'low' ? 'recharge' : 'renew');
}
