/**
 * The routes of the pages for everybody, for the browser and for the server that draws them beforehand. The page that is drawn first is
 * there when the routes are made: what a server sent can then be taken over as it stands (docs/decisions/0026).
 */
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { loadTexts } from '../shared/i18n/texts.js';
import { BrokenPage, BrokenPart } from './broken-page.js';
import type { PageRow } from './page-row.js';
import { publicPages } from './public-pages.js';
import { SiteLayout } from './site/site-layout.js';

export type ReadyPage = { row: PageRow; Component: ComponentType };

/** The page's code and texts. */
export async function loadPage(row: PageRow): Promise<ReadyPage> {
  const [file] = await Promise.all([row.page(), loadTexts(...row.texts)]);
  return { row, Component: file.default };
}

/** The same where it may fail: not thrown, for the router draws nothing at all where the code of a page has failed. */
export const loadPageOrSaySo = (row: PageRow): Promise<ReadyPage> =>
  loadPage(row).catch(() => ({ row, Component: row.layout === 'bare' ? BrokenPage : BrokenPart }));

/** What every page's route has; its code comes when somebody goes there. */
export const routeOf = (row: PageRow): RouteObject => ({
  path: row.path,
  handle: row,
  lazy: async () => {
    const { Component } = await loadPageOrSaySo(row);
    return { Component };
  },
});

/** `ready`: the page that is drawn first. */
export function siteRoutes(ready: ReadyPage | undefined): RouteObject[] {
  const rowsIn = (layout: PageRow['layout']): RouteObject[] =>
    publicPages
      .filter((row) => row.layout === layout)
      .map((row) => (row === ready?.row ? { path: row.path, handle: row, Component: ready.Component } : routeOf(row)));
  return [{ element: <SiteLayout />, children: rowsIn('site') }, ...rowsIn('bare')];
}
