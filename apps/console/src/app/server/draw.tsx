/** Draws one page in the language of this instance (render.ts has one for each). */
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { loadCommonTexts } from '../../shared/i18n/texts.js';
import { SiteDataContext, type SiteData } from '../../shared/site/site-data.js';
import { ToastHost } from '../../shared/ui/toast-host.js';
import { Frame } from '../frame.js';
import { publicPageAt } from '../public-pages.js';
import { loadPage, siteRoutes } from '../site-routes.js';
import { documentOf } from './document.js';

/** `address`: the path of a page, with the query that it depends on. `publicUrl` without a final slash. */
export type Drawing = { address: string; data: SiteData; publicUrl: string };

/** The whole document. Rejects for an address that is no page's, and whatever keeps the page from being drawn. */
export async function draw({ address, data: known, publicUrl }: Drawing): Promise<string> {
  const data = { ...known, origin: publicUrl };
  const url = new URL(address, publicUrl);
  const row = publicPageAt(url.pathname);
  if (!row) throw new Error(`no page at ${address}`);
  const [page] = await Promise.all([loadPage(row), loadCommonTexts()]);
  const handler = createStaticHandler([{ element: <Frame />, children: siteRoutes(page) }]);
  const context = await handler.query(new Request(url));
  if (context instanceof Response)
    throw new Error(`${address} leads to ${context.headers.get('location') ?? 'nowhere'}`);
  // In step with start.tsx, element by element.
  const markup = renderToString(
    <SiteDataContext value={data}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />
      <ToastHost />
    </SiteDataContext>,
  );
  return documentOf({ row, address, pathname: url.pathname, data, publicUrl, markup });
}
