import type { Response } from '@yiqiao/contracts/endpoint';
import type { listSale } from '@yiqiao/contracts/plans';
import type { listCustomerService } from '@yiqiao/contracts/site';
import type { SiteInfo } from '@yiqiao/contracts/site-documents';
import { createContext } from 'react';

/** What the server knew when it made the page. What is not named here is asked for when it is needed. */
export type SiteData = {
  /** The site as everybody reaches it, without a final slash. */
  origin?: string;
  siteInfo?: SiteInfo | null;
  plans?: Response<typeof listSale>;
  /** Micro-yuan per character of each channel. */
  prices?: readonly { readonly id: number; readonly price: number }[];
  /** The text of SOFT_DOWNLOAD_CONFIG. */
  downloads?: string;
  /** Codes at 400 pixels (specification §7). */
  service?: Response<typeof listCustomerService>;
};

/** The same on the server and in the browser, so that the first picture of a page is the one that was sent. */
export const SiteDataContext = createContext<SiteData>({});

/** What came with the document, in its `<meta name="site-data">`. Pages that were not made with data have none. */
export function readSiteData(): SiteData {
  const text = document.querySelector<HTMLMetaElement>('meta[name=site-data]')?.content;
  return text ? (JSON.parse(text) as SiteData) : {};
}
