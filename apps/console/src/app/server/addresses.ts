/** What a server draws: each page once, and twice where the query decides what it is. */
import { matchPath } from 'react-router';
import { addressOf, PLACES } from '../../features/tutorial/tree.js';
import type { PageRow } from '../page-row.js';
import { publicPages } from '../public-pages.js';

const SECTIONS: PageRow['path'] = '/productDesc/:section?';
/** Nobody's search results: what belongs to one person or to one moment. */
const UNLISTED: readonly PageRow['path'][] = ['/login', '/PaySuccess', '/UserCenterExit'];

export const isListed = ({ path }: PageRow): boolean => !UNLISTED.includes(path);

const addressesOf = ({ path }: PageRow): readonly string[] => {
  if (path === SECTIONS) return PLACES.map(({ id }) => addressOf(id));
  return path === '/login' ? [path, `${path}?type=2`] : [path];
};

/** Each with whether search engines may keep it. */
export const addresses = publicPages.flatMap((row) =>
  addressesOf(row).map((address) => ({ address, listed: isListed(row) })),
);

/** The section of the tutorial that an address leads to. */
export const sectionAt = (pathname: string): string | undefined => matchPath(SECTIONS, pathname)?.params.section;
