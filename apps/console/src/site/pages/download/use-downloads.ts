import type { getDataConfig } from '@yiqiao/contracts/site';
import { use } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { callRoute } from '../../../shared/api/call.js';
import { useLoaded, type Loaded } from '../../../shared/api/use-loaded.js';
import { language } from '../../../shared/i18n/language.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { softwareIn, type Software } from './downloads.js';

// The address alone: the endpoint itself would bring the checks of every contract beside it.
const READ = { method: 'GET', path: '/dataCus/get' } as const satisfies Pick<typeof getDataConfig, 'method' | 'path'>;

const NOT_FOUND = 404;

/** A key that nobody has set is a shelf with nothing on it. */
async function softwareOnOffer(signal: AbortSignal): Promise<readonly Software[]> {
  try {
    const { valued } = await callRoute<typeof getDataConfig>(READ, { id: 'SOFT_DOWNLOAD_CONFIG' }, { signal });
    return softwareIn(valued, language);
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return [];
    throw error;
  }
}

/** What there is to download. */
export function useDownloads(): { loaded: Loaded<readonly Software[]>; reload: () => void } {
  const { downloads } = use(SiteDataContext);
  return useLoaded(softwareOnOffer, downloads === undefined ? undefined : softwareIn(downloads, language));
}
