import type { ReactNode } from 'react';
import {
  createBrowserRouter,
  redirect,
  type LoaderFunctionArgs,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { isLeavingForHome } from '../shared/api/failures.js';
import { currentSession, sessionSettled } from '../shared/api/session.js';
import { rememberWayBack } from '../shared/auth/way-back.js';
import { loadTexts } from '../shared/i18n/texts.js';
import { BrokenPage, BrokenPart } from './broken-page.js';
import { loadConsoleLocale } from './console/console-locale.js';
import { consolePages } from './console-pages.js';
import { apart, leadTo, untilGone } from './documents-apart.js';
import { FirstLoad } from './first-load.js';
import { Frame } from './frame.js';
import type { PageRow } from './page-row.js';
import { pages } from './pages.js';
import { routeOf, siteRoutes, type ReadyPage } from './site-routes.js';

/** Asks who is here while the code of the console is still on its way; whoever shows the member shares the answer. */
async function askForMember(): Promise<void> {
  const [{ freshUser }] = await Promise.all([import('../shared/auth/user.js'), loadTexts('shared')]);
  await freshUser();
}

/** A console page without a session goes to login, which brings the person back here afterwards (decisions §2, §6). */
async function membersOnly({ request }: LoaderFunctionArgs): Promise<Response | null> {
  await sessionSettled();
  // Said to have expired a moment ago: home comes next, not login (specification §8).
  if (isLeavingForHome()) await untilGone();
  if (currentSession()) {
    askForMember().catch(() => undefined); // the shell asks once more, and says what is wrong
    return null;
  }
  const { pathname, search } = new URL(request.url);
  rememberWayBack(pathname + search);
  return leadTo('/login?type=1');
}

/** Filters and pages of a list are in the query: they are no new visit. */
const isAnotherPage = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname;

const consoleRoutes = (): RouteObject[] =>
  consolePages.map((row: PageRow) => ({
    ...routeOf(row),
    // What breaks a page of the console leaves the top bar and the menu alone.
    errorElement: <BrokenPart />,
    loader: membersOnly,
    shouldRevalidate: isAnotherPage,
  }));

/** An invitation on the way from login to home stays in the address; every unknown path is the home page (decisions §6). */
const toHome = ({ request }: LoaderFunctionArgs): Promise<Response> => leadTo(`/home${new URL(request.url).search}`);

const toPage = ({ params, request }: LoaderFunctionArgs): Promise<Response> => {
  const { search } = new URL(request.url);
  const row = pages.find(({ path }) => path.toLowerCase() === `/${params['page'] ?? ''}`.toLowerCase());
  return leadTo(row ? row.path + search : '/home');
};

const redirects: RouteObject[] = [
  { path: '/userCenter', loader: () => redirect('/UserCenterIndex'), element: null },
  { path: '/userCenter/:page', loader: toPage, element: null },
  { path: '*', loader: toHome, element: null },
];

const withFrame = (element: ReactNode, children: RouteObject[]): RouteObject => ({ element, children });

/** `ready`: the public page at the address on screen, if it is one. */
export const createRouter = (ready: ReadyPage | undefined) =>
  apart(
    createBrowserRouter([
      {
        ...withFrame(<Frame />, [
          ...siteRoutes(ready),
          {
            // antd and Refine live in this chunk and in nothing that a visitor loads.
            lazy: async () => {
              const [{ Console }] = await Promise.all([
                import('./console/console.js'),
                loadConsoleLocale(),
                loadTexts('standing'),
              ]);
              return { Component: Console };
            },
            children: consoleRoutes(),
          },
          ...redirects,
        ]),
        errorElement: <BrokenPage />,
        HydrateFallback: FirstLoad,
      },
    ]),
  );
