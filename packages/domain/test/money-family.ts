/** A family that buys, changes, shares, uses and refunds, and how much it may be worth: for money-paths.spec.ts. */
import { expect } from '@jest/globals';
import { CHANNEL_CODES, CHANNELS } from '../src/channels.js';
import {
  convertMain,
  convertSub,
  isSameTariff,
  minutesLeft,
  minutesWorth,
  purchased,
  type Convertible,
  type LifeChange,
  type Tariff,
} from '../src/conversion.js';
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from '../src/limits.js';
import { emptyAccount, type EntryType } from '../src/ledger.js';
import type { BillingMode } from '../src/plans.js';
import {
  lastTakenOf,
  refundAmount,
  takenForMoney,
  takenFrom,
  unusedOf,
  type PoolEntry,
  type PoolState,
  type Unused,
} from '../src/refunds.js';

const NOW = 1_700_000_000_000;

/** `salePrice`: fen of one. */
export type Plan = {
  salePrice: number;
  billingMode: BillingMode;
  num: number;
  minutePrice: number;
  tranChannelId: number | null;
  reference: number;
};
/** What an order copies. */
export type Order = Plan & { quantity: number; referencePrice: number };
/** An order that arrived: `worth` in micro-yuan times 2⁴⁰, as prices have changed it since; amounts in fen. */
type Paid = Order & {
  id: number;
  at: number;
  since: number;
  charPrice: number;
  worth: bigint;
  refunded: number;
  pending: number;
  endedTime: boolean;
};
const FINE = 1n << 40n;
type Prices = Map<number, number>;

export const seededPrices = (): Prices =>
  new Map(CHANNEL_CODES.map((code) => [CHANNELS[code].id, CHANNELS[code].price]));

/** A family as its accounts and entries have it, and what it may be worth in micro-yuan. */
export class Family {
  main: Convertible = { charNum: 0, expireAt: null };
  readonly subs = [0, 0];
  mode: BillingMode = 'char';
  lives: LifeChange[] = [];
  /** The worth of all that was bought and given, as prices have changed it since. */
  budget = 0n;
  /** The same of minutes alone, by what passes through their channel in them: minutes · price of a character. */
  timeBudget = 0n;
  /** What conversions and refunds may have rounded. */
  rounded = 0n;
  readonly paid: Paid[] = [];
  readonly #entries: PoolEntry[] = [];

  constructor(
    readonly prices: Prices,
    public channel: number,
    public now = NOW,
  ) {}

  price(channel = this.channel): number {
    const price = this.prices.get(channel);
    if (price === undefined) throw new Error(`channel ${channel} has no price`);
    return price;
  }

  get left(): number {
    return this.mode === 'time' ? minutesLeft(this.main.expireAt, this.now) : 0;
  }

  give(chars: number): void {
    this.main = { ...this.main, charNum: this.main.charNum + chars };
    this.budget += BigInt(chars) * BigInt(this.price());
  }

  order(plan: Plan, quantity: number): Order {
    return { ...plan, quantity, referencePrice: this.price(plan.reference) };
  }

  pay(order: Order): void {
    const { billingMode, minutePrice, referencePrice, num, quantity } = order;
    const channel = order.tranChannelId ?? this.channel;
    const charPrice = this.price(channel);
    const to: Tariff = { billingMode, tranChannelId: channel, charPrice, minutePrice, referencePrice };
    const units = BigInt(num) * BigInt(quantity);
    const endedTime = this.mode === 'time' && billingMode === 'char';
    if (!isSameTariff(this.#tariff(), to)) this.#convert(to);
    const [before, state] = [this.main.expireAt, this.#state];
    const purchase = { ...order, memberGroupId: 2, voiceNum: 0, imageNum: 0 };
    const { charChange = 0, expireAt = null } = purchased(purchase, { expireAt: before, charPrice }, this.now);
    this.main = { charNum: this.main.charNum + charChange, expireAt };
    const worth = units * BigInt(billingMode === 'char' ? referencePrice : minutePrice);
    this.budget += worth;
    const id = this.paid.length + 1;
    const [at, since] = [this.#entries.length, this.now];
    this.paid.push({ ...order, id, at, since, charPrice, worth: worth * FINE, refunded: 0, pending: 0, endedTime });
    this.#log('RECHARGE_ORDER_BY_MEMBER_GROUP', state, id);
    if (billingMode === 'char') return;
    this.timeBudget += units * BigInt(referencePrice);
    this.lives.push({ by: 'package', price: to, since: this.now, at: this.now, before, after: expireAt });
  }

  change(channel: number): void {
    if (channel === this.channel) return;
    this.#convert({ ...this.#tariff(), tranChannelId: channel, charPrice: this.price(channel) });
  }

  share(sub: number, share: number): void {
    const change = share >= 0 ? Math.floor(this.main.charNum * share) : -Math.floor((this.subs[sub] ?? 0) * -share);
    const before = this.#state;
    this.main = { ...this.main, charNum: this.main.charNum - change };
    this.#log('DISTRIBUTION', before, null);
    this.subs[sub] = (this.subs[sub] ?? 0) + change;
  }

  /** In time mode characters cost the main account nothing. */
  use(sub: number | null, share: number): void {
    const has = sub === null ? this.main.charNum : (this.subs[sub] ?? 0);
    const used = sub === null && this.mode === 'time' ? 0 : Math.floor(has * share);
    if (sub === null) this.main = { ...this.main, charNum: has - used };
    else this.subs[sub] = has - used;
    this.budget -= BigInt(used) * BigInt(this.price());
  }

  /** All that is unused; `pending`: the gateway has not answered. Money of before: as the gateway's own pages gave it back. */
  refund(which: number, { money, pending }: { money: number | null; pending: boolean }): void {
    const order = this.paid[which % Math.max(1, this.paid.length)];
    if (!order || order.pending > 0) return;
    const unused = unusedOf(this.#asPaid(order), this.#entries.slice(order.at), this.#now);
    const paid = { amount: order.salePrice * order.quantity, refunded: order.refunded };
    let amount = refundAmount(unused, paid);
    let taken = { bought: unused.unused, units: unused.there };
    if (money !== null) {
      amount = Math.floor((paid.amount - paid.refunded) * money);
      const isWhole = amount === paid.amount - paid.refunded;
      const { due, ...part } = takenForMoney(unused, { amount, paid: paid.amount, isWhole });
      // What was used, and is given back all the same, is a gift of whoever gave it back.
      if (due > part.bought) return;
      taken = part;
    }
    if (amount < 1) return;
    this.#take(order, unused, taken);
    order.refunded += amount;
    if (pending) order.pending = amount;
    this.budget -= this.#worthOf(order, amount);
  }

  /** The gateway kept the money of what is pending. */
  refuse(which: number): void {
    const order = this.paid[which % Math.max(1, this.paid.length)];
    if (!order || order.pending === 0) return;
    const { kind, units } = lastTakenOf(this.#asPaid(order), this.#entries.slice(order.at), this.#now);
    const before = this.#state;
    const { charNum, expireAt } = this.main;
    this.main =
      kind === 'chars'
        ? { charNum: charNum + units, expireAt }
        : { charNum, expireAt: (expireAt ?? this.now) + units * MINUTE_MS };
    this.budget += this.#worthOf(order, order.pending);
    if (kind === 'minutes') this.timeBudget += BigInt(units) * BigInt(this.price());
    this.#log('SYS_ADJUST', before, order.id);
    this.#liveOn(order, before.expireAt);
    order.refunded -= order.pending;
    order.pending = 0;
  }

  answer(which: number): void {
    const order = this.paid[which % Math.max(1, this.paid.length)];
    if (order) order.pending = 0;
  }

  #take(order: Paid, { bought }: Unused, taken: { bought: number; units: number }): void {
    const before = this.#state;
    const life = order.billingMode === 'char' && !order.endedTime ? PACKAGE_DAYS * DAY_MS * order.quantity : 0;
    const account = { state: { ...emptyAccount(), ...before }, held: { voiceNum: 0, imageNum: 0 } };
    const extras = { voiceNum: 0, imageNum: 0, life };
    const moved = takenFrom(account, { extras, taken, of: bought, now: this.now });
    this.main = { charNum: this.main.charNum + (moved.charChange ?? 0), expireAt: moved.expireAt ?? null };
    expect(this.main.charNum).toBeGreaterThanOrEqual(0);
    this.timeBudget += BigInt(moved.minChange ?? 0) * BigInt(this.price());
    this.#log('SYS_ADJUST', before, order.id);
    this.#liveOn(order, before.expireAt);
  }

  #liveOn(order: Paid, before: number | null): void {
    if (this.mode === 'char' || before === this.main.expireAt) return;
    const { since, minutePrice, referencePrice, charPrice } = order;
    const price = { minutePrice, referencePrice, charPrice };
    this.lives.push({ by: 'package', price, since, at: this.now, before, after: this.main.expireAt });
    this.#round(0);
  }

  /** A unit: a character, or a minute. */
  #round(charPrice: number): void {
    const { value, minutes } = this.mode === 'time' ? (minutesWorth(this.lives) ?? NONE) : NONE;
    this.rounded += BigInt(charPrice) + value / minutes + 1n;
  }

  #worthOf({ worth, salePrice, quantity }: Paid, amount: number): bigint {
    return (worth * BigInt(amount)) / BigInt(salePrice * quantity) / FINE;
  }

  #asPaid({ id, num, quantity, minutePrice }: Paid): { id: number; worth: number } {
    return { id, worth: num * quantity * minutePrice };
  }

  get #state(): PoolState {
    return { ...this.main, billingMode: this.mode };
  }

  get #now() {
    return { state: this.#state, held: 0, now: this.now };
  }

  #log(type: EntryType, before: PoolState, orderId: number | null, prices: PoolEntry['prices'] = null): void {
    this.#entries.push({ type, orderId, createdAt: this.now, before, last: this.#state, prices });
  }

  setPrice(channel: number, price: number): void {
    const change = BigInt(price - this.price(channel));
    if (channel === this.channel) {
      const chars = this.#chars();
      for (const order of this.paid) {
        const worth = (order.worth * BigInt(price)) / BigInt(this.price());
        // In time mode a part of it may be characters of sub-accounts: what it is worth at least.
        if (this.mode === 'char' || (chars > 0 && worth < order.worth)) order.worth = worth;
      }
      this.budget += BigInt(this.#chars()) * change;
      this.timeBudget += BigInt(this.left) * change;
    }
    this.prices.set(channel, price);
  }

  pass(ms: number): void {
    const before = this.left;
    this.now += ms;
    this.timeBudget -= BigInt(before - this.left) * BigInt(this.price());
  }

  /** To the micro-yuan, and also when it leaves time mode now for any channel. */
  expectNoGain(): void {
    const chars = BigInt(this.#chars()) * BigInt(this.price());
    const { value, minutes } = this.mode === 'time' ? (minutesWorth(this.lives) ?? NONE) : NONE;
    const most = this.budget + this.rounded;
    expect(chars * minutes + value * BigInt(this.left) <= most * minutes).toBe(true);
    if (this.mode === 'time') expect(BigInt(this.left) * BigInt(this.price()) <= this.timeBudget).toBe(true);
    for (const channel of this.prices.keys()) {
      const { charChange = 0 } = convertMain(this.main, this.#tariff(), this.#plain(channel), this.now);
      const subs = this.subs.map((charNum) => charNum + this.#subChange(charNum, channel));
      const total = BigInt(this.main.charNum + charChange) + BigInt(subs.reduce((sum, n) => sum + n, 0));
      expect(total * BigInt(this.price(channel)) <= most).toBe(true);
    }
  }

  #chars(): number {
    return this.subs.reduce((sum, n) => sum + n, this.main.charNum);
  }

  #plain(channel: number): Tariff {
    const charPrice = this.price(channel);
    return { billingMode: 'char', tranChannelId: channel, charPrice, minutePrice: 1, referencePrice: charPrice };
  }

  #subChange(charNum: number, channel: number): number {
    return convertSub({ charNum, expireAt: null }, this.#tariff(), this.#plain(channel)).charChange ?? 0;
  }

  #tariff(): Tariff {
    const worth = this.mode === 'time' ? minutesWorth(this.lives) : null;
    return { ...this.#plain(this.channel), billingMode: this.mode, ...(worth && { worth }) };
  }

  #convert(to: Tariff): void {
    const { main, mode } = this;
    const [before, prices] = [this.#state, [this.price(), this.price(to.tranChannelId)] as const];
    const { charChange = 0, expireAt = main.expireAt } = convertMain(main, this.#tariff(), to, this.now);
    if (to.tranChannelId !== this.channel)
      for (const [i, charNum] of this.subs.entries())
        this.subs[i] = charNum + this.#subChange(charNum, to.tranChannelId);
    if (mode === 'time' && to.billingMode === 'time')
      this.lives.push({ by: 'channel', prices, at: this.now, before: main.expireAt, after: expireAt });
    if (mode === 'char' && to.billingMode === 'time') {
      this.lives = [];
      // Characters pay for minutes at the package's price.
      const value = BigInt(main.charNum) * BigInt(this.price()) * BigInt(to.referencePrice);
      this.timeBudget = value / BigInt(to.minutePrice) + 1n;
    }
    this.main = { charNum: main.charNum + charChange, expireAt };
    this.mode = to.billingMode;
    this.channel = to.tranChannelId;
    this.#log('MATRIX', before, null, prices);
    if (this.paid.length > 0) this.#round(to.charPrice);
  }
}

const NONE = { value: 0n, minutes: 1n };
