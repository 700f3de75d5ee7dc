import type { getDataConfig } from '@yiqiao/contracts/site';
import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { callRoute } from '../api/call.js';

export const ROUTE = { method: 'GET', path: '/dataCus/get' } as const;
const DOCUMENT = 'SITE_INFO';

let asked: Promise<SiteInfo | null> | undefined;

/** Whose site it is, as operators configured it: asked once for a page. Null while nothing is configured, and when it cannot be read. */
export function siteInfo(): Promise<SiteInfo | null> {
  asked ??= callRoute<typeof getDataConfig>(ROUTE, { id: DOCUMENT })
    // It was checked where it was written.
    .then(({ valued }) => JSON.parse(valued) as SiteInfo)
    .catch(() => {
      asked = undefined;
      return null;
    });
  return asked;
}
