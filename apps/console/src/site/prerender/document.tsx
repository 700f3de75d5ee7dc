/** The HTML document of a public page, made from the built index.html. */
import { renderToString } from 'react-dom/server';
import { language, locale } from '../../shared/i18n/language.js';
import { loadMessages } from '../../shared/i18n/messages.js';
import type { SiteData } from '../../shared/site/site-data.js';
import '../add-messages.js';
import { loadPage } from '../load-page.js';
import { pageAt, type SitePage } from '../page-table.js';
import { Site } from '../site.js';
import { assetsOf, template } from './assets.js';
import { escaped, headOf, tag, type PageContext } from './head.js';

/** The pages that show each part of the site data; what is missing here is shown in the header and footer of nearly all. */
const SHOWN_ON: Partial<Record<keyof SiteData, readonly SitePage['path'][]>> = {
  plans: ['/price'],
  prices: ['/price'],
  downloads: ['/download'],
};

const shownOn = ({ path }: SitePage, data: SiteData): SiteData =>
  Object.fromEntries(Object.entries(data).filter(([part]) => SHOWN_ON[part as keyof SiteData]?.includes(path) ?? true));

/** On a slow connection the page's styles must not compete with scripts and fonts. */
const LOW_PRIORITY = { fetchpriority: 'low' } as const;
const PAGE = template.replaceAll(/(?<= crossorigin)(?= (?:src|href)="[^"]*[.]js")/g, ' fetchpriority="low"');

/** Throws unless the template has exactly one match, as any other build would not fit this renderer. */
function replaceOnce(html: string, place: RegExp, text: string): string {
  const [before, after, ...more] = html.split(place);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`index.html: ${place.source}`);
  return before + text + after;
}

type RenderedPage = PageContext & { address: string; markup: string };

function documentOf({ address, markup, ...context }: RenderedPage): string {
  const { scripts, styles, fonts } = assetsOf(context.row, markup);
  const early = [
    headOf(context),
    tag('meta', { name: 'site-data', content: JSON.stringify(shownOn(context.row, context.data)) }),
    ...fonts.map((href) =>
      tag('link', { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', ...LOW_PRIORITY, href }),
    ),
  ];
  // After the entry's own, in the order in which a navigation would load them.
  const late = [
    ...scripts.map((href) => tag('link', { rel: 'modulepreload', crossorigin: '', ...LOW_PRIORITY, href })),
    ...styles.map((href) => tag('link', { rel: 'stylesheet', crossorigin: '', href })),
  ];
  const root = `<div id="root" data-address="${escaped(address)}" data-language="${language}">${markup}</div>`;
  return [
    [/<html lang="[^"]*">/, `<html lang="${locale}">`] as const,
    [/<!--page:[^]*?<!--\/page-->/, early.join('\n    ')] as const,
    [/<\/head>/, `  ${late.join('\n    ')}\n  </head>`] as const,
    [/<div id="root"><\/div>\s*<noscript>[^<]*<\/noscript>/, root] as const,
  ].reduce((html, [where, text]) => replaceOnce(html, where, text), PAGE);
}

/** `address`: the path of a page, with the query it depends on. `publicUrl` has no trailing slash. */
export type PageRequest = { address: string; data: SiteData; publicUrl: string };

/** Renders a page in the language of this instance. Rejects for an unknown address and when rendering fails. */
export async function renderDocument({ address, data: known, publicUrl }: PageRequest): Promise<string> {
  const data = { ...known, origin: publicUrl };
  const { pathname, search } = new URL(address, publicUrl);
  const row = pageAt(pathname);
  if (!row) throw new Error(`no page at ${address}`);
  const [page] = await Promise.all([loadPage(row), loadMessages('shared', 'site')]);
  const markup = renderToString(<Site data={data} page={page} place={{ pathname, search }} />);
  return documentOf({ row, address, pathname, data, publicUrl, markup });
}
