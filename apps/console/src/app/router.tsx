import type { ReactNode } from 'react';
import {
  createBrowserRouter,
  redirect,
  type LoaderFunctionArgs,
  type RouteObject,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { currentSession, sessionSettled } from '../shared/api/session.js';
import { rememberWayBack } from '../shared/auth/way-back.js';
import { loadTexts } from '../shared/i18n/texts.js';
import { BrokenPage, BrokenPart } from './broken-page.js';
import { loadConsoleLocale } from './console/console-locale.js';
import { FirstLoad } from './first-load.js';
import { Frame } from './frame.js';
import { pages, type PageRow } from './pages.js';
import { SiteLayout } from './site/site-layout.js';

/** Asks who is here while the code of the console is still on its way; whoever shows the member shares the answer. */
async function askForMember(): Promise<void> {
  const [{ freshUser }] = await Promise.all([import('../shared/auth/user.js'), loadTexts('shared')]);
  await freshUser();
}

/** A console page without a session goes to login, which brings the person back here afterwards (decisions §2, §6). */
async function membersOnly({ request }: LoaderFunctionArgs): Promise<Response | null> {
  await sessionSettled();
  if (currentSession()) {
    askForMember().catch(() => undefined); // the shell asks once more, and says what is wrong
    return null;
  }
  const { pathname, search } = new URL(request.url);
  rememberWayBack(pathname + search);
  return redirect('/login?type=1');
}

/** Filters and pages of a list are in the query: they are no new visit. */
const isAnotherPage = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.pathname !== nextUrl.pathname;

const routeOf = (row: PageRow): RouteObject => ({
  path: row.path,
  handle: row,
  // What breaks a page of the console leaves the top bar and the menu alone.
  ...(row.layout === 'console' ? { errorElement: <BrokenPart /> } : {}),
  ...(row.who === 'public' ? {} : { loader: membersOnly, shouldRevalidate: isAnotherPage }),
  lazy: () =>
    Promise.all([row.page(), loadTexts(...row.texts)]).then(
      ([file]) => ({ Component: file.default }),
      // Not thrown: the router draws nothing at all where the code of a page has failed.
      () => ({ Component: row.layout === 'bare' ? BrokenPage : BrokenPart }),
    ),
});

const rowsIn = (layout: PageRow['layout']): RouteObject[] => pages.filter((row) => row.layout === layout).map(routeOf);

/** `/#/download` is an old address of the download page (decisions §6); every other unknown path is the home page. */
const toHome = ({ request }: LoaderFunctionArgs): Response => {
  const { search } = new URL(request.url); // an invitation on the way from login to home
  return redirect(location.hash === '#/download' ? '/download' : `/home${search}`);
};
const toPage = ({ params, request }: LoaderFunctionArgs): Response => {
  const { search } = new URL(request.url);
  const row = pages.find(({ path }) => path.toLowerCase() === `/${params['page'] ?? ''}`.toLowerCase());
  return redirect(row ? row.path + search : '/home');
};

const redirects: RouteObject[] = [
  { path: '/userCenter', loader: () => redirect('/UserCenterIndex'), element: null },
  { path: '/userCenter/:page', loader: toPage, element: null },
  { path: '*', loader: toHome, element: null },
];

const withFrame = (element: ReactNode, children: RouteObject[]): RouteObject => ({ element, children });

export const createRouter = () =>
  createBrowserRouter([
    {
      element: <Frame />,
      errorElement: <BrokenPage />,
      HydrateFallback: FirstLoad,
      children: [
        withFrame(<SiteLayout />, rowsIn('site')),
        ...rowsIn('bare'),
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
          children: rowsIn('console'),
        },
        ...redirects,
      ],
    },
  ]);
