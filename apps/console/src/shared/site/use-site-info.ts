import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { use, useEffect, useState } from 'react';
import { language } from '../i18n/language.js';
import { useMessages } from '../i18n/messages.js';
import { SiteDataContext } from './site-data.js';
import { siteInfo } from './site-info.js';

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
