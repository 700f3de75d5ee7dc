/**
 * What pages know of the router. Links are plain `<a href>`: site-router.ts takes over those that lead to another page of the site, and the
 * browser follows all others. `data-replace` on a link replaces the entry in the history.
 */
import { createContext, use, useMemo, type ReactNode } from 'react';
import { plainPath } from '../paths.js';

/** The address on screen. */
export type Place = { pathname: string; search: string };
/** Leads to a path of ours, of this site or another; resolves when it is on screen. */
export type Navigate = (to: string, options?: { replace?: boolean }) => Promise<void>;

export const RoutingContext = createContext<{ place: Place; navigate: Navigate } | null>(null);

function useRouting() {
  const routing = use(RoutingContext);
  if (!routing) throw new Error('a page of the site outside its router');
  return routing;
}

export const usePlace = (): Place => useRouting().place;
export const useNavigate = (): Navigate => useRouting().navigate;

export function useQuery(): URLSearchParams {
  const { search } = usePlace();
  return useMemo(() => new URLSearchParams(search), [search]);
}

type NavLinkProps = {
  href: string;
  /** Only the page itself is the current one, not those below it. */
  end?: boolean;
  onClick?: () => void;
  children: ReactNode;
};

/** A link that says whether it leads to the page on screen. */
export function NavLink({ href, end = false, onClick, children }: NavLinkProps) {
  const here = plainPath(usePlace().pathname);
  const there = plainPath(href.split('?', 1)[0] ?? '');
  const current = here === there || (!end && here.startsWith(`${there}/`));
  return (
    <a href={href} aria-current={current ? 'page' : undefined} onClick={onClick}>
      {children}
    </a>
  );
}
