/** What a page's head says of where it is: the same words on the server and, when somebody goes on to another page, in the browser. */
import type { Language } from '@yiqiao/contracts/envelope';

export const titleOf = (name: string, brand: string): string => `${name} · ${brand}`;

/** The one address of a page in a language. `pathname` as it is written in the page table. */
export const canonicalOf = (site: string, pathname: string, language: Language): string =>
  `${site}${pathname}${language === 'en' ? '?lang=en' : ''}`;
