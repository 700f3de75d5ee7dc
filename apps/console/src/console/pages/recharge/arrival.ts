/** Forecasts what a purchase will credit (decisions §4), exactly or not at all. */
import { credited } from '@yiqiao/domain/conversion';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { Plan } from './plan.js';

/** The account as it is. */
export type Account = { billingMode: BillingMode; tranChannelId: number };

/** How the purchase converts the balance: to another billing mode, to another channel (its id), or not. */
export type Conversion = { mode: 'toTime' | 'toChar' | null; channelId: number | null };

export function conversionOf(plan: Plan, account: Account): Conversion {
  const { translationBillingMode: mode, tranChannelId } = plan;
  return {
    mode: mode === account.billingMode ? null : mode === 'time' ? 'toTime' : 'toChar',
    channelId: tranChannelId === account.tranChannelId ? null : tranChannelId,
  };
}

/** `num`: characters, or minutes, to the digit on the channel `channelId`, which is the account's once it is paid. */
export type Arrival = {
  billingMode: BillingMode;
  num: number;
  channelId: number;
};

type Wanted = { plan: Plan; quantity: number; account: Account };

/** `prices`: micro-yuan per character by channel. Null while a price that counts is not known. */
export function arrivalOf(wanted: Wanted, prices: ReadonlyMap<number, number>): Arrival | null {
  const { plan, quantity, account } = wanted;
  const channelId = plan.tranChannelId ?? account.tranChannelId;
  const [referencePrice, charPrice] = [prices.get(plan.referenceChannelId), prices.get(channelId)];
  if (referencePrice === undefined || charPrice === undefined) return null;
  const num = credited({ num: plan.num, quantity, referencePrice }, charPrice);
  return {
    billingMode: plan.translationBillingMode,
    num,
    channelId,
  };
}
