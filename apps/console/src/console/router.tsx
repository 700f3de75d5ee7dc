import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { useEffect } from 'react';
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { isLeavingForHome } from '../shared/api/failures.js';
import { currentSession, sessionSettled } from '../shared/api/session.js';
import { freshUser } from '../shared/auth/user.js';
import { rememberReturnPath } from '../shared/auth/return-path.js';
import { leaveFor } from '../shared/leave.js';
import { BrokenPage, BrokenPart } from '../shared/ui/broken-page.js';
import { Console } from './console.js';
import { Frame } from './frame.js';
import { PageSkeleton } from './page-skeleton.js';
import { type ConsolePage, consolePages } from './page-table.js';

const isPage = (): boolean => consolePages.some(({ path }) => path === location.pathname);

/** The outline of the console while the code of the first page loads. An address that redirects shows nothing. */
function FirstLoad() {
  if (!isPage()) return null;
  return (
    <div className="first-load">
      <div className="first-load-top" />
      <div className="first-load-side" />
      <main className="first-load-main">
        <PageSkeleton />
      </main>
    </div>
  );
}

const pathOf = ({ url }: Request): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Without a session, goes to the site's login, which leads back here afterwards (decisions §2, §6). */
async function membersOnly({ request }: LoaderFunctionArgs): Promise<Response | null> {
  await sessionSettled();
  // The session has just expired: the client is leaving for home, not for login (specification §8).
  if (isLeavingForHome()) await new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }));
  if (currentSession()) {
    // Components that show the member share this request; the shell retries and shows the error.
    freshUser().catch(() => undefined);
    return null;
  }
  rememberReturnPath(pathOf(request));
  await leaveFor('/login?type=1', { replace: true });
  return redirect(pathOf(request)); // the browser has brought this document back
}

/** A change of the query (filters and page of a list) is not a new visit. */
const isAnotherPage = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname;

/** Loads the document again by itself when the network comes back. */
function BrokenUntilOnline() {
  useEffect(() => {
    const reload = (): void => location.reload();
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return <BrokenPart />;
}

const routeOf = (row: ConsolePage): RouteObject => ({
  path: row.path,
  handle: row,
  // A page that fails to load is not thrown: the router would render nothing at all.
  lazy: () =>
    row.page().then(
      ({ default: Component }) => ({ Component }),
      () => ({ Component: BrokenUntilOnline }),
    ),
  // An error in a page leaves the top bar and the menu in place.
  errorElement: <BrokenPart />,
  loader: membersOnly,
  shouldRevalidate: isAnotherPage,
});

/** Old addresses: `/userCenter/<Page>` in any case leads to the page, of this site or the other; an unknown one to the home page. */
async function toPage({ params, request }: LoaderFunctionArgs): Promise<Response> {
  const path = `/${params['page'] ?? ''}`;
  const { search } = new URL(request.url);
  const row = consolePages.find((page) => page.path.toLowerCase() === path.toLowerCase());
  if (row) return redirect(row.path + search);
  await leaveFor(path + search, { replace: true });
  return redirect(pathOf(request));
}

/** Every other address belongs to the site. The server answers unknown addresses with the home page (decisions §6). */
async function toSite({ request }: LoaderFunctionArgs): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  // The server would answer with the console again, in an endless loop.
  if (pathname === location.pathname && !isConsoleAddress(pathname))
    throw new Error(`the console was sent for ${pathname}`);
  if (isConsoleAddress(pathname)) await leaveFor(`/home${search}`, { replace: true });
  else await leaveFor(pathname + search);
  return redirect(pathOf(request));
}

const redirects: RouteObject[] = [
  { path: '/userCenter', loader: () => redirect('/UserCenterIndex'), element: null },
  { path: '/userCenter/:page', loader: toPage, element: null },
  { path: '*', loader: toSite, element: null },
];

export const createRouter = () =>
  createBrowserRouter([
    {
      element: <Frame />,
      children: [
        {
          Component: Console,
          children: consolePages.map(routeOf),
        },
        ...redirects,
      ],
      errorElement: <BrokenPage />,
      HydrateFallback: FirstLoad,
    },
  ]);
