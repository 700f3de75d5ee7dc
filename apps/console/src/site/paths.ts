import type { Language } from '@yiqiao/contracts/envelope';

/** The canonical URL of a page in a language. `pathname` as written in the page table. */
export const canonicalOf = (site: string, pathname: string, language: Language): string =>
  `${site}${pathname}${language === 'en' ? '?lang=en' : ''}`;

/** A path without the differences that neither the server nor the router makes: letter case and trailing slashes. */
export const plainPath = (pathname: string): string => pathname.replace(/(?<=.)\/+$/, '').toLowerCase();

/** Whether the page prerendered for `address` is the one at `place`: the same path, and at least the query of `address`. */
export function isPrerenderedFor(address: string, place: Pick<Location, 'pathname' | 'search'>): boolean {
  const [pathname = '', search] = address.split('?', 2);
  const query = new URLSearchParams(place.search);
  return (
    plainPath(pathname) === plainPath(place.pathname) &&
    [...new URLSearchParams(search)].every(([name, value]) => query.get(name) === value)
  );
}
