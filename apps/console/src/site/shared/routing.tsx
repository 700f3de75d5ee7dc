/**
 * The router's interface for pages. Links are plain `<a href>`: site-router.ts handles those to other pages of the site, the browser all
 * others. `data-replace` on a link replaces the history entry.
 */
import { createContext, use, useMemo, type ReactNode } from 'react';
import { plainPath } from '../paths.js';

/** The current location. */
export type SiteLocation = { pathname: string; search: string };
/** Navigates to an internal path, of either entry; resolves when the page is shown. */
export type Navigate = (to: string, options?: { replace?: boolean }) => Promise<void>;

export const RoutingContext = createContext<{ place: SiteLocation; navigate: Navigate } | null>(null);

function useRouting() {
  const routing = use(RoutingContext);
  if (!routing) throw new Error('a page of the site outside its router');
  return routing;
}

export const useLocation = (): SiteLocation => useRouting().place;
export const useNavigate = (): Navigate => useRouting().navigate;

export function useQuery(): URLSearchParams {
  const { search } = useLocation();
  return useMemo(() => new URLSearchParams(search), [search]);
}

type NavLinkProps = {
  href: string;
  /** Matches the path exactly, not the paths below it. */
  end?: boolean;
  onClick?: () => void;
  children: ReactNode;
};

/** A link with `aria-current` for the current page. */
export function NavLink({ href, end = false, onClick, children }: NavLinkProps) {
  const here = plainPath(useLocation().pathname);
  const there = plainPath(href.split('?', 1)[0] ?? '');
  const current = here === there || (!end && here.startsWith(`${there}/`));
  return (
    <a href={href} aria-current={current ? 'page' : undefined} onClick={onClick}>
      {children}
    </a>
  );
}
