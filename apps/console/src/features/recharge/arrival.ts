/** What a purchase brings, before it is made (decisions §4): only figures that will come true are given. */
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { Plan } from './plan.js';

/** The account as it is. Times are milliseconds on the server's clock (`wireMs`). */
export type Account = { billingMode: BillingMode; tranChannelId: number; expireAt: number | null; now: number };

/** What becomes of the balance on the way: another way of billing, another channel (its id), or neither. */
export type Conversion = { mode: 'toTime' | 'toChar' | null; channelId: number | null };

export function conversionOf(plan: Plan, account: Pick<Account, 'billingMode' | 'tranChannelId'>): Conversion {
  const { translationBillingMode: mode, tranChannelId } = plan;
  return {
    mode: mode === account.billingMode ? null : mode === 'time' ? 'toTime' : 'toChar',
    channelId: tranChannelId === account.tranChannelId ? null : tranChannelId,
  };
}

/** `until`: that moment · `fromPayment`: so many days after it is paid · `converted`: added to what the server's conversion makes. */
export type Expiry = { kind: 'until'; at: number } | { kind: 'fromPayment'; days: number } | { kind: 'converted' };

export type Arrival = { billingMode: BillingMode; num: number; voiceNum: number; imageNum: number; expiry: Expiry };

function expiryOf(plan: Plan, quantity: number, account: Account): Expiry {
  const timed = plan.translationBillingMode === 'time';
  const added = (timed ? plan.num * MINUTE_MS : PACKAGE_DAYS * DAY_MS) * quantity;
  const { mode, channelId } = conversionOf(plan, account);
  if (mode === 'toTime') return { kind: 'converted' };
  if (mode === 'toChar' || account.expireAt === null || account.expireAt <= account.now)
    return { kind: 'fromPayment', days: added / DAY_MS };
  if (timed && channelId !== null) return { kind: 'converted' };
  return { kind: 'until', at: account.expireAt + added };
}

export const arrivalOf = (plan: Plan, quantity: number, account: Account): Arrival => ({
  billingMode: plan.translationBillingMode,
  num: plan.num * quantity,
  voiceNum: plan.voiceNum * quantity,
  imageNum: plan.imageNum * quantity,
  expiry: expiryOf(plan, quantity, account),
});
