import type { Language } from '@yiqiao/contracts/envelope';

/** The one address of a page in a language. `pathname` as it is written in the page table. */
export const canonicalOf = (site: string, pathname: string, language: Language): string =>
  `${site}${pathname}${language === 'en' ? '?lang=en' : ''}`;

/** A path without what neither the server nor the router tells apart: letters' case and final slashes. */
export const plainPath = (pathname: string): string => pathname.replace(/(?<=.)\/+$/, '').toLowerCase();
