import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { publicPageAt } from './public-pages.js';

/** Every address that nobody knows is the home page's (decisions §6): the server has sent that one, and now the address says so. */
export function settleAddress(): void {
  const { pathname, search } = location;
  if (isConsoleAddress(pathname) || publicPageAt(pathname)) return;
  history.replaceState(history.state, '', `/home${search}`);
}

const plain = (pathname: string): string => pathname.replace(/(?<=.)\/+$/, '').toLowerCase();

/** Whether what stands at `here` is the page that was drawn for `address`: that path, with what its query says at least. */
export function isDrawnFor(address: string, here: Pick<Location, 'pathname' | 'search'>): boolean {
  const [pathname = '', search] = address.split('?', 2);
  const query = new URLSearchParams(here.search);
  return (
    plain(pathname) === plain(here.pathname) &&
    [...new URLSearchParams(search)].every(([name, value]) => query.get(name) === value)
  );
}
