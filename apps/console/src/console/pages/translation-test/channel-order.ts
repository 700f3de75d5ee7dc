import type { BillingMode } from '@yiqiao/domain/plans';
import { canDo, type Abilities, type Direction } from './abilities.js';
import { isIncluded } from './quote.js';

export const SIDE_BY_SIDE = 3;

export type Own = { id: number; main: boolean };
/** Micro-yuan per character of each channel id. */
export type PriceList = ReadonlyMap<number, number>;

type ChannelOptions = { own: Own; mode: BillingMode; abilities: Abilities; prices: PriceList };

/** The channels that the member may choose: a sub-account only its main account's, in time mode none with a higher price (decisions §4). */
export const usableBy = ({ own, mode, abilities, prices }: ChannelOptions): readonly number[] => {
  const price = (id: number): number => prices.get(id) ?? 1;
  return [...abilities.keys()].filter((id) =>
    own.main ? isIncluded({ mode, prices: { asked: price(id), own: price(own.id) } }) : id === own.id,
  );
};

/** Whether a channel other than `id` can do this, of those that the main account may choose. */
export const hasOther = (id: number, options: ChannelOptions, direction: Direction): boolean =>
  usableBy({ ...options, own: { ...options.own, main: true } }).some(
    (other) => other !== id && canDo(options.abilities, other, direction),
  );

/**
 * The channels side by side. By default the member's own if it supports the direction, else the cheapest that does;
 * if none does, the member's own, which then says so.
 */
export const shownOf = (
  picked: readonly number[] | null,
  options: ChannelOptions,
  direction: Direction,
): readonly number[] => {
  const { own, abilities, prices } = options;
  if (picked !== null) return picked;
  if (canDo(abilities, own.id, direction)) return [own.id];
  const able = usableBy(options).filter((id) => canDo(abilities, id, direction));
  return [able.toSorted((a, b) => (prices.get(a) ?? 0) - (prices.get(b) ?? 0))[0] ?? own.id];
};

/** After ticking or unticking `id`: at most three, the member's own first; the last one cannot be unticked. */
export const toggled = (shown: readonly number[], id: number, own: number): readonly number[] => {
  if (!shown.includes(id)) {
    if (shown.length >= SIDE_BY_SIDE) return shown;
    return id === own ? [id, ...shown] : [...shown, id];
  }
  return shown.length === 1 ? shown : shown.filter((other) => other !== id);
};
