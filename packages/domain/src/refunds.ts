/**
 * The unused part of a paid order and its refund (docs/decisions/0043). Units: characters or minutes, amounts in fen, prices in micro-yuan per
 * character, times in milliseconds since 1970.
 */
import { exchange, exchangeUp, minutesLeft } from './conversion.js';
import type { AccountState, Entry, Movement } from './ledger.js';
import { MINUTE_MS } from './limits.js';

/** An entry of a main account other than a charge. Oldest first, beginning with the recharge of the order. */
export type PoolEntry = Pick<Entry, 'type' | 'orderId' | 'createdAt'> & {
  before: PoolState;
  last: PoolState;
  /** For a conversion: the prices of a character through the channels of `before` and `last` at the time, integers ≥ 1. */
  prices: readonly [before: number, last: number] | null;
};
export type PoolState = Pick<AccountState, 'charNum' | 'expireAt' | 'billingMode'>;

/** `worth`: the total price of a time package's minutes, in micro-yuan; ignored for other packages. */
export type PaidOrder = { id: number; worth: number };

/**
 * An order in the units of its purchase: `bought` in all, still `unused`, and `takenBack` by earlier refunds; `unused + takenBack <= bought`.
 * `there`: the unused part in the account's current units.
 */
export type Unused = { bought: number; unused: number; takenBack: number; there: number };

/** Characters, or whole minutes left. */
const poolOf = ({ billingMode, charNum, expireAt }: PoolState, at: number): number =>
  billingMode === 'time' ? minutesLeft(expireAt, at) : charNum;

export type Returned = { kind: 'chars' | 'minutes'; units: number };
type Now = { state: PoolState; held: number; now: number };

/**
 * Follows an order through the entries of its account. The oldest quota is used first, so of several orders the last one can be refunded whole
 * first. Quota given to sub-accounts counts as used until it is taken back, newest first. A conversion keeps the worth of each part, rounded
 * down. `held`: characters reserved by translations under way. Nothing is unused after the account's expiry, or after the period that a
 * package by character added. Throws without entries.
 */
export function unusedOf(order: PaidOrder, entries: readonly PoolEntry[], { state, held, now }: Now): Unused {
  const pool = followed(order, entries, { state, now });
  if (state.billingMode === 'char') pool.settle(Math.max(0, pool.total - held));
  const { bought, takenBack, mine } = pool;
  const isOver = (expireAt: number | null): boolean => (expireAt ?? 0) <= now;
  const over =
    state.billingMode === 'char' &&
    (isOver(state.expireAt) || (entries[0]?.last.billingMode === 'char' && isOver(entries[0].last.expireAt)));
  return over
    ? { bought, unused: 0, takenBack, there: 0 }
    : { bought, unused: mine.bought, takenBack, there: mine.units };
}

/** The quota that the last refund of the order took, at equal value in the account's current units. */
export function lastTakenOf(order: PaidOrder, entries: readonly PoolEntry[], now: Omit<Now, 'held'>): Returned {
  return followed(order, entries, now).taken.at(-1) ?? { kind: 'chars', units: 0 };
}

function followed(
  { id, worth }: PaidOrder,
  [recharge, ...entries]: readonly PoolEntry[],
  { state, now }: Omit<Now, 'held'>,
): Pool {
  if (!recharge) throw new Error('an order without its recharge');
  const { billingMode, charNum } = recharge.last;
  const older = poolOf({ ...recharge.before, billingMode }, recharge.createdAt);
  const mine = poolOf(recharge.last, recharge.createdAt) - older;
  const pool = new Pool(older, mine);
  if (billingMode === 'time') pool.enterWith(charNum, worth);
  const later = new Set<number>();
  for (const entry of entries) {
    pool.settle(poolOf(entry.before, entry.createdAt));
    pool.spare?.settle(entry.before.charNum);
    const after = poolOf(entry.last, entry.createdAt);
    if (entry.type === 'MATRIX' || entry.type === 'SYS_MATRIX') {
      pool.convert(entry, after);
      continue;
    }
    if (entry.type === 'DISTRIBUTION' || entry.type === 'RECOVERY') pool.lendUntil(entry.last.charNum);
    else if (entry.type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' && entry.orderId !== null) later.add(entry.orderId);
    else if (entry.type === 'SYS_ADJUST' && entry.orderId === id) pool.takeBack(after, entry.last.charNum);
    else if (entry.type === 'SYS_ADJUST' && entry.orderId !== null && later.has(entry.orderId))
      pool.newer = Math.max(0, pool.newer + after - pool.total);
    pool.settle(after);
    pool.spare?.settle(entry.last.charNum);
  }
  pool.settle(poolOf(state, now));
  return pool;
}

/** The remaining part of the order: `units` now, `bought` in units of the purchase, and the worth of minutes. */
class Mine {
  value = 0n;

  constructor(
    public units: number,
    public bought = units,
  ) {}

  /** Removes and returns a part of `units`. */
  split(units: number): Mine {
    const left = this.units - units;
    const part = new Mine(units, this.bought - exchange(this.bought, left, Math.max(1, this.units)));
    part.value = this.units === 0 ? 0n : this.value - (this.value * BigInt(left)) / BigInt(this.units);
    this.units = left;
    this.bought -= part.bought;
    this.value -= part.value;
    return part;
  }

  join(part: Mine): void {
    this.units += part.units;
    this.bought += part.bought;
    this.value += part.value;
  }

  /** Sets the units; without any, nothing of the purchase is left. */
  become(units: number): void {
    if (units === 0) this.bought = 0;
    this.units = units;
  }
}

/** Quota by age: older than the order, of the order, newer than it. */
class Quota {
  newer = 0;
  mine: Mine;

  constructor(
    public older = 0,
    mine = 0,
  ) {
    this.mine = new Mine(mine);
  }

  get total(): number {
    return this.older + this.mine.units + this.newer;
  }

  /** Adjusts the parts to `total`: a deficit was used, oldest first; a surplus came after the order. */
  settle(total: number): void {
    const missing = this.total - total;
    if (missing < 0) this.newer -= missing;
    else this.#spend(missing);
  }

  #spend(amount: number): Quota {
    const spent = new Quota();
    spent.older = Math.min(this.older, amount);
    spent.mine = this.mine.split(Math.min(this.mine.units, amount - spent.older));
    spent.newer = Math.min(this.newer, amount - spent.older - spent.mine.units);
    this.older -= spent.older;
    this.newer -= spent.newer;
    return spent;
  }

  /** The oldest quota goes to sub-accounts, which also use the oldest first: what comes back (`amount` < 0) is the newest of it. */
  lend(amount: number, lent: Quota): void {
    if (amount >= 0) return lent.join(this.#spend(amount));
    const newer = Math.min(-amount, lent.newer);
    const mine = lent.mine.split(Math.min(-amount - newer, lent.mine.units));
    const older = Math.min(-amount - newer - mine.units, lent.older);
    lent.newer -= newer;
    lent.older -= older;
    this.older += older;
    this.mine.join(mine);
    // Any excess came to the sub-accounts from elsewhere.
    this.newer += -amount - mine.units - older;
  }

  /** Characters through another channel. */
  exchange(from: number, to: number): void {
    this.older = exchange(this.older, from, to);
    this.mine.become(exchange(this.mine.units, from, to));
    this.newer = exchange(this.newer, from, to);
  }

  join({ older, mine, newer }: Quota): void {
    this.older += older;
    this.mine.join(mine);
    this.newer += newer;
  }
}

/** The quota that refunds took. */
type Taken = Returned & { part: Mine };

class Pool extends Quota {
  readonly bought: number;
  /** Characters of an account in time mode. */
  spare: Quota | null = null;
  readonly taken: Taken[] = [];
  #lent = new Quota();

  constructor(older: number, mine: number) {
    super(older, mine);
    this.bought = mine;
  }

  get takenBack(): number {
    return this.taken.reduce((sum, { part }) => sum + part.bought, 0);
  }

  /** The order adds minutes of this worth to an account with `charNum` characters. */
  enterWith(charNum: number, worth: number): void {
    this.spare = new Quota(charNum);
    this.mine.value = BigInt(worth);
  }

  /** Moves characters to or from sub-accounts until the account has `charNum`. */
  lendUntil(charNum: number): void {
    const from = this.spare ?? this;
    from.lend(from.total - charNum, this.#lent);
  }

  /** Takes back for a refund until `after` is left; if there is more than before, the last refund was refused. */
  takeBack(after: number, charNum: number): void {
    const amount = this.total - after;
    if (amount > 0) {
      const part = this.mine.split(Math.min(amount, this.mine.units));
      this.taken.push({ kind: this.spare ? 'minutes' : 'chars', units: part.units, part });
      return;
    }
    const chars = this.spare ? charNum - this.spare.total : 0;
    const last = amount < 0 || chars > 0 ? this.taken.pop() : undefined;
    if (!last) return;
    last.part.become(chars > 0 ? chars : -amount);
    (chars > 0 && this.spare ? this.spare : this).mine.join(last.part);
  }

  /** By the prices, because the totals of few units would round too much. */
  convert({ before, last, prices }: PoolEntry, after: number): void {
    const [from, to] = prices ?? [1, 1];
    this.#lent.exchange(from, to);
    this.spare?.exchange(from, to);
    for (const taken of this.taken) {
      if (taken.kind === 'minutes' && last.billingMode === 'char') {
        taken.units = Number(taken.part.value / BigInt(to));
        taken.kind = 'chars';
      } else taken.units = exchange(taken.units, from, to);
    }
    if (before.billingMode === last.billingMode) this.exchange(from, to);
    else if (last.billingMode === 'time') this.#enter(from, after);
    else this.#leave(to, after);
    this.settle(after);
    this.spare?.settle(last.charNum);
  }

  #enter(price: number, minutes: number): void {
    const chars = Math.max(1, this.total);
    this.mine.value = BigInt(this.mine.units) * BigInt(price);
    this.older = exchange(this.older, minutes, chars);
    this.mine.become(exchange(this.mine.units, minutes, chars));
    this.newer = exchange(this.newer, minutes, chars);
    this.spare = new Quota();
  }

  /** Minutes of several prices are converted together; the order gets the worth of its own. */
  #leave(price: number, chars: number): void {
    const spare = this.spare ?? new Quota();
    const paid = Math.max(0, chars - spare.total);
    const mine = Math.min(paid, Number(this.mine.value / BigInt(price)));
    const others = Math.max(1, this.older + this.newer);
    this.older = exchange(paid - mine, this.older, others);
    this.newer = paid - mine - this.older;
    this.mine.become(mine);
    this.mine.value = 0n;
    this.join(spare);
    this.spare = null;
  }
}

/** The extras of an order: gifts, and the time in ms that it added to the expiry of characters. */
export type Extras = { voiceNum: number; imageNum: number; life: number };

/**
 * The movement that takes back `taken` of an order: the same share of its gifts, as far as they are left, and of the time of a package by
 * character.
 */
export function takenFrom(
  { state, held }: { state: AccountState; held: { voiceNum: number; imageNum: number } },
  { extras, taken, of, now }: { extras: Extras; taken: { bought: number; units: number }; of: number; now: number },
): Omit<Movement, 'type'> {
  const part = (n: number): number => (of > 0 ? exchange(n, taken.bought, of) : 0);
  const gift = (given: number, there: number): number => 0 - Math.min(part(given), Math.max(0, there));
  const expireAt = state.expireAt ?? now;
  const isTime = state.billingMode === 'time';
  const life = isTime ? taken.units * MINUTE_MS : part(extras.life);
  return {
    voiceChange: gift(extras.voiceNum, state.voiceNum - held.voiceNum),
    imageChange: gift(extras.imageNum, state.imageNum - held.imageNum),
    ...(isTime ? { minChange: 0 - taken.units } : { charChange: 0 - taken.units }),
    expireAt: Math.max(1, expireAt - life),
  };
}

/** The unused quota to take back for money that was refunded already: its share of the purchase, rounded up, or the rest at the end. */
export function takenForMoney(
  { bought, unused, takenBack, there }: Unused,
  { amount, paid, isWhole }: { amount: number; paid: number; isWhole: boolean },
): { due: number; bought: number; units: number } {
  const due = isWhole ? bought - takenBack : exchangeUp(bought, amount, paid);
  const taken = Math.min(due, unused);
  return { due, bought: taken, units: unused === 0 ? 0 : exchangeUp(there, taken, unused) };
}

/**
 * The refund of the unused part in fen: floor(amount × unused ÷ bought), or the remaining money if nothing of the order is left. Together with
 * earlier refunds, also those of the gateway, never more than the share of the quota taken back.
 */
export function refundAmount(
  { bought, unused, takenBack }: Omit<Unused, 'there'>,
  paid: { amount: number; refunded: number },
): number {
  const rest = paid.amount - paid.refunded;
  if (bought <= 0 || unused <= 0) return 0;
  if (unused + takenBack >= bought) return rest;
  const due = exchange(paid.amount, unused + takenBack, bought) - paid.refunded;
  return Math.max(0, Math.min(due, exchange(paid.amount, unused, bought)));
}
