/** What a translation will cost: the figure that a screen shows while typing and that the server holds (decisions §4). */
import { exchange, exchangeUp } from './conversion.js';
import type { Quota } from './ledger.js';

/** Micro-yuan per character, integers ≥ 1: of the channel that is asked, and of the account's own. */
export type Prices = { readonly asked: number; readonly own: number };

/** Characters of the account that a text of `codePoints` code points costs: ceil(codePoints · asked / own). */
export const textCost = (codePoints: number, { asked, own }: Prices): number => exchangeUp(codePoints, asked, own);

/** How much of a text was delivered: so many of its code points, which cost `charNum` where the whole would have cost `of`. */
export type Delivered = { readonly codePoints: number; readonly charNum: number; readonly of: number };

/**
 * What a hold pays for a part of what it was made for: the same part of what it reserves now, rounded up, so never more than that. A
 * hold of time mode reserves nothing and pays nothing; one that a conversion changed pays in the account's new characters. Throws
 * RangeError for nothing, for more than the whole, and for what is not text.
 */
export function partialCharge(
  hold: { readonly quota: Quota; readonly codePoints: number },
  { codePoints, charNum, of }: Delivered,
): { quota: Quota; codePoints: number } {
  const isPart = codePoints >= 1 && codePoints <= hold.codePoints && charNum >= 1 && charNum <= of;
  if (!isPart) throw new RangeError(`${codePoints} code points at ${charNum} of ${of}, of ${hold.codePoints}`);
  return { quota: { ...hold.quota, charNum: exchangeUp(hold.quota.charNum, charNum, of) }, codePoints };
}

/** What each of several texts has paid of one charge, in proportion to what they cost: whole characters that add up to it. */
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
