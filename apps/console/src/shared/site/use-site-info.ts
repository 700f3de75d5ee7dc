import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { useEffect, useState } from 'react';
import { siteInfo } from './site-info.js';

/** Null until it is known; what is shown then are the words that the site came with. */
export function useSiteInfo(): SiteInfo | null {
  const [info, setInfo] = useState<SiteInfo | null>(null);
  useEffect(() => {
    let here = true;
    void siteInfo().then((found) => here && setInfo(found));
    return () => {
      here = false;
    };
  }, []);
  return info;
}
