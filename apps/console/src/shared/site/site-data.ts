import type { Response } from '@yiqiao/contracts/endpoint';
import type { TrialQuota } from '@yiqiao/contracts/default-site';
import type { listSale } from '@yiqiao/contracts/plans';
import type { listCustomerService } from '@yiqiao/contracts/site';
import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { createContext } from 'react';

/** The data that the server rendered the page with. Anything missing is fetched when needed. */
export type SiteData = {
  /** The public URL of the site, without a trailing slash. */
  origin?: string;
  siteInfo?: SiteInfo | null;
  plans?: Response<typeof listSale>;
  /** Micro-yuan per character of each channel. */
  prices?: readonly { readonly id: number; readonly price: number }[];
  trial?: TrialQuota;
  /** The text of SOFT_DOWNLOAD_CONFIG. */
  downloads?: string;
  /** Codes at 400 pixels (specification §7). */
  service?: Response<typeof listCustomerService>;
  /** Whether the sentence that visitors can try is switched off. */
  noTry?: true;
};

/** The same on the server and in the browser, so that hydration matches. */
export const SiteDataContext = createContext<SiteData>({});

/** The data in the document's `<meta name="site-data">`; empty for pages rendered without data. */
export function readSiteData(): SiteData {
  const text = document.querySelector<HTMLMetaElement>('meta[name=site-data]')?.content;
  return text ? (JSON.parse(text) as SiteData) : {};
}
