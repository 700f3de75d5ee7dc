/** The price of a translation, which the console shows while typing and the server holds (decisions §4). */
import { exchange, exchangeUp } from './conversion.js';
import type { Quota } from './ledger.js';

/** Micro-yuan per character, integers ≥ 1: of the requested channel, and of the account's own. */
export type Prices = { readonly asked: number; readonly own: number };

/** Characters of the account that a text of `codePoints` code points costs: ceil(codePoints · asked / own). */
export const textCost = (codePoints: number, { asked, own }: Prices): number => exchangeUp(codePoints, asked, own);

/** The delivered part of a text: its code points, at `charNum` of the `of` characters that the whole costs. */
export type Delivered = { readonly codePoints: number; readonly charNum: number; readonly of: number };

/**
 * The charge for a part of a hold: the same share of the reserved characters, rounded up. A hold in time mode reserves and costs nothing; a
 * converted hold is charged in the account's new characters. Throws RangeError for no part, for more than the whole, and for anything but
 * text.
 */
export function partialCharge(
  hold: { readonly quota: Quota; readonly codePoints: number },
  { codePoints, charNum, of }: Delivered,
): { quota: Quota; codePoints: number } {
  const isPart = codePoints >= 1 && codePoints <= hold.codePoints && charNum >= 1 && charNum <= of;
  if (!isPart) throw new RangeError(`${codePoints} code points at ${charNum} of ${of}, of ${hold.codePoints}`);
  return { quota: { ...hold.quota, charNum: exchangeUp(hold.quota.charNum, charNum, of) }, codePoints };
}

/** Splits one charge among several texts in proportion to their costs: whole characters that add up to it. */
export function splitCharge(charged: number, costs: readonly number[]): number[] {
  const whole = costs.reduce((sum, cost) => sum + cost, 0);
  let [cost, paid] = [0, 0];
  return costs.map((each) => {
    cost += each;
    const before = paid;
    paid = exchange(charged, cost, whole);
    return paid - before;
  });
}
