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

/** The operators' site configuration, requested once per page load. Null when unset or unreadable. */
function siteInfo(): Promise<SiteInfo | null> {
  asked ??= callRoute<typeof getDataConfig>(ROUTE, { id: DOCUMENT })
    // Validated when it was written.
    .then(({ valued }) => JSON.parse(valued) as SiteInfo)
    .catch(() => {
      asked = undefined;
      return null;
    });
  return asked;
}

/** Null until it is loaded; built-in messages are shown meanwhile. */
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

/** The brand name (decisions §6). */
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

/** The company description. */
export function useCompany(): string {
  const t = useMessages('shared');
  const brand = useBrand();
  return useSiteInfo()?.company[language] || t('company', { brand });
}
