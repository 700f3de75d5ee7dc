/** What members could buy instead under changed prices (operators §8). */
import type { TariffBook } from './what-if.js';
import type { Pair, SwitchRow } from './what-if-tally.js';

/** The price lists, and the plans on sale at the end of the time among which a member may choose. `until`: its end, ms. */
export type Books = {
  readonly was: TariffBook;
  readonly will: TariffBook;
  readonly onSale: readonly Choice[];
  readonly until: number;
};
export type Choice = {
  id: number;
  billingMode: 'char' | 'time';
  num: Pair;
  salePrice: Pair;
  tranChannelId: number | null;
};

/** A larger plan that costs less than `units` of this one, and did not before; null if there is none. */
export function betterChoice(choices: readonly Choice[], id: number, units: number): SwitchRow | null {
  const plan = choices.find((choice) => choice.id === id);
  if (!plan || units < 2) return null;
  const [better] = choices
    .filter(
      (other) =>
        other.id !== id &&
        other.billingMode === plan.billingMode &&
        other.tranChannelId === plan.tranChannelId &&
        other.num.wouldBe >= units * plan.num.wouldBe &&
        other.salePrice.wouldBe < units * plan.salePrice.wouldBe &&
        other.salePrice.was >= units * plan.salePrice.was,
    )
    .toSorted((a, b) => a.salePrice.wouldBe - b.salePrice.wouldBe);
  if (!better) return null;
  return {
    plan: id,
    to: better.id,
    families: 1,
    amount: { was: units * plan.salePrice.was, wouldBe: better.salePrice.wouldBe },
    more: better.num.wouldBe - units * plan.num.wouldBe,
  };
}
