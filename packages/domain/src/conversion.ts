/**
 * Converts quota when the channel or the billing mode changes: at equal value, rounded down, so that no cycle of changes raises the worth of
 * an account (decisions §4). The preview and the change itself call the same functions.
 */
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from './limits.js';
import type { AccountState, Movement } from './ledger.js';
import type { BillingMode } from './plans.js';

/**
 * The price of a minute of a time package: integers ≥ 1 in micro-yuan. `minutePrice` applies where a character costs `referencePrice`; where
 * a character costs more, the same money buys fewer minutes (decisions §4).
 */
export type MinutePrice = { minutePrice: number; referencePrice: number };

/** `charPrice`: micro-yuan per character through the channel, an integer ≥ 1. The price of a minute applies in time mode only. */
export type Tariff = MinutePrice & {
  billingMode: BillingMode;
  tranChannelId: number;
  charPrice: number;
  /** The worth of the minutes of an account in time mode, if its packages are known; otherwise the price of the tariff. */
  worth?: MinutesWorth;
};

/** Whether a change from `a` to `b` converts anything (decisions §4: another channel or another mode). */
export const isSameTariff = (a: Tariff, b: Tariff): boolean =>
  a.billingMode === b.billingMode && a.tranChannelId === b.tranChannelId;

/** floor(n · from / to), exact for any safe integers. */
export const exchange = (n: number, from: number, to: number): number =>
  Number((BigInt(n) * BigInt(from)) / BigInt(to));

/** ceil(n · from / to), exact. */
export const exchangeUp = (n: number, from: number, to: number): number =>
  Number((BigInt(n) * BigInt(from) + BigInt(to) - 1n) / BigInt(to));

/** Whether an exchange at these prices never rounds. */
export const isWholeRatio = (from: number, to: number): boolean => from % to === 0;

/** Whole minutes left of a package at `now`; 0 after its expiry. */
export const minutesLeft = (expireAt: number | null, now: number): number =>
  expireAt === null ? 0 : Math.max(0, Math.floor((expireAt - now) / MINUTE_MS));

type Converted = Omit<Movement, 'type' | 'refs'>;

/** The part of an account that is converted. */
export type Convertible = Pick<AccountState, 'charNum' | 'expireAt'>;

/**
 * Converts the main account. Within time mode the fraction of a minute is kept, so a preview stays valid for that minute; leaving time mode
 * ends the package now, and entering it starts the minutes now. Characters of an account in time mode (taken back from a sub-account, for
 * example) are converted too, because another channel would change their worth.
 */
export function convertMain(state: Convertible, from: Tariff, to: Tariff, now: number): Converted {
  const channel = { tranChannelId: to.tranChannelId, billingMode: to.billingMode };
  const left = minutesLeft(state.expireAt, now);
  const chars = exchange(state.charNum, from.charPrice, to.charPrice) - state.charNum;
  if (from.billingMode === 'char' && to.billingMode === 'char') return { ...channel, charChange: chars };
  if (from.billingMode === 'char') {
    const minutes = minutesFor(state.charNum, from.charPrice, to);
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

/** The minutes of tariff `to` that `charNum` characters at `charPrice` pay for. */
function minutesFor(charNum: number, charPrice: number, to: Tariff): number {
  const [value, minute] = [BigInt(charNum) * BigInt(charPrice), minuteWorth(to)];
  return Number((value * minute.minutes) / minute.value);
}

/** The characters at `charPrice` that the minutes left are converted to. */
function charsFor(left: number, from: Tariff, charPrice: number): number {
  const { value, minutes } = from.worth ?? minuteWorth(from);
  return Number((value * BigInt(left)) / (minutes * BigInt(charPrice)));
}

/** The price of a minute where a character costs `charPrice`: minutePrice · charPrice / referencePrice, as a fraction. */
const minuteWorth = ({
  minutePrice,
  referencePrice,
  charPrice,
}: MinutePrice & Pick<Tariff, 'charPrice'>): MinutesWorth => ({
  value: BigInt(minutePrice) * BigInt(charPrice),
  minutes: BigInt(referencePrice),
});

/** Converts a sub-account. It always bills by character, so only the prices of the channels matter (decisions §4). */
export const convertSub = (state: Convertible, from: Tariff, to: Tariff): Converted => ({
  charChange: exchange(state.charNum, from.charPrice, to.charPrice) - state.charNum,
  tranChannelId: to.tranChannelId,
});

/**
 * Converts the holds of translations under way: each rounded up, oldest first, limited by `charNum`, the converted balance. In time mode
 * characters are free, so nothing stays reserved.
 */
export function convertHolds(holds: readonly number[], from: Tariff, to: Tariff, charNum: number): number[] {
  let free = charNum;
  return holds.map((held) => {
    const converted = to.billingMode === 'time' ? 0 : Math.min(free, exchangeUp(held, from.charPrice, to.charPrice));
    free -= converted;
    return converted;
  });
}

/** The total worth of `minutes` (≥ 1), in micro-yuan. */
export type MinutesWorth = { value: bigint; minutes: bigint };

/**
 * An entry that changed the expiry of an account in time mode (times in ms). `package`: a package added, took back or returned minutes, at the
 * price of a minute where a character costs `charPrice`, when the package arrived at `since` (minutes from before time mode count at the price
 * of the first package). `channel`: another channel, which keeps the total worth; `prices` per character before and after, null if unknown.
 * `other`: any other change, which keeps the worth of each minute.
 */
export type LifeChange = { at: number; before: number | null; after: number | null } & (
  | { by: 'package'; price: MinutePrice & Pick<Tariff, 'charPrice'>; since: number }
  | { by: 'channel'; prices: readonly [before: number, after: number] | null }
  | { by: 'other' }
);

/**
 * The worth of an account's minutes after these changes, from the first package in time mode on (docs/decisions/0009): everything paid for
 * them, reduced in proportion to the time that has passed. Another channel changes their number, not their total worth. Rounds down. Null
 * before the first package.
 */
export function minutesWorth(changes: readonly LifeChange[]): MinutesWorth | null {
  const first = changes.findIndex(({ by }) => by === 'package');
  if (first === -1) return null;
  let [minutes, paid] = [0n, 0n];
  const lives = changes.slice(first);
  /** The factor by which each change of channel raised the worth of a minute. */
  const channels: { index: number; up: bigint; down: bigint }[] = [];
  const share = (part: bigint): bigint => (minutes === 0n ? 0n : (paid * part) / minutes);
  for (const [i, change] of lives.entries()) {
    const left = BigInt(minutesLeft(change.before, change.at));
    const after = BigInt(minutesLeft(change.after, change.at));
    if (change.by === 'package') {
      const isArrival = after >= left && change.at === change.since;
      const arrived = isArrival ? i : lives.findIndex(({ by, at }) => by === 'package' && at === change.since);
      const origin = arrived === -1 ? lives[0] : change;
      let { value, minutes: of } = minuteWorth((origin?.by === 'package' ? origin : change).price);
      // Minutes from before the first package were just converted at its price.
      const had = i === 0 ? (left * value) / of : share(left);
      // Later changes of channel have changed the worth of each minute.
      for (const through of channels.filter(({ index }) => index > arrived))
        [value, of] = [value * through.up, of * through.down];
      if (after >= left) paid = had + (of === 0n ? 0n : ((after - left) * value) / of);
      // Rounds up what is taken back.
      else paid = of === 0n ? 0n : atLeast0(had - ((left - after) * value + of - 1n) / of);
    } else {
      if (change.by === 'channel') {
        // By the prices, not by the minutes: with few minutes the rounding error would be too large.
        const [down, up] = change.prices ?? [after, left];
        channels.push({ index: i, up: BigInt(up), down: BigInt(down) });
      }
      paid = share(change.by === 'channel' ? left : after);
    }
    minutes = after;
  }
  return minutes === 0n ? { value: 0n, minutes: 1n } : { value: paid, minutes };
}

const atLeast0 = (n: bigint): bigint => (n < 0n ? 0n : n);

/** A purchase of a package: the snapshot of the order. Quantities per unit. */
export type Purchase = {
  memberGroupId: number;
  billingMode: BillingMode;
  /** Characters, or minutes for a time package: where a character costs `referencePrice`. */
  num: number;
  /** Micro-yuan of one character through the package's reference channel, an integer ≥ 1. */
  referencePrice: number;
  voiceNum: number;
  imageNum: number;
  /** 1–999 */
  quantity: number;
};

/**
 * The characters or minutes credited where a character costs `charPrice`: floor(num · quantity · referencePrice / charPrice), so that a
 * package is worth the same on every channel (decisions §4). Used by the order card, the recharge and the audit.
 */
export const credited = (
  { num, quantity, referencePrice }: Pick<Purchase, 'num' | 'quantity' | 'referencePrice'>,
  charPrice: number,
): number => exchange(num * quantity, referencePrice, charPrice);

/** The changes by a purchase, once the account is on the package's tariff (decisions §4). */
export function purchased(
  purchase: Purchase,
  { expireAt, charPrice }: Pick<AccountState, 'expireAt'> & Pick<Tariff, 'charPrice'>,
  now: number,
): Converted {
  const { quantity } = purchase;
  const from = Math.max(now, expireAt ?? now);
  const gifts = { voiceChange: purchase.voiceNum * quantity, imageChange: purchase.imageNum * quantity };
  const arrived = credited(purchase, charPrice);
  if (purchase.billingMode === 'time')
    return { ...gifts, minChange: arrived, expireAt: from + arrived * MINUTE_MS, billingMode: 'time' };
  return { ...gifts, charChange: arrived, expireAt: from + PACKAGE_DAYS * DAY_MS * quantity, billingMode: 'char' };
}
