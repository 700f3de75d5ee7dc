import { credited } from '@yiqiao/domain/conversion';
import type { Plan } from './plan.js';

/** Micro-yuan per character through a channel. */
export type ChannelPrice = { readonly id: number; readonly price: number };

/** Channels of one price, and what a package holds on each of them: characters, or minutes. */
export type Worth = { channelIds: readonly number[]; num: number };

/** What a package is worth through every channel, one row for each price: that of its reference first, then from the cheapest on. */
export function worthsOf(
  { num, referenceChannelId }: Pick<Plan, 'num' | 'referenceChannelId'>,
  prices: readonly ChannelPrice[],
): readonly Worth[] {
  const reference = prices.find(({ id }) => id === referenceChannelId);
  if (reference === undefined) return [];
  const rank = ({ id, price }: ChannelPrice): number =>
    id === reference.id ? -2 : price === reference.price ? -1 : price;
  const sorted = prices.toSorted((a, b) => rank(a) - rank(b));
  return [...Map.groupBy(sorted, ({ price }) => price)].map(([price, channels]) => ({
    channelIds: channels.map(({ id }) => id),
    num: credited({ num, quantity: 1, referencePrice: reference.price }, price),
  }));
}
