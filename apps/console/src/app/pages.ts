/**
 * Every page of the web (specification §2), once: the router, the menus, the titles and the guard are made from these tables.
 * Adding a page is adding a row.
 */
import { consolePages } from './console-pages.js';
import type { PageRow } from './page-row.js';
import { publicPages } from './public-pages.js';

export type { PageRow } from './page-row.js';

export const pages: readonly PageRow[] = [...publicPages, ...consolePages];

/** What Refine calls a page: its list, or else the key of its title. */
export const nameOf = ({ resource, name }: PageRow): string => resource ?? name;
