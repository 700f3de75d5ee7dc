import type { getDataConfig } from '@yiqiao/contracts/site';
import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { use, useEffect, useState } from 'react';
import { callRoute } from '../api/call.js';
import { language } from '../i18n/language.js';
import { useMessages } from '../i18n/messages.js';
import { SiteDataContext } from './site-data.js';

const ROUTE = { method: 'GET', path: '/dataCus/get' } as const;
const DOCUMENT = 'SITE_INFO';

let asked: Promise<SiteInfo | null> | undefined;

/** Whose site it is, as operators configured it: asked once for a page. Null while nothing is configured, and when it cannot be read. */
function siteInfo(): Promise<SiteInfo | null> {
  asked ??= callRoute<typeof getDataConfig>(ROUTE, { id: DOCUMENT })
    // It was checked where it was written.
    .then(({ valued }) => JSON.parse(valued) as SiteInfo)
    .catch(() => {
      asked = undefined;
      return null;
    });
  return asked;
}

/** Null until it is known; what is shown then are the words that the site came with. */
export function useSiteInfo(): SiteInfo | null {
  const { siteInfo: sent } = use(SiteDataContext);
  const [asked, setAsked] = useState<SiteInfo | null>(null);
  useEffect(() => {
    if (sent !== undefined) return undefined;
    let here = true;
    void siteInfo().then((found) => here && setAsked(found));
    return () => {
      here = false;
    };
  }, [sent]);
  return sent ?? asked;
}

/** The name of the house (decisions §6). */
export function useBrand(): string {
  const t = useMessages('shared');
  return useSiteInfo()?.brand[language] || t('brand');
}

/** The copyright line. */
export function useCopyright(): string {
  const t = useMessages('shared');
  const brand = useBrand();
  return useSiteInfo()?.copyright[language] || t('copyright', { brand });
}

/** What the house does, in a sentence or two. */
export function useCompany(): string {
  const t = useMessages('shared');
  const brand = useBrand();
  return useSiteInfo()?.company[language] || t('company', { brand });
}
