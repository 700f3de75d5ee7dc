/** The head of a public page (docs/decisions/0026): title, description, canonical URL, Open Graph, JSON-LD. */
import { fill } from '../../shared/i18n/fill.js';
import { language } from '../../shared/i18n/language.js';
import { messagesOf } from '../../shared/i18n/messages.js';
import { titleOf } from '../../shared/page-frame.js';
import type { SiteData } from '../../shared/site/site-data.js';
import { sitePages, type SitePage } from '../page-table.js';
import { theSections } from '../pages/tutorial/content.js';
import { addressOf, FIRST, isSection, PLACES, sectionIn } from '../pages/tutorial/tree.js';
import { canonicalOf } from '../paths.js';
import { descriptions as en } from './descriptions.en.js';
import { descriptions as zh } from './descriptions.zh.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escaped for text and attribute values; nothing else escapes. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** An empty attribute is written without a value. */
export const tag = (name: 'link' | 'meta', attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => (value === '' ? ` ${key}` : ` ${key}="${escaped(value)}"`))
    .join('')}>`;

const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;

type Plans = NonNullable<SiteData['plans']>;
type About = { plans: Plans; brand: string; description: string; url: string };

const FEN_PER_YUAN = 100;

/** The packages on sale as structured data for search engines (schema.org). */
const productsOf = ({ plans, brand, description, url }: About): readonly Record<string, unknown>[] =>
  plans.map(({ id, name, enName, salePrice }) => ({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `${brand} · ${language === 'zh' ? name : enName}`,
    description,
    sku: String(id),
    brand: { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      price: (salePrice / FEN_PER_YUAN).toFixed(2),
      priceCurrency: 'CNY',
      availability: 'https://schema.org/InStock',
      url,
    },
  }));

const SECTIONS = '/productDesc/:section?' satisfies SitePage['path'];
/** Not for search results: they belong to one person or one moment. */
const UNLISTED: readonly SitePage['path'][] = ['/login', '/PaySuccess', '/UserCenterExit'];

const isListed = ({ path }: SitePage): boolean => !UNLISTED.includes(path);

/** Each page once, and twice where the query decides what it shows. */
const addressesOf = ({ path }: SitePage): readonly string[] => {
  if (path === SECTIONS) return PLACES.map(({ id }) => addressOf(id));
  return path === '/login' ? [path, `${path}?type=2`] : [path];
};

/** All prerendered addresses. `listed`: search engines may index it. */
export const addresses = sitePages.flatMap((row) =>
  addressesOf(row).map((address) => ({ address, listed: isListed(row) })),
);

export type PageContext = { row: SitePage; pathname: string; data: SiteData; publicUrl: string };

const SHARE_IMAGE = { path: '/share.png', width: '1200', height: '630' };

/** Name and description; sections of the tutorial bring their own. */
function about({ row, pathname }: PageContext, brand: string): { name: string; description: string } {
  if (row.path === SECTIONS) {
    const section = sectionIn(pathname) ?? FIRST;
    if (!isSection(section)) throw new Error(`no section ${section}`);
    const { title, lead } = theSections()[section];
    return { name: title, description: lead };
  }
  const description = (language === 'en' ? en : zh)[row.path];
  return { name: messagesOf('site')(row.name), description: fill(description, { brand }) };
}

export function headOf(context: PageContext): string {
  const { row, pathname, data, publicUrl } = context;
  const brand = data.siteInfo?.brand[language] || messagesOf('shared')('brand');
  const { name, description } = about(context, brand);
  const title = row.path === '/home' ? messagesOf('site')('homeTitle', { brand }) : titleOf(name, brand);
  const url = canonicalOf(publicUrl, pathname, language);
  const alternates = { 'zh-CN': 'zh', en: 'en', 'x-default': 'zh' } as const;
  const open = { type: 'website', site_name: brand, title, description, url };
  return [
    `<title>${escaped(title)}</title>`,
    tag('meta', { name: 'description', content: description }),
    ...(isListed(row)
      ? [
          tag('link', { rel: 'canonical', href: url }),
          ...Object.entries(alternates).map(([hreflang, spoken]) =>
            tag('link', { rel: 'alternate', hreflang, href: canonicalOf(publicUrl, pathname, spoken) }),
          ),
        ]
      : [tag('meta', { name: 'robots', content: 'noindex' })]),
    ...Object.entries(open).map(([key, content]) => tag('meta', { property: `og:${key}`, content })),
    tag('meta', { property: 'og:locale', content: language === 'en' ? 'en_US' : 'zh_CN' }),
    tag('meta', { property: 'og:locale:alternate', content: language === 'en' ? 'zh_CN' : 'en_US' }),
    tag('meta', { property: 'og:image', content: publicUrl + SHARE_IMAGE.path }),
    tag('meta', { property: 'og:image:width', content: SHARE_IMAGE.width }),
    tag('meta', { property: 'og:image:height', content: SHARE_IMAGE.height }),
    tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    ...(row.path === '/price' ? productsOf({ plans: data.plans ?? [], brand, description, url }).map(jsonLd) : []),
  ].join('\n    ');
}
