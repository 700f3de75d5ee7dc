import { pageAt, type SitePage } from './page-table.js';
import { plainPath } from './paths.js';

/** The page at the address. Unknown addresses are the home page's (decisions §6): the server has sent that one, and now the address says so. */
export function settleAddress(): SitePage | undefined {
  const { pathname, search } = location;
  const page = pageAt(pathname);
  if (!page) history.replaceState(history.state, '', `/home${search}`);
  return page ?? pageAt('/home');
}

/** Whether what stands at `here` is the page that was drawn for `address`: that path, with what its query says at least. */
export function isDrawnFor(address: string, here: Pick<Location, 'pathname' | 'search'>): boolean {
  const [pathname = '', search] = address.split('?', 2);
  const query = new URLSearchParams(here.search);
  return (
    plainPath(pathname) === plainPath(here.pathname) &&
    [...new URLSearchParams(search)].every(([name, value]) => query.get(name) === value)
  );
}
