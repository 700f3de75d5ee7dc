/** An account replayed under a price list (operators §8): each entry's effect is computed again, from what caused it. */
import {
  convertMain,
  convertSub,
  exchange,
  exchangeUp,
  type LifeChange,
  minutesWorth,
  purchased,
  type Tariff,
} from './conversion.js';
import type { Entry, Quota } from './ledger.js';
import { DAY_MS, PACKAGE_DAYS, SALES_NUM_MAX } from './limits.js';
import { TRIAL_GROUP_ID } from './plans.js';
import type { TariffBook, Terms } from './what-if.js';

/** An order: the terms that it copied, and how many units. */
export type Ordered = { readonly terms: Terms; readonly quantity: number };

/** What an entry changes. `expireAt`: the expiry afterwards, ms; `amount`: fen. */
export type Effect = {
  charChange: number;
  minChange: number;
  voiceChange: number;
  imageChange: number;
  amount: number;
  expireAt: number | null;
};

/**
 * What an entry depends on besides itself. `order`: of the entry; `purchase`: the recharge that follows a conversion; `left`: what a deleted
 * sub-account held.
 */
export type Context = {
  readonly order?: Ordered | undefined;
  readonly purchase?: { readonly entry: Entry; readonly order?: Ordered | undefined } | undefined;
  readonly left?: Quota | undefined;
};

type Sums = Pick<Effect, 'charChange' | 'minChange' | 'amount'>;
/** An order's recharge: as it was written, and under this price list. */
type Credited = { at: number; tranChannelId: number; terms: Terms; was: Sums; is: Sums };

const NOTHING: Omit<Effect, 'expireAt'> = { charChange: 0, minChange: 0, voiceChange: 0, imageChange: 0, amount: 0 };

/** Balances may fall below zero: then the member would have run dry. */
export class AccountReplay {
  charNum: number;
  voiceNum: number;
  imageNum: number;
  expireAt: number | null;
  /** The changes of the expiry in time mode; null if one of them has no price. */
  #lives: LifeChange[] | null = [];
  #credited = new Map<number, Credited>();

  /** The state before `first`. `before`: a replay of what led there, if the account was in time mode. */
  constructor(
    readonly book: TariffBook,
    first: Entry,
    before?: AccountReplay,
  ) {
    this.charNum = first.beforeCharNum;
    this.voiceNum = first.beforeVoiceNum;
    this.imageNum = first.beforeImageNum;
    this.expireAt = first.beforeExpireAt;
    if (!before) return;
    this.#lives = before.#lives && [...before.#lives];
    this.#credited = new Map(before.#credited);
  }

  /**
   * Applies an entry that is no consumption and returns its effect. An entry whose prices or order are unknown changes what it changed;
   * `known` is false then.
   */
  follow(entry: Entry, context: Context = {}): { effect: Effect; known: boolean } {
    const found = this.#effectOf(entry, context);
    const effect = found ?? this.#recorded(entry);
    const before = this.expireAt;
    this.charNum += effect.charChange;
    this.voiceNum += effect.voiceChange;
    this.imageNum += effect.imageChange;
    this.expireAt = effect.expireAt;
    this.#noteOrder(entry, context, effect);
    if (entry.userId === entry.familyId) this.#noteLife(entry, before, context);
    return { effect, known: found !== null };
  }

  /** Sets the state to what is recorded after an entry. */
  restore(entry: Entry): void {
    this.charNum = entry.lastCharNum;
    this.voiceNum = entry.lastVoiceNum;
    this.imageNum = entry.lastImageNum;
    this.expireAt = entry.lastExpireAt;
  }

  #effectOf(entry: Entry, context: Context): Effect | null {
    switch (entry.type) {
      case 'RECHARGE_ORDER_BY_MEMBER_GROUP':
        return this.#recharge(entry, context.order);
      case 'MATRIX':
      case 'SYS_MATRIX':
        return this.#conversion(entry, context.purchase);
      case 'RECOVERY':
        return this.#recovery(entry, context.left);
      case 'SYS_ADJUST':
        return this.#adjustment(entry);
      case 'OTHER':
        return this.#opening(entry);
      default:
        return this.#recorded(entry);
    }
  }

  /** The changes as they were; the expiry moves as far as it did. */
  #recorded(entry: Entry): Effect {
    const { charChange, minChange, voiceChange, imageChange, amount, beforeExpireAt, lastExpireAt } = entry;
    const moved = lastExpireAt !== beforeExpireAt;
    const by = moved && lastExpireAt !== null && beforeExpireAt !== null ? lastExpireAt - beforeExpireAt : null;
    const expireAt = !moved ? this.expireAt : by === null || this.expireAt === null ? lastExpireAt : this.expireAt + by;
    return { charChange, minChange, voiceChange, imageChange, amount, expireAt };
  }

  #recharge(entry: Entry, order: Ordered | undefined): Effect | null {
    if (entry.orderId !== null && !order) return null;
    const { createdAt: at, lastTranChannelId } = entry;
    const charPrice = this.book.price(lastTranChannelId ?? 0, at);
    const terms = order ? this.book.terms(order.terms) : this.book.granted(entry.memberGroupId ?? 0, at);
    if (!terms) return null;
    const quantity = order?.quantity ?? this.#unitsGranted(entry);
    const { expireAt = this.expireAt, ...effect } = purchased(
      { ...terms, quantity },
      { expireAt: this.expireAt, charPrice },
      at,
    );
    return { ...NOTHING, ...effect, amount: order ? terms.salePrice * quantity : 0, expireAt };
  }

  /** Follows from what the grant really added, under the plan as it really was. */
  #unitsGranted(entry: Entry): number {
    const terms = this.book.original.granted(entry.memberGroupId ?? 0, entry.createdAt);
    if (!terms) return 1;
    const price = this.book.original.price(entry.lastTranChannelId ?? 0, entry.createdAt);
    const life = (entry.lastExpireAt ?? 0) - Math.max(entry.createdAt, entry.beforeExpireAt ?? 0);
    const units =
      terms.billingMode === 'time'
        ? exchangeUp(entry.minChange, price, Math.max(1, terms.num * terms.referencePrice))
        : Math.round(life / (PACKAGE_DAYS * DAY_MS));
    return Math.min(SALES_NUM_MAX, Math.max(1, units));
  }

  #conversion(entry: Entry, purchase: Context['purchase']): Effect | null {
    const { createdAt: at, lastTranChannelId } = entry;
    const before = entry.beforeTranChannelId ?? lastTranChannelId;
    if (before === null || lastTranChannelId === null) return null;
    const from = this.#tariff(before, entry.beforeBillingMode, at);
    const to = this.#tariff(lastTranChannelId, entry.lastBillingMode, at);
    if (entry.userId !== entry.familyId)
      return { ...NOTHING, ...changes(convertSub(this, from, to)), expireAt: this.expireAt };
    if (from.billingMode === 'time' && to.billingMode === 'char') {
      const worth = this.#lives && minutesWorth(this.#lives);
      if (!worth) return null;
      from.worth = worth;
    }
    if (from.billingMode === 'char' && to.billingMode === 'time') {
      const terms = purchase && this.#termsOf(purchase.entry, purchase.order);
      if (!terms) return null;
      Object.assign(to, { minutePrice: terms.minutePrice, referencePrice: terms.referencePrice });
    }
    const { expireAt = this.expireAt, ...effect } = convertMain(this, from, to, at);
    return { ...NOTHING, ...changes(effect), expireAt };
  }

  #tariff(tranChannelId: number, billingMode: Tariff['billingMode'], at: number): Tariff {
    const charPrice = this.book.price(tranChannelId, at);
    return { billingMode, tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
  }

  #termsOf({ orderId, memberGroupId, createdAt }: Entry, order: Ordered | undefined): Terms | null {
    if (order) return this.book.terms(order.terms);
    return orderId === null ? this.book.granted(memberGroupId ?? 0, createdAt) : null;
  }

  /** Everything goes back to the main account. */
  #recovery(entry: Entry, left: Quota | undefined): Effect {
    const { expireAt } = this;
    if (entry.userId === entry.familyId) {
      if (!left) return this.#recorded(entry);
      return { ...NOTHING, charChange: left.charNum, voiceChange: left.voiceNum, imageChange: left.imageNum, expireAt };
    }
    const [charChange, voiceChange, imageChange] = [0 - this.charNum, 0 - this.voiceNum, 0 - this.imageNum];
    return { ...NOTHING, charChange, voiceChange, imageChange, expireAt };
  }

  /** As it was; of an order of this time a refund takes the same share of what it brought. */
  #adjustment(entry: Entry): Effect {
    const effect = this.#recorded(entry);
    const credited = entry.orderId === null ? undefined : this.#credited.get(entry.orderId);
    if (!credited) return effect;
    const { was, is } = credited;
    const minChange = shareOf(entry.minChange, is.minChange, was.minChange);
    const more = minChange - entry.minChange;
    return {
      ...effect,
      charChange: shareOf(entry.charChange, is.charChange, was.charChange),
      minChange,
      amount: shareOf(entry.amount, is.amount, was.amount),
      expireAt: effect.expireAt === null ? null : effect.expireAt + more * 60_000,
    };
  }

  /** The trial of a new member, if its mailbox had none before. */
  #opening(entry: Entry): Effect {
    const effect = this.#recorded(entry);
    const change = this.book.changeOf(TRIAL_GROUP_ID);
    if (entry.memberGroupId !== TRIAL_GROUP_ID || !change) return effect;
    if (entry.charChange + entry.voiceChange + entry.imageChange === 0) return effect;
    const { num = effect.charChange, voiceNum = effect.voiceChange, imageNum = effect.imageChange } = change;
    return { ...effect, charChange: num, voiceChange: voiceNum, imageChange: imageNum };
  }

  #noteOrder(entry: Entry, { order }: Context, is: Effect): void {
    if (entry.type !== 'RECHARGE_ORDER_BY_MEMBER_GROUP' || entry.orderId === null || !order) return;
    const { createdAt: at, lastTranChannelId, charChange, minChange, amount } = entry;
    const terms = this.book.terms(order.terms);
    const was = { charChange, minChange, amount };
    this.#credited.set(entry.orderId, { at, tranChannelId: lastTranChannelId ?? 0, terms, was, is });
  }

  /** Keeps what the worth of the minutes depends on (docs/decisions/0009). */
  #noteLife(entry: Entry, before: number | null, context: Context): void {
    if (entry.lastBillingMode === 'char' || entry.beforeBillingMode === 'char') {
      this.#lives = [];
      return;
    }
    if (before === this.expireAt && entry.beforeTranChannelId === entry.lastTranChannelId) return;
    const change = this.#lifeChange(entry, context);
    if (change) this.#lives?.push({ at: entry.createdAt, before, after: this.expireAt, ...change });
    else this.#lives = null;
  }

  #lifeChange(entry: Entry, { order }: Context): LifeBy | null {
    const { type, orderId, memberGroupId, createdAt: at } = entry;
    if (memberGroupId === null && (type === 'SYS_MATRIX' || type === 'MATRIX')) {
      const [before, after] = [entry.beforeTranChannelId, entry.lastTranChannelId];
      const known = before !== null && after !== null;
      return { by: 'channel', prices: known ? [this.book.price(before, at), this.book.price(after, at)] : null };
    }
    if (memberGroupId === null) return { by: 'other' };
    const credited = orderId === null ? undefined : this.#credited.get(orderId);
    const since = credited?.at ?? at;
    const terms = credited?.terms ?? this.#termsOf(entry, order);
    if (!terms) return null;
    const { minutePrice, referencePrice } = terms;
    const charPrice = this.book.price(credited?.tranChannelId ?? entry.lastTranChannelId ?? 0, since);
    return { by: 'package', since, price: { minutePrice, referencePrice, charPrice } };
  }
}

type LifeBy = LifeChange extends infer L ? (L extends LifeChange ? Omit<L, 'at' | 'before' | 'after'> : never) : never;

const changes = ({ charChange = 0, minChange = 0 }: { charChange?: number; minChange?: number }) => ({
  charChange,
  minChange,
});

/** The share of `is` that `change` is of `was`, towards zero. */
function shareOf(change: number, is: number, was: number): number {
  if (is === was || was === 0 || change === 0) return change;
  const part = exchange(Math.abs(change), Math.abs(is), Math.abs(was));
  return change < 0 ? 0 - part : part;
}
