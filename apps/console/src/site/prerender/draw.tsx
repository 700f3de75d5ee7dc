/** Renders one page in the language of this instance (render.ts has one for each). */
import { renderToString } from 'react-dom/server';
import '../add-messages.js';
import { loadMessages } from '../../shared/i18n/messages.js';
import type { SiteData } from '../../shared/site/site-data.js';
import { loadPage } from '../load-page.js';
import { pageAt } from '../page-table.js';
import { Site } from '../site.js';
import { documentOf } from './document.js';

/** `address`: the path of a page, with the query that it depends on. `publicUrl` without a final slash. */
export type Drawing = { address: string; data: SiteData; publicUrl: string };

/** The whole document. Rejects for an address that is no page's, and for whatever keeps the page from being rendered. */
export async function draw({ address, data: known, publicUrl }: Drawing): Promise<string> {
  const data = { ...known, origin: publicUrl };
  const { pathname, search } = new URL(address, publicUrl);
  const row = pageAt(pathname);
  if (!row) throw new Error(`no page at ${address}`);
  const [page] = await Promise.all([loadPage(row), loadMessages('shared', 'site')]);
  const markup = renderToString(<Site data={data} page={page} place={{ pathname, search }} />);
  return documentOf({ row, address, pathname, data, publicUrl, markup });
}
