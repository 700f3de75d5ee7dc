/** What a server draws: each page once, and twice where the query decides what it is. */
import { addressOf, PLACES } from '../pages/tutorial/tree.js';
import { sitePages, type SitePage } from '../page-table.js';

const SECTIONS: SitePage['path'] = '/productDesc/:section?';
/** Nobody's search results: what belongs to one person or to one moment. */
const UNLISTED: readonly SitePage['path'][] = ['/login', '/PaySuccess', '/UserCenterExit'];

export const isListed = ({ path }: SitePage): boolean => !UNLISTED.includes(path);

const addressesOf = ({ path }: SitePage): readonly string[] => {
  if (path === SECTIONS) return PLACES.map(({ id }) => addressOf(id));
  return path === '/login' ? [path, `${path}?type=2`] : [path];
};

/** Each with whether search engines may keep it. */
export const addresses = sitePages.flatMap((row) =>
  addressesOf(row).map((address) => ({ address, listed: isListed(row) })),
);
