import '@ant-design/v5-patch-for-react-19';
import { Refine, type RefineProps, type ResourceProps } from '@refinedev/core';
import routerProvider from '@refinedev/react-router';
import { useState } from 'react';
import {
  createBrowserRouter,
  NavigationType,
  Outlet,
  redirect,
  useLocation,
  useNavigation,
  useNavigationType,
  type LoaderFunctionArgs,
  type RouteObject,
} from 'react-router';
import { AntdProvider } from '../shared/antd/antd-provider.js';
import { messagesOf, useMessages } from '../shared/i18n/messages.js';
import { usePageStart, useTitle } from '../shared/page-frame.js';
import { i18nProvider } from '../shared/refine/locale.js';
import { notificationProvider, REFINE_OPTIONS } from '../shared/refine/options.js';
import { BrokenPage, BrokenPart } from '../shared/ui/broken-page.js';
import { NavigationProgress } from '../shared/ui/navigation-progress.js';
import { readSession, signInPath } from './shared/api/session.js';
import { liveProvider } from './shared/live.js';
import { accessControlProvider, auditLogProvider, authProvider, dataProvider } from './providers.js';
import { operatorPages, type OperatorPage, type PageMeta } from './resources.js';
import { useRow } from './shell/rail.js';
import { NotFound, Shell } from './shell/shell.js';

/** A resource may have two pages: its list and one record. */
function resourcesOf(pages: readonly OperatorPage[]): ResourceProps[] {
  const t = messagesOf('operator');
  return [...new Set(pages.map(({ resource }) => resource))].map((name) => {
    const own = pages.filter(({ resource }) => resource === name);
    const list = own.find(({ shows }) => shows !== 'record');
    const record = own.find(({ shows }) => shows === 'record');
    const menu = list?.menu;
    return {
      name,
      ...(list ? { list: list.path } : {}),
      ...(record ? { show: record.path } : {}),
      meta: {
        label: list ? t(list.name) : name,
        group: menu?.group ?? null,
        icon: menu?.icon ?? null,
        hide: menu === undefined,
      } satisfies PageMeta,
    };
  });
}

const PROVIDERS = {
  dataProvider,
  authProvider,
  auditLogProvider,
  i18nProvider,
  accessControlProvider,
  routerProvider,
  liveProvider,
  notificationProvider,
} satisfies RefineProps;

/** Denser than a member's page (OPERATOR.md §1). */
const TOKEN = { controlHeight: 36, controlHeightSM: 30 };

/** Around every page, the sign-in too: Refine, title, scroll position, and the progress line of the next page. */
function Frame() {
  const t = useMessages('operator');
  const shared = useMessages('shared');
  const [resources] = useState(() => resourcesOf(operatorPages));
  const row = useRow();
  const { pathname } = useLocation();
  useTitle(row && t(row.name), `${shared('brand')} ${t('operators')}`);
  usePageStart(pathname, useNavigationType() === NavigationType.Pop);
  const { state } = useNavigation();
  return (
    <AntdProvider token={TOKEN}>
      <Refine {...PROVIDERS} resources={resources} options={REFINE_OPTIONS}>
        {state === 'loading' && <NavigationProgress />}
        <Outlet />
      </Refine>
    </AntdProvider>
  );
}

async function operatorsOnly({ request }: LoaderFunctionArgs): Promise<Response | null> {
  if (await readSession()) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(signInPath(pathname + search));
}

const lazyPage =
  (page: OperatorPage['page']): RouteObject['lazy'] =>
  () =>
    page().then(
      ({ default: Component }) => ({ Component }),
      () => ({ Component: BrokenPart }),
    );

const routeOf = (row: OperatorPage): RouteObject => ({
  path: row.path,
  handle: row,
  lazy: lazyPage(row.page),
  // An error in a page leaves the bars in place.
  errorElement: <BrokenPart />,
});

const SIGNED_OUT = [
  { path: '/sign-in', name: 'pageSignIn', page: () => import('./pages/sign-in/sign-in-page.js') },
  { path: '/sign-in/code', name: 'pageCode', page: () => import('./pages/sign-in/code-page.js') },
  { path: '/enrol', name: 'pageEnrol', page: () => import('./pages/sign-in/enrol-page.js') },
] as const;

const NOT_FOUND = { name: 'pageNotFound', resource: '' };

export const createRouter = () =>
  createBrowserRouter([
    {
      element: <Frame />,
      errorElement: <BrokenPage />,
      HydrateFallback: NavigationProgress,
      children: [
        ...SIGNED_OUT.map(({ path, name, page }) => ({ path, handle: { name }, lazy: lazyPage(page) })),
        {
          Component: Shell,
          loader: operatorsOnly,
          // A change of the query is not a new visit.
          shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
          children: [...operatorPages.map(routeOf), { path: '*', handle: NOT_FOUND, Component: NotFound }],
        },
      ],
    },
  ]);
