import type { listSale } from '@yiqiao/contracts/plans';
import type { listChannels } from '@yiqiao/contracts/translation';
import { use } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { useLoaded, type Loaded } from '../../../shared/api/use-loaded.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import type { Plan } from './plan.js';
import type { ChannelPrice } from './worth.js';

// The address alone: the endpoint itself would bring the checks of every contract beside it.
const READ = { method: 'GET', path: '/memberGroup/saleList' } as const satisfies Pick<
  typeof listSale,
  'method' | 'path'
>;

const onSale = (signal: AbortSignal): Promise<readonly Plan[]> => callRoute<typeof listSale>(READ, {}, { signal });

/** What is on sale. */
export const usePlans = (): { loaded: Loaded<readonly Plan[]>; reload: () => void } =>
  useLoaded(onSale, use(SiteDataContext).plans);

const PRICES = { method: 'GET', path: '/tranChannel/list' } as const satisfies Pick<
  typeof listChannels,
  'method' | 'path'
>;

const priceList = (signal: AbortSignal): Promise<readonly ChannelPrice[]> =>
  callRoute<typeof listChannels>(PRICES, {}, { signal });

/** What a character costs through each channel; none as long as that is not known. */
export function usePrices(): readonly ChannelPrice[] {
  const { loaded } = useLoaded(priceList, use(SiteDataContext).prices);
  return loaded.state === 'ready' ? loaded.value : [];
}
