/**
 * What quota becomes when its channel or its way of billing changes: equal value, rounded down, so that no cycle of changes ever
 * raises what an account is worth (decisions §4). The preview and the change itself call the same functions.
 */
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from './limits.js';
import type { AccountState, Movement } from './ledger.js';
import type { BillingMode } from './plans.js';

/** Prices are integers ≥ 1 in micro-yuan: of one character through the channel, of one minute of the package. */
export type Tariff = {
  billingMode: BillingMode;
  tranChannelId: number;
  charPrice: number;
  minutePrice: number;
  /** What the minutes of an account in time mode are worth when they come from more than one package at its `minutePrice`. */
  worth?: MinutesWorth;
};

/** Whether a change from `a` to `b` converts anything (decisions §4: another channel or another mode). */
export const isSameTariff = (a: Tariff, b: Tariff): boolean =>
  a.billingMode === b.billingMode && a.tranChannelId === b.tranChannelId;

/** floor(n · from / to), exact for any safe integers: prices are multiplied as big integers. */
export const exchange = (n: number, from: number, to: number): number =>
  Number((BigInt(n) * BigInt(from)) / BigInt(to));

/** ceil(n · from / to), exact. */
export const exchangeUp = (n: number, from: number, to: number): number =>
  Number((BigInt(n) * BigInt(from) + BigInt(to) - 1n) / BigInt(to));

/** Whole minutes that a package still lives at `now`; 0 when it has expired. */
export const minutesLeft = (expireAt: number | null, now: number): number =>
  expireAt === null ? 0 : Math.max(0, Math.floor((expireAt - now) / MINUTE_MS));

type Converted = Omit<Movement, 'type' | 'refs'>;

/** What a main account is made of, as far as conversion goes. */
export type Convertible = Pick<AccountState, 'charNum' | 'expireAt'>;

/**
 * The main account's part of a change of tariff. Within time mode the part of a minute that is left stays, so the same preview holds
 * for that whole minute; leaving time mode the package ends now, entering it the minutes begin now. Characters that an account holds
 * in time mode (taken back from a sub-account, say) convert too: a channel changed under them would change what they are worth.
 */
export function convertMain(state: Convertible, from: Tariff, to: Tariff, now: number): Converted {
  const channel = { tranChannelId: to.tranChannelId, billingMode: to.billingMode };
  const left = minutesLeft(state.expireAt, now);
  const chars = exchange(state.charNum, from.charPrice, to.charPrice) - state.charNum;
  if (from.billingMode === 'char' && to.billingMode === 'char') return { ...channel, charChange: chars };
  if (from.billingMode === 'char') {
    const minutes = exchange(state.charNum, from.charPrice, to.minutePrice);
    return { ...channel, charChange: 0 - state.charNum, minChange: minutes, expireAt: now + minutes * MINUTE_MS };
  }
  if (to.billingMode === 'char')
    return {
      ...channel,
      charChange: chars + charsFor(left, from, to.charPrice),
      minChange: 0 - left,
      expireAt: now,
    };
  const minutes = exchange(left, from.charPrice, to.charPrice);
  const expireAt = state.expireAt === null ? null : state.expireAt + (minutes - left) * MINUTE_MS;
  return { ...channel, charChange: chars, minChange: minutes - left, expireAt };
}

/** How many characters at `charPrice` so many minutes are paid out with. */
function charsFor(left: number, from: Tariff, charPrice: number): number {
  const { value, minutes } = from.worth ?? { value: BigInt(from.minutePrice), minutes: 1n };
  return Number((value * BigInt(left)) / (minutes * BigInt(charPrice)));
}

/** A sub-account's part: it bills by character whatever its main account does, so the channels' prices alone count (decisions §4). */
export const convertSub = (state: Convertible, from: Tariff, to: Tariff): Converted => ({
  charChange: exchange(state.charNum, from.charPrice, to.charPrice) - state.charNum,
  tranChannelId: to.tranChannelId,
});

/**
 * What translations under way keep reserved: each rounded up, oldest first, as far as `charNum`, the converted balance, goes. In time
 * mode characters cost nothing, so nothing stays reserved.
 */
export function convertHolds(holds: readonly number[], from: Tariff, to: Tariff, charNum: number): number[] {
  let free = charNum;
  return holds.map((held) => {
    const converted = to.billingMode === 'time' ? 0 : Math.min(free, exchangeUp(held, from.charPrice, to.charPrice));
    free -= converted;
    return converted;
  });
}

/** What so many minutes (≥ 1) are worth together, in micro-yuan. */
export type MinutesWorth = { value: bigint; minutes: bigint };

/**
 * An entry that changed how long an account in time mode lives (times in ms): a package that brought minutes, or was taken back, at the
 * `price` of a minute; another channel, which keeps their worth; or anything else, which leaves each minute what it was worth.
 */
export type LifeChange = { at: number; before: number | null; after: number | null } & (
  { by: 'package'; price: number } | { by: 'channel' | 'other' }
);

/**
 * What the minutes of an account are worth after these changes, from the first package in time mode on (docs/decisions/0009): all that
 * was paid for them, less what has passed in proportion. Never more than they would be worth at the packages' own prices, which is what
 * decisions §4 pays for a single package. Rounded down wherever it does not come out even. Null before the first package.
 */
export function minutesWorth(changes: readonly LifeChange[]): MinutesWorth | null {
  const first = changes.findIndex(({ by }) => by === 'package');
  if (first === -1) return null;
  let [minutes, paid, nominal] = [0n, 0n, 0n];
  const share = (value: bigint, part: bigint): bigint => (minutes === 0n ? 0n : (value * part) / minutes);
  for (const [i, change] of changes.slice(first).entries()) {
    const left = BigInt(minutesLeft(change.before, change.at));
    const after = BigInt(minutesLeft(change.after, change.at));
    if (change.by === 'package') {
      const price = BigInt(change.price);
      // What was there before the first package was converted at its price, a moment ago.
      const changed = (value: bigint): bigint => (i === 0 ? left * price : share(value, left)) + (after - left) * price;
      [paid, nominal] = [atLeast0(changed(paid)), atLeast0(changed(nominal))];
    } else if (change.by === 'channel') [paid, nominal] = [share(paid, left), share(nominal, after)];
    else [paid, nominal] = [share(paid, after), share(nominal, after)];
    minutes = after;
  }
  if (minutes === 0n) return { value: 0n, minutes: 1n };
  return { value: paid < nominal ? paid : nominal, minutes };
}

const atLeast0 = (n: bigint): bigint => (n < 0n ? 0n : n);

/** What is bought of a package: the order's snapshot. Numbers are those of one unit. */
export type Purchase = {
  memberGroupId: number;
  billingMode: BillingMode;
  /** Characters, or minutes for a time package. */
  num: number;
  voiceNum: number;
  imageNum: number;
  /** 1–999 */
  quantity: number;
};

/** What buying adds, once the account is on the package's tariff (decisions §4). */
export function purchased(purchase: Purchase, expireAt: number | null, now: number): Converted {
  const { quantity } = purchase;
  const from = Math.max(now, expireAt ?? now);
  const gifts = { voiceChange: purchase.voiceNum * quantity, imageChange: purchase.imageNum * quantity };
  if (purchase.billingMode === 'time') {
    const minutes = purchase.num * quantity;
    return { ...gifts, minChange: minutes, expireAt: from + minutes * MINUTE_MS, billingMode: 'time' };
  }
  const expire = from + PACKAGE_DAYS * DAY_MS * quantity;
  return { ...gifts, charChange: purchase.num * quantity, expireAt: expire, billingMode: 'char' };
}
