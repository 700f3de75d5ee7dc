/**
 * What would have been charged under other prices (operators §8). The same functions charge here as in the product; this file only lets
 * them ask another price list. Units as in ledger.ts; prices of characters and minutes in micro-yuan, of packages in fen.
 */
import { exchangeUp, isWholeRatio } from './conversion.js';
import { HOLD_LIFE_MS, TEXTS_AT_ONCE } from './limits.js';
import { type ChannelPrice, type PlanVersion, versionAt } from './plans.js';
import { textCost } from './quotes.js';

/** What a plan would cost or hold; omitted values stay. */
export type PlanChange = Partial<
  Pick<PlanVersion, 'salePrice' | 'minutePrice' | 'num'> & { voiceNum: number; imageNum: number }
>;

/** The changed price list: prices of channels by their id, plans by theirs. Everything else is as it was at each moment. */
export type PriceChanges = {
  readonly channels: Readonly<Record<number, number>>;
  readonly plans: Readonly<Record<number, PlanChange>>;
};

const NO_CHANGES: PriceChanges = { channels: {}, plans: {} };

/** What an order copied from the price list when it was placed, per unit. `referencePrice`: of its reference channel. */
export type Terms = Pick<
  PlanVersion,
  'memberGroupId' | 'billingMode' | 'num' | 'salePrice' | 'minutePrice' | 'voiceNum' | 'imageNum' | 'referenceChannelId'
> & { readonly referencePrice: number };

/** The price list at every moment, with `changes` over it. */
export class TariffBook {
  readonly #prices = new Map<number, ChannelPrice[]>();
  /** As it really was. */
  readonly original: TariffBook;

  constructor(
    prices: readonly ChannelPrice[],
    private readonly plans: readonly PlanVersion[],
    private readonly changes: PriceChanges = NO_CHANGES,
    original?: TariffBook,
  ) {
    this.original = original ?? this;
    for (const price of prices.toSorted((a, b) => a.effectiveAt - b.effectiveAt)) {
      const known = this.#prices.get(price.tranChannelId);
      if (known) known.push(price);
      else this.#prices.set(price.tranChannelId, [price]);
    }
  }

  /** The same list with these changes. */
  changed(changes: PriceChanges): TariffBook {
    return new TariffBook([...this.#prices.values()].flat(), this.plans, changes, this.original);
  }

  get channels(): readonly number[] {
    return [...this.#prices.keys()];
  }

  /** Micro-yuan per character at a time (ms). Throws RangeError if the channel had no price then. */
  price(tranChannelId: number, at: number): number {
    const changed = this.changes.channels[tranChannelId];
    if (changed !== undefined) return changed;
    const versions = this.#prices.get(tranChannelId) ?? [];
    for (let i = versions.length - 1; i >= 0; i--) {
      const version = versions[i];
      if (version && version.effectiveAt <= at) return version.price;
    }
    throw new RangeError(`channel ${tranChannelId} had no price at ${at}`);
  }

  /** An order's terms under this list. */
  terms(ordered: Terms): Terms {
    const referencePrice = this.changes.channels[ordered.referenceChannelId] ?? ordered.referencePrice;
    return { ...ordered, referencePrice, ...this.changes.plans[ordered.memberGroupId] };
  }

  /** What a plan granted at a time (ms) holds; null before its first version. */
  granted(memberGroupId: number, at: number): Terms | null {
    const version = versionAt(
      this.plans.filter((plan) => plan.memberGroupId === memberGroupId),
      at,
    );
    if (!version) return null;
    return this.terms({ ...version, referencePrice: this.price(version.referenceChannelId, at) });
  }

  changeOf(memberGroupId: number): PlanChange | undefined {
    return this.changes.plans[memberGroupId];
  }
}

/**
 * One charged text as it was recorded. `charged`: characters of the account; `served`, `own`: the channel that served the most of it and the
 * account's; `converted`: the last change of the account's channel, if any.
 */
export type TextUse = {
  readonly codePoints: number;
  readonly charged: number;
  readonly served: number;
  readonly own: number;
  readonly at: number;
  readonly converted: { readonly from: number; readonly at: number } | null;
};

/**
 * How a recorded charge follows from the prices of its moment. `plain`: the price of one text. `rounded`: several texts in one request, each
 * rounded up. `earlier`: prices changed while it was translated. `converted`: the account changed its channel meanwhile. `mixed`: several
 * channels served one request, of which the log names one; it is repriced in proportion.
 */
export type ChargeReason = 'plain' | 'rounded' | 'earlier' | 'converted' | 'mixed';

export type Recharged = { readonly reason: ChargeReason; readonly willBe: number };

const costOf = (book: TariffBook, { codePoints, served, own }: TextUse, at: number): number =>
  served === own ? codePoints : textCost(codePoints, { asked: book.price(served, at), own: book.price(own, at) });

/** What a text costs under `will`; null if the charge does not follow from `was`, the prices of its moment. */
export function rechargeText(use: TextUse, was: TariffBook, will: TariffBook): Recharged | null {
  const cost = costOf(was, use, use.at);
  if (cost === use.charged) return { reason: 'plain', willBe: costOf(will, use, use.at) };
  return (
    rounded(use, use.at, { cost, was, will }) ??
    earlier(use, was, will) ??
    converted(use, was, will) ??
    mixed(use, was, will)
  );
}

/** Each of several texts is rounded up by less than one character. */
function rounded(
  use: TextUse,
  at: number,
  { cost, was, will }: { cost: number; was: TariffBook; will: TariffBook },
): Recharged | null {
  const excess = use.charged - cost;
  const { served, own } = use;
  if (excess < 1 || excess >= Math.min(TEXTS_AT_ONCE, use.codePoints)) return null;
  if (served === own || isWholeRatio(was.price(served, at), was.price(own, at))) return null;
  const more = isWholeRatio(will.price(served, at), will.price(own, at)) ? 0 : excess;
  return { reason: 'rounded', willBe: costOf(will, use, at) + more };
}

/** The price is held when the request comes, and charged when it is served. */
function earlier(use: TextUse, was: TariffBook, will: TariffBook): Recharged | null {
  const at = use.at - HOLD_LIFE_MS;
  const cost = costOf(was, use, at);
  if (cost === use.charged) return { reason: 'earlier', willBe: costOf(will, use, at) };
  const part = rounded(use, at, { cost, was, will });
  return part && { ...part, reason: 'earlier' };
}

function converted(use: TextUse, was: TariffBook, will: TariffBook): Recharged | null {
  const before = use.converted;
  if (!before || before.at < use.at - HOLD_LIFE_MS) return null;
  const cost = (book: TariffBook): number =>
    exchangeUp(
      costOf(book, { ...use, own: before.from }, before.at),
      book.price(before.from, before.at),
      book.price(use.own, before.at),
    );
  const held = cost(was);
  // Less when the converted balance did not suffice.
  if (use.charged > held) return null;
  return { reason: 'converted', willBe: use.charged === held ? cost(will) : exchangeUp(use.charged, cost(will), held) };
}

function mixed(use: TextUse, was: TariffBook, will: TariffBook): Recharged | null {
  const { codePoints, charged, served, own, at } = use;
  if (codePoints < 2) return null;
  const prices = was.channels.map((channel) => was.price(channel, at));
  const cost = (asked: number): number => textCost(codePoints, { asked, own: was.price(own, at) });
  const most = cost(Math.max(...prices)) + TEXTS_AT_ONCE;
  if (charged < cost(Math.min(...prices)) || charged > most) return null;
  const [up, down] = [will.price(served, at) * was.price(own, at), was.price(served, at) * will.price(own, at)];
  return { reason: 'mixed', willBe: exchangeUp(charged, up, down) };
}
