/** The whole document of a public page, made from the page that the build made for the console. */
import { language, locale } from '../../shared/i18n/language.js';
import type { SiteData } from '../../shared/site/site-data.js';
import type { SitePage } from '../page-table.js';
import { template } from './client-files.js';
import { headOf, type Place } from './head-of.js';
import { filesOfPage } from './page-files.js';
import { escaped, tag } from './tags.js';

/** The pages that show each part of what a server knows; the head and the foot of the site are on nearly all. */
const SHOWN_ON: Partial<Record<keyof SiteData, readonly SitePage['path'][]>> = {
  plans: ['/price'],
  prices: ['/price'],
  downloads: ['/download'],
};

const shownOn = ({ path }: SitePage, data: SiteData): SiteData =>
  Object.fromEntries(Object.entries(data).filter(([part]) => SHOWN_ON[part as keyof SiteData]?.includes(path) ?? true));

/** The page is read before it is worked with: on a slow line its styles must not share the way with scripts and faces. */
const LATER = { fetchpriority: 'low' } as const;
const PAGE = template.replaceAll(/(?<= crossorigin)(?= (?:src|href)="[^"]*[.]js")/g, ' fetchpriority="low"');

/** Exactly one place each, or the build is not the one that this program was made for. */
function put(html: string, place: RegExp, text: string): string {
  const [before, after, ...more] = html.split(place);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`index.html: ${place.source}`);
  return before + text + after;
}

export type Drawn = Place & { address: string; markup: string };

export function documentOf({ address, markup, ...place }: Drawn): string {
  const { scripts, styles, fonts } = filesOfPage(place.row, markup);
  const early = [
    headOf(place),
    tag('meta', { name: 'site-data', content: JSON.stringify(shownOn(place.row, place.data)) }),
    ...fonts.map((href) =>
      tag('link', { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', ...LATER, href }),
    ),
  ];
  // After those of the entry, as they come when somebody goes there from another page.
  const late = [
    ...scripts.map((href) => tag('link', { rel: 'modulepreload', crossorigin: '', ...LATER, href })),
    ...styles.map((href) => tag('link', { rel: 'stylesheet', crossorigin: '', href })),
  ];
  const root = `<div id="root" data-address="${escaped(address)}" data-language="${language}">${markup}</div>`;
  return [
    [/<html lang="[^"]*">/, `<html lang="${locale}">`] as const,
    [/<!--page:[^]*?<!--\/page-->/, early.join('\n    ')] as const,
    [/<\/head>/, `  ${late.join('\n    ')}\n  </head>`] as const,
    [/<div id="root"><\/div>\s*<noscript>[^<]*<\/noscript>/, root] as const,
  ].reduce((html, [where, text]) => put(html, where, text), PAGE);
}
