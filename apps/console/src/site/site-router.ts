/**
 * The router of the site: a dozen pages without loaders or patterns (docs/decisions/0045). The next page is loaded before it replaces the
 * current one; all other addresses are left to the browser.
 */
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { useCallback, useEffect, useRef, useState } from 'react';
import { leaveFor } from '../shared/leave.js';
import { loadPageOrMessage, type ReadyPage } from './load-page.js';
import { pageAt } from './page-table.js';
import { plainPath } from './paths.js';
import type { Navigate, SiteLocation } from './shared/routing.js';

/** The current view. `visit` counts navigations; `byHistory`: reached by back or forward. */
export type View = { page: ReadyPage; place: SiteLocation; visit: number; byHistory: boolean };

type Entry = 'push' | 'replace' | 'none';

const HOME = '/home';

const placeOf = ({ pathname, search }: URL | Location): SiteLocation => ({ pathname, search });
const isHome = (pathname: string): boolean => ['/', '/index'].includes(plainPath(pathname));

/** The target of a click, if it is another page of the site in this tab. */
function clickedLink(event: MouseEvent): { url: URL; replace: boolean } | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !['', '_self'].includes(link.target) || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin) return null;
  const replace = 'replace' in link.dataset;
  if (isConsoleAddress(url.pathname)) return replace ? { url, replace } : null;
  const isHere = url.pathname === location.pathname && url.search === location.search;
  if (isHere && url.hash !== '') return null;
  return pageAt(url.pathname) || isHome(url.pathname) ? { url, replace: replace || isHere } : null;
}

/** `first`: the page at `place`. */
export function useSiteRouter(first: ReadyPage, place: SiteLocation) {
  const [view, setView] = useState<View>({ page: first, place, visit: 0, byHistory: true });
  const [loading, setLoading] = useState(false);
  const shown = useRef(view.place);
  const visits = useRef(0);

  const go = useCallback(async (to: URL, entry: Entry): Promise<void> => {
    if (isConsoleAddress(to.pathname))
      return leaveFor(to.pathname + to.search + to.hash, { replace: entry === 'replace' });
    const row = pageAt(to.pathname) ?? pageAt(HOME);
    if (!row) throw new Error('the site has no home');
    const url = pageAt(to.pathname) ? to : new URL(HOME + to.search, location.href);
    const visit = ++visits.current;
    setLoading(true);
    const page = await loadPageOrMessage(row);
    if (visit !== visits.current) return; // superseded by another navigation
    if (entry === 'push') history.pushState(null, '', url);
    else if (entry === 'replace') history.replaceState(null, '', url);
    shown.current = placeOf(url);
    setLoading(false);
    setView({ page, place: shown.current, visit, byHistory: entry === 'none' });
  }, []);

  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = clickedLink(event);
      if (!link) return;
      event.preventDefault();
      void go(link.url, link.replace ? 'replace' : 'push');
    };
    const onHistory = (): void => {
      const { pathname, search } = shown.current;
      // Only the hash has changed, which the browser handles.
      if (pathname === location.pathname && search === location.search) return;
      void go(new URL(location.href), 'none');
    };
    document.addEventListener('click', onClick);
    addEventListener('popstate', onHistory);
    return () => {
      document.removeEventListener('click', onClick);
      removeEventListener('popstate', onHistory);
    };
  }, [go]);

  const navigate = useCallback<Navigate>(
    (to, { replace = false } = {}) => go(new URL(to, location.href), replace ? 'replace' : 'push'),
    [go],
  );
  return { view, loading, navigate };
}
