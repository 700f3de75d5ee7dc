import type { Response } from '@yiqiao/contracts/endpoint';
import type { listSale } from '@yiqiao/contracts/plans';
import type { listChannels } from '@yiqiao/contracts/translation';
import { credited } from '@yiqiao/domain/conversion';
import { use } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { useLoaded, type Loaded } from '../../shared/use-loaded.js';
import { language } from '../../../shared/i18n/language.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';

/** A package on sale. */
export type Plan = Response<typeof listSale>[number];

export const planName = ({ name, enName }: Plan): string => (language === 'zh' ? name : enName);
export const isTimed = (plan: Plan): boolean => plan.translationBillingMode === 'time';

/** Price of 10,000 characters, in yuan with two decimals. */
export const unitPrice = ({ salePrice, num }: Pick<Plan, 'salePrice' | 'num'>): string =>
  ((salePrice / num) * 100).toFixed(2);

/** Micro-yuan per character through a channel. */
export type ChannelPrice = { readonly id: number; readonly price: number };

/** Channels of the same price, and what a package holds through each: characters or minutes. */
type Worth = { channelIds: readonly number[]; num: number };

/** What a package holds through every channel, one row per price: the reference channel's first, then ascending. */
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

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const READ = { method: 'GET', path: '/memberGroup/saleList' } as const satisfies Pick<
  typeof listSale,
  'method' | 'path'
>;

const onSale = (signal: AbortSignal): Promise<readonly Plan[]> => callRoute<typeof listSale>(READ, {}, { signal });

/** The packages on sale. */
export const usePlans = (): { loaded: Loaded<readonly Plan[]>; reload: () => void } =>
  useLoaded(onSale, use(SiteDataContext).plans);

const PRICES = { method: 'GET', path: '/tranChannel/list' } as const satisfies Pick<
  typeof listChannels,
  'method' | 'path'
>;

const priceList = (signal: AbortSignal): Promise<readonly ChannelPrice[]> =>
  callRoute<typeof listChannels>(PRICES, {}, { signal });

/** Price per character of each channel; empty until loaded. */
export function usePrices(): readonly ChannelPrice[] {
  const { loaded } = useLoaded(priceList, use(SiteDataContext).prices);
  return loaded.state === 'ready' ? loaded.value : [];
}
