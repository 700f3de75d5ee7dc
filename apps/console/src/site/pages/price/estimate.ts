import { credited } from '@yiqiao/domain/conversion';
import { DAY_MS, MINUTE_MS, PACKAGE_DAYS, SALES_NUM_MAX } from '@yiqiao/domain/limits';
import { isTimed, type ChannelPrice, type Plan } from './plan.js';

/** Messages of one day and their average length in characters. */
export type Traffic = { messages: number; length: number };

/** `price`: micro-yuan per character through the channel; `team`: sub-accounts are needed, which monthly packages do not have. */
type Needs = Traffic & { price: number; team: boolean };

const MONTH_MINUTES = (PACKAGE_DAYS * DAY_MS) / MINUTE_MS;

export const monthlyChars = ({ messages, length }: Traffic): number => messages * length * PACKAGE_DAYS;

/** `credit`: characters or minutes credited on the chosen channel. `cost` in fen. */
export type Estimate = { plan: Plan; quantity: number; credit: number; cost: number };

function estimateOf(plan: Plan, prices: readonly ChannelPrice[], needs: Needs): Estimate | null {
  const reference = prices.find(({ id }) => id === plan.referenceChannelId);
  // A package that sets its channel fits only that channel's price.
  const own = prices.find(({ id }) => id === plan.tranChannelId)?.price ?? needs.price;
  if (reference === undefined || own !== needs.price || (needs.team && !plan.createChildUser)) return null;
  const needed = isTimed(plan) ? MONTH_MINUTES : monthlyChars(needs);
  const quantity = Math.max(1, Math.ceil((needed * needs.price) / (plan.num * reference.price)));
  if (quantity > SALES_NUM_MAX) return null;
  const credit = credited({ num: plan.num, quantity, referencePrice: reference.price }, needs.price);
  return { plan, quantity, credit, cost: plan.salePrice * quantity };
}

/** The package that covers 30 days for the least money, the first of equals; null when none does. */
export const cheapest = (plans: readonly Plan[], prices: readonly ChannelPrice[], needs: Needs): Estimate | null =>
  plans
    .map((plan) => estimateOf(plan, prices, needs))
    .reduce<Estimate | null>((best, next) => (next && (!best || next.cost < best.cost) ? next : best), null);
