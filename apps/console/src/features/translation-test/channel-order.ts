import { canDo, type Abilities, type Direction } from './abilities.js';

export const SIDE_BY_SIDE = 3;

export type Own = { id: number; main: boolean };
/** Micro-yuan per character of each channel id. */
export type PriceList = ReadonlyMap<number, number>;

/** The channels that the member may name: a sub-account uses its main account's and no other (decisions §4). */
export const usableBy = ({ id, main }: Own, abilities: Abilities): readonly number[] => {
  const all = [...abilities.keys()];
  return main ? all : all.filter((channel) => channel === id);
};

/**
 * The channels side by side. Until somebody picks, it is the member's own where it can do the direction, else the cheapest that can;
 * the own one when nobody can, so that it says so.
 */
export const shownOf = (
  picked: readonly number[] | null,
  { own, abilities, prices }: { own: Own; abilities: Abilities; prices: PriceList },
  direction: Direction,
): readonly number[] => {
  if (picked !== null) return picked;
  if (canDo(abilities, own.id, direction)) return [own.id];
  const able = usableBy(own, abilities).filter((id) => canDo(abilities, id, direction));
  return [able.toSorted((a, b) => (prices.get(a) ?? 0) - (prices.get(b) ?? 0))[0] ?? own.id];
};

/** After ticking or unticking `id`: at most three, the own one first; the last one stays. */
export const toggled = (shown: readonly number[], id: number, own: number): readonly number[] => {
  if (!shown.includes(id)) {
    if (shown.length >= SIDE_BY_SIDE) return shown;
    return id === own ? [id, ...shown] : [...shown, id];
  }
  return shown.length === 1 ? shown : shown.filter((other) => other !== id);
};
