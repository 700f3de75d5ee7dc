import { CHANNELS, DEFAULT_CHANNEL } from '@yiqiao/domain/channels';
import {
  convertMain,
  convertSub,
  exchangeUp,
  type LifeChange,
  type MinutePrice,
  minutesWorth,
  purchased,
  type Tariff,
} from '@yiqiao/domain/conversion';
import type { Witness } from '@yiqiao/domain/entry-rules';
import { billingModeOf, type Difference, type Entry, type Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, PACKAGE_DAYS, SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { type ChannelPrice, type PlanVersion, priceAt, versionAt } from '@yiqiao/domain/plans';
import type pg from 'pg';
import type { ReplayState } from './anchors.js';
import type { StoredAccount } from './audit-rows.js';
import { differ, differs } from './entry-replay.js';

/** All prices and plans with their history: few rows, read once per audit. */
export type PriceHistory = {
  /** The start of the price history, ms. The prices of older entries are unknown. */
  since: number;
  prices: readonly ChannelPrice[];
  plans: readonly PlanVersion[];
};

const ms = (column: string): string => `(date_part('epoch', ${column}) * 1000)::bigint AS at`;

type PriceRow = { channel: number; price: number; at: string };
type PlanRow = Record<'id' | 'num' | 'at', string> &
  Record<'plan' | 'mode' | 'sale' | 'minute' | 'voice' | 'image' | 'reference', number> & { channel: number | null };

/** On a connection with the snapshot of the audit. */
export async function readPriceHistory(client: pg.ClientBase): Promise<PriceHistory> {
  const { rows: prices } = await client.query<PriceRow>(
    `SELECT tran_channel_id AS channel, price, ${ms('effective_at')} FROM channel_price`,
  );
  const { rows: plans } = await client.query<PlanRow>(
    `SELECT id, member_group_id AS plan, billing_mode AS mode, num, sale_price AS sale, minute_price AS minute, voice_num AS voice,
       image_num AS image, tran_channel_id AS channel, reference_channel_id AS reference, ${ms('effective_at')} FROM plan_version`,
  );
  const { rows: migrations } = await client.query<{ at: string }>(
    `SELECT ${ms('executed_at')} FROM mikro_orm_migrations WHERE name = '0009-price-versions'`,
  );
  return {
    since: Number(migrations[0]?.at ?? 0),
    prices: prices.map(({ channel, price, at }) => ({ tranChannelId: channel, price, effectiveAt: Number(at) })),
    plans: plans.map((row) => ({
      id: Number(row.id),
      memberGroupId: row.plan,
      billingMode: billingModeOf(row.mode) ?? 'char',
      num: Number(row.num),
      salePrice: row.sale,
      minutePrice: row.minute,
      voiceNum: row.voice,
      imageNum: row.image,
      tranChannelId: row.channel,
      referenceChannelId: row.reference,
      effectiveAt: Number(row.at),
    })),
  };
}

/** A difference at an entry, not always the current one: a purchase determines the conversion before it. */
export type PriceDifference = Difference & { seq: number };

/** A main account's conversion for a purchase, which is the next entry. */
type Pending = { entry: Entry; from: Tariff | null };

/**
 * Checks the conversions and grants of one account with the functions of the domain at the prices of their time (docs/decisions/0034).
 * Keeps what later entries depend on: the changes of the account's expiry in time mode, and when each order was credited.
 */
export class TariffReplay {
  #pending: Pending | null = null;
  /** Null if a necessary price or order is missing. */
  #lives: LifeChange[] | null;
  readonly #credited: Map<number, { at: number; tranChannelId: number }>;

  constructor(
    private readonly account: StoredAccount,
    private readonly history: PriceHistory,
    start?: ReplayState['tariffs'],
  ) {
    this.#lives = start ? start.lives && [...start.lives] : [];
    this.#credited = new Map(start?.credited);
  }

  /** What a later replay goes on from, unless it waits for the next entry. */
  get carried(): ReplayState['tariffs'] {
    return { lives: this.#lives && [...this.#lives], credited: [...this.#credited] };
  }

  /** Whether the next entry must be followed, whatever its witness. */
  get waits(): boolean {
    return this.#pending !== null;
  }

  /** Whether entries with this witness must be followed. */
  static isConcerned(witness: Witness | undefined): boolean {
    return witness === 'prices' || witness === 'order' || witness === 'action';
  }

  /** `mainChannel`: for a sub-account's conversion, the previous channel of its main account. */
  follow(entry: Entry, witness: Witness | undefined, mainChannel: number | null): PriceDifference[] {
    const found = this.#settled(entry);
    const isJudged = entry.createdAt >= this.history.since;
    const isMain = entry.userId === entry.familyId;
    if (witness === 'prices' && isJudged) {
      const from = this.#tariffBefore(entry, entry.beforeTranChannelId ?? mainChannel ?? CHANNELS[DEFAULT_CHANNEL].id);
      if (isMain && entry.type === 'SYS_MATRIX') this.#pending = { entry, from };
      else found.push(this.#conversion(entry, from, this.#tariffAfter(entry, null)));
    }
    if (entry.type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' && witness === 'action' && isJudged)
      found.push(this.#grant(entry));
    if (isMain && TariffReplay.isConcerned(witness)) this.#note(entry);
    return found.filter((wrong) => wrong !== null);
  }

  /** A conversion without its purchase. */
  end(): PriceDifference[] {
    const { entry } = this.#pending ?? {};
    return entry ? [unfollowed(entry, 'none')] : [];
  }

  /** Checks the pending conversion against the entry after it. */
  #settled(entry: Entry): (PriceDifference | null)[] {
    const pending = this.#pending;
    if (!pending) return [];
    this.#pending = null;
    const isPurchase = entry.type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' && entry.createdAt === pending.entry.createdAt;
    if (!isPurchase) return [unfollowed(pending.entry, entry.type)];
    return [this.#conversion(pending.entry, pending.from, this.#tariffAfter(pending.entry, entry))];
  }

  #conversion(entry: Entry, from: Tariff | null, to: Tariff | null): PriceDifference | null {
    if (!from || !to) return this.#unknown(entry);
    const { beforeCharNum: charNum, beforeExpireAt: expireAt, createdAt } = entry;
    const isMain = entry.userId === entry.familyId;
    const expected = isMain
      ? convertMain({ charNum, expireAt }, from, to, createdAt)
      : convertSub({ charNum, expireAt }, from, to);
    return differenceTo(entry, expected, `${entry.type} by the prices of its moment`);
  }

  /** The missing price; null if an order is missing, which the audit of orders reports. */
  #unknown(entry: Entry): PriceDifference | null {
    for (const id of [entry.beforeTranChannelId, entry.lastTranChannelId])
      if (id !== null && this.#price(id, entry.createdAt) === null)
        return { seq: entry.seq, ...differs(`${entry.type}: price of channel ${id} at its moment`, 'a price', 'none') };
    return null;
  }

  #tariffBefore(entry: Entry, tranChannelId: number): Tariff | null {
    const charPrice = this.#price(tranChannelId, entry.createdAt);
    if (charPrice === null) return null;
    const billingMode = entry.beforeBillingMode;
    const from: Tariff = { billingMode, tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
    if (billingMode === 'char' || entry.lastBillingMode === 'time') return from;
    const worth = this.#lives && minutesWorth(this.#lives);
    return worth && { ...from, worth };
  }

  /** `purchase`: the recharge that the conversion is for. */
  #tariffAfter(entry: Entry, purchase: Entry | null): Tariff | null {
    const tranChannelId = entry.lastTranChannelId ?? CHANNELS[DEFAULT_CHANNEL].id;
    const charPrice = this.#price(tranChannelId, entry.createdAt);
    if (charPrice === null) return null;
    const billingMode = entry.lastBillingMode;
    const to: Tariff = { billingMode, tranChannelId, charPrice, minutePrice: 1, referencePrice: charPrice };
    if (entry.beforeBillingMode === billingMode || billingMode === 'char') return to;
    const minute = purchase && this.#minutePrice(purchase, purchase.createdAt);
    return minute && { ...to, ...minute };
  }

  /** From the order's snapshot, or for a grant from the plan version of the time. */
  #minutePrice({ orderId, memberGroupId }: Entry, at: number): MinutePrice | null {
    if (orderId !== null) return this.account.orders.get(orderId) ?? null;
    const version = this.#version(memberGroupId, at);
    const referencePrice = version ? this.#price(version.referenceChannelId, at) : null;
    return version && referencePrice !== null ? { minutePrice: version.minutePrice, referencePrice } : null;
  }

  /** Checks a granted plan. Its quantity follows from the time it added. */
  #grant(entry: Entry): PriceDifference | null {
    const { seq, createdAt, memberGroupId, minChange } = entry;
    const version = this.#version(memberGroupId, createdAt);
    const of = `grant of plan ${memberGroupId}`;
    if (!version) return { seq, ...differs(`${of}: its version at that moment`, 'a version', 'none') };
    const referencePrice = this.#price(version.referenceChannelId, createdAt);
    const charPrice = this.#price(entry.lastTranChannelId ?? 0, createdAt);
    if (referencePrice === null || charPrice === null)
      return { seq, ...differs(`${of}: prices of its moment`, 'a price', 'none') };
    const { billingMode, num, tranChannelId } = version;
    const wrong =
      differ(`${of}: billing mode`, billingMode, entry.rechargeBillingMode) ??
      (tranChannelId === null ? null : differ(`${of}: channel`, tranChannelId, entry.rechargeTranChannelId));
    if (wrong) return { seq, ...wrong };
    const units =
      billingMode === 'time'
        ? exchangeUp(minChange, charPrice, Math.max(1, num * referencePrice))
        : Math.round(lifeOf(entry) / (PACKAGE_DAYS * DAY_MS));
    const quantity = Math.min(SALES_NUM_MAX, Math.max(1, units));
    const purchase = { ...version, quantity, referencePrice };
    const expected = purchased(purchase, { expireAt: entry.beforeExpireAt, charPrice }, createdAt);
    return differenceTo(entry, expected, `${of} × ${quantity}`);
  }

  /** Keeps what later conversions depend on. */
  #note(entry: Entry): void {
    const { type, orderId, createdAt: at, beforeExpireAt: before, lastExpireAt: after } = entry;
    const tranChannelId = entry.lastTranChannelId ?? 0;
    if (type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' && orderId !== null)
      this.#credited.set(orderId, { at, tranChannelId });
    if (entry.lastBillingMode === 'char' || entry.beforeBillingMode === 'char') this.#lives = [];
    else if (before !== after || entry.beforeTranChannelId !== entry.lastTranChannelId) {
      const change = this.#lifeChange(entry);
      if (change) this.#lives?.push({ at, before, after, ...change });
      else this.#lives = null;
    }
  }

  #lifeChange(entry: Entry): LifeBy | null {
    const { type, orderId, createdAt } = entry;
    if (entry.memberGroupId === null && (type === 'SYS_MATRIX' || type === 'MATRIX')) {
      const before = this.#price(entry.beforeTranChannelId ?? 0, createdAt);
      const after = this.#price(entry.lastTranChannelId ?? 0, createdAt);
      return { by: 'channel', prices: before === null || after === null ? null : [before, after] };
    }
    if (entry.memberGroupId === null) return { by: 'other' };
    // An adjustment with a package takes it back or returns it (docs/decisions/0014).
    const credited = orderId === null ? undefined : this.#credited.get(orderId);
    const since = credited?.at ?? createdAt;
    const charPrice = this.#price(credited?.tranChannelId ?? entry.lastTranChannelId ?? 0, since);
    const minute = this.#minutePrice(entry, since);
    return minute && charPrice !== null ? { by: 'package', since, price: { ...minute, charPrice } } : null;
  }

  #version(memberGroupId: number | null, at: number): PlanVersion | undefined {
    return versionAt(
      this.history.plans.filter((version) => version.memberGroupId === memberGroupId),
      at,
    );
  }

  #price(tranChannelId: number, at: number): number | null {
    const { prices } = this.history;
    const isKnown = prices.some((price) => price.tranChannelId === tranChannelId && price.effectiveAt <= at);
    return isKnown ? priceAt(prices, tranChannelId, at) : null;
  }
}

type LifeBy = LifeChange extends infer L ? (L extends LifeChange ? Omit<L, 'at' | 'before' | 'after'> : never) : never;

const unfollowed = ({ seq, type }: Entry, found: string): PriceDifference => ({
  seq,
  ...differs(`${type}: purchase that it is for, in the entry behind it`, 'RECHARGE_ORDER_BY_MEMBER_GROUP', found),
});

/** The time that a package adds, ms. */
const lifeOf = ({ createdAt, beforeExpireAt, lastExpireAt }: Entry): number =>
  (lastExpireAt ?? 0) - Math.max(createdAt, beforeExpireAt ?? 0);

/** The first difference between an entry and the expected movement. */
function differenceTo(entry: Entry, expected: Omit<Movement, 'type' | 'refs'>, of: string): PriceDifference | null {
  const { seq, beforeExpireAt } = entry;
  const wrong =
    differ(`${of}: charChange`, expected.charChange ?? 0, entry.charChange) ??
    differ(`${of}: minChange`, expected.minChange ?? 0, entry.minChange) ??
    differ(`${of}: voiceChange`, expected.voiceChange ?? 0, entry.voiceChange) ??
    differ(`${of}: imageChange`, expected.imageChange ?? 0, entry.imageChange) ??
    differ(
      `${of}: lastExpireAt`,
      expected.expireAt === undefined ? beforeExpireAt : expected.expireAt,
      entry.lastExpireAt,
    );
  return wrong && { seq, ...wrong };
}
