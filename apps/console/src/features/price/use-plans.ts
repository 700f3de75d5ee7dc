import type { listSale } from '@yiqiao/contracts/plans';
import { use } from 'react';
import { callRoute } from '../../shared/api/call.js';
import { useLoaded, type Loaded } from '../../shared/api/use-loaded.js';
import { SiteDataContext } from '../../shared/site/site-data.js';
import type { Plan } from './plan.js';

// The address alone: the endpoint itself would bring the checks of every contract beside it.
const READ = { method: 'GET', path: '/memberGroup/saleList' } as const satisfies Pick<
  typeof listSale,
  'method' | 'path'
>;

const onSale = (signal: AbortSignal): Promise<readonly Plan[]> => callRoute<typeof listSale>(READ, {}, { signal });

/** What is on sale. */
export const usePlans = (): { loaded: Loaded<readonly Plan[]>; reload: () => void } =>
  useLoaded(onSale, use(SiteDataContext).plans);
