/**
 * What quota becomes when its channel or its way of billing changes: equal value, rounded down, so that no cycle of changes ever
 * raises what an account is worth (decisions §4). The preview and the change itself call the same functions.
 */
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from './limits.js';
import type { AccountState, Movement } from './ledger.js';
import type { BillingMode } from './plans.js';

/**
 * What a minute of a time package costs: integers ≥ 1 in micro-yuan. `minutePrice` is its price where a character costs `referencePrice`;
 * where a character costs more the same money lasts for fewer minutes (decisions §4).
 */
export type MinutePrice = { minutePrice: number; referencePrice: number };

/** `charPrice`: micro-yuan of one character through the channel, an integer ≥ 1. The price of a minute counts in time mode alone. */
export type Tariff = MinutePrice & {
  billingMode: BillingMode;
  tranChannelId: number;
  charPrice: number;
  /** What the minutes of an account in time mode are worth, when its packages tell; else each costs the tariff's price. */
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

/** How many minutes of the tariff `to` so many characters at `charPrice` pay for. */
function minutesFor(charNum: number, charPrice: number, to: Tariff): number {
  const [value, minute] = [BigInt(charNum) * BigInt(charPrice), minuteWorth(to)];
  return Number((value * minute.minutes) / minute.value);
}

/** How many characters at `charPrice` so many minutes are paid out with. */
function charsFor(left: number, from: Tariff, charPrice: number): number {
  const { value, minutes } = from.worth ?? minuteWorth(from);
  return Number((value * BigInt(left)) / (minutes * BigInt(charPrice)));
}

/** A minute where a character costs `charPrice`: minutePrice · charPrice / referencePrice, as a fraction. */
const minuteWorth = ({
  minutePrice,
  referencePrice,
  charPrice,
}: MinutePrice & Pick<Tariff, 'charPrice'>): MinutesWorth => ({
  value: BigInt(minutePrice) * BigInt(charPrice),
  minutes: BigInt(referencePrice),
});

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
 * An entry that changed how long an account in time mode lives (times in ms): a package that brought minutes, was taken back or given
 * again, at the price of a minute where a character costs `charPrice`, as it was when the package arrived (`since`; before the account
 * entered time mode its minutes are those that the first package's price made of it); another channel, which keeps their worth and may
 * leave their time as it is; or anything else, which leaves each minute what it was worth. `prices`: of a character through the channel
 * before and after, at that moment; null when they are not on record.
 */
export type LifeChange = { at: number; before: number | null; after: number | null } & (
  | { by: 'package'; price: MinutePrice & Pick<Tariff, 'charPrice'>; since: number }
  | { by: 'channel'; prices: readonly [before: number, after: number] | null }
  | { by: 'other' }
);

/**
 * What the minutes of an account are worth after these changes, from the first package in time mode on (docs/decisions/0009): all that
 * was paid for them, less what has passed in proportion; another channel changes their number and not what they are worth together.
 * Rounded down wherever it does not come out even. Null before the first package.
 */
export function minutesWorth(changes: readonly LifeChange[]): MinutesWorth | null {
  const first = changes.findIndex(({ by }) => by === 'package');
  if (first === -1) return null;
  let [minutes, paid] = [0n, 0n];
  const lives = changes.slice(first);
  /** By what each minute became worth more. */
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
      // What was there before the first package was converted at its price, a moment ago.
      const had = i === 0 ? (left * value) / of : share(left);
      // Each minute is worth what other channels have made of it since.
      for (const through of channels.filter(({ index }) => index > arrived))
        [value, of] = [value * through.up, of * through.down];
      if (after >= left) paid = had + (of === 0n ? 0n : ((after - left) * value) / of);
      // What is taken back is rounded up.
      else paid = of === 0n ? 0n : atLeast0(had - ((left - after) * value + of - 1n) / of);
    } else {
      if (change.by === 'channel') {
        // Not by the minutes themselves: few of them round too much to tell what others are worth.
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

/** What is bought of a package: the order's snapshot. Numbers are those of one unit. */
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
 * Characters, or minutes, that arrive where a character costs `charPrice`: floor(num · quantity · referencePrice / charPrice), so that
 * a package is worth the same on every channel (decisions §4). The order card, the recharge and the audit call this.
 */
export const credited = (
  { num, quantity, referencePrice }: Pick<Purchase, 'num' | 'quantity' | 'referencePrice'>,
  charPrice: number,
): number => exchange(num * quantity, referencePrice, charPrice);

/** What buying adds, once the account is on the package's tariff: where a character costs `charPrice` (decisions §4). */
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
