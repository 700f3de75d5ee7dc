/** Forecasts what a purchase will credit (decisions §4), exactly or not at all. */
import { credited } from '@yiqiao/domain/conversion';
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { Plan } from './plan.js';

/** The account as it is. Times are milliseconds on the server's clock (`wireMs`). */
export type Account = { billingMode: BillingMode; tranChannelId: number; expireAt: number | null; now: number };

/** How the purchase converts the balance: to another billing mode, to another channel (its id), or not. */
export type Conversion = { mode: 'toTime' | 'toChar' | null; channelId: number | null };

export function conversionOf(plan: Plan, account: Pick<Account, 'billingMode' | 'tranChannelId'>): Conversion {
  const { translationBillingMode: mode, tranChannelId } = plan;
  return {
    mode: mode === account.billingMode ? null : mode === 'time' ? 'toTime' : 'toChar',
    channelId: tranChannelId === account.tranChannelId ? null : tranChannelId,
  };
}

/**
 * `until`: that moment · `fromPayment`: so many minutes after it is paid · `converted`: added to what the server's conversion makes. Times
 * are milliseconds on the server's clock.
 */
export type Expiry = { kind: 'until'; at: number } | { kind: 'fromPayment'; minutes: number } | { kind: 'converted' };

/** `num`: characters, or minutes, to the digit on the channel `channelId`, which is the account's once it is paid. */
export type Arrival = {
  billingMode: BillingMode;
  num: number;
  channelId: number;
  voiceNum: number;
  imageNum: number;
  expiry: Expiry;
};

type Wanted = { plan: Plan; quantity: number; account: Account };

function expiryOf({ plan, quantity, account }: Wanted, num: number): Expiry {
  const timed = plan.translationBillingMode === 'time';
  const added = timed ? num * MINUTE_MS : PACKAGE_DAYS * DAY_MS * quantity;
  const { mode, channelId } = conversionOf(plan, account);
  if (mode === 'toTime') return { kind: 'converted' };
  if (mode === 'toChar' || account.expireAt === null || account.expireAt <= account.now)
    return { kind: 'fromPayment', minutes: added / MINUTE_MS };
  if (timed && channelId !== null) return { kind: 'converted' };
  return { kind: 'until', at: account.expireAt + added };
}

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
    voiceNum: plan.voiceNum * quantity,
    imageNum: plan.imageNum * quantity,
    expiry: expiryOf(wanted, num),
  };
}
