/** The head of a public page (docs/decisions/0026): what it is called, where it stands, what it looks like from afar. */
import { fill } from '../../shared/i18n/fill.js';
import { language } from '../../shared/i18n/language.js';
import { messagesOf } from '../../shared/i18n/messages.js';
import type { SiteData } from '../../shared/site/site-data.js';
import { theSections } from '../pages/tutorial/content.js';
import { FIRST, isSection, sectionIn } from '../pages/tutorial/tree.js';
import { titleOf } from '../../shared/page-frame.js';
import { canonicalOf } from '../paths.js';
import type { SitePage } from '../page-table.js';
import { isListed } from './addresses.js';
import { descriptions as en } from './descriptions.en.js';
import { descriptions as zh } from './descriptions.zh.js';
import { productsOf } from './products.js';
import { jsonLd, tag, escaped } from './tags.js';

export type Place = { row: SitePage; pathname: string; data: SiteData; publicUrl: string };

const PICTURE = { path: '/share.png', width: '1200', height: '630' };

/** What the page is about: a section of the tutorial speaks for itself. */
function about({ row, pathname }: Place, brand: string): { name: string; description: string } {
  const section = row.path.startsWith('/productDesc') ? (sectionIn(pathname) ?? FIRST) : undefined;
  if (section !== undefined) {
    if (!isSection(section)) throw new Error(`no section ${section}`);
    const { title, lead } = theSections()[section];
    return { name: title, description: lead };
  }
  const description = (language === 'en' ? en : zh)[row.path];
  if (description === undefined) throw new Error(`nobody has described ${row.path}`);
  return { name: messagesOf('site')(row.name), description: fill(description, { brand }) };
}

export function headOf(place: Place): string {
  const { row, pathname, data, publicUrl } = place;
  const brand = data.siteInfo?.brand[language] || messagesOf('shared')('brand');
  const { name, description } = about(place, brand);
  const title = titleOf(name, brand);
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
    tag('meta', { property: 'og:image', content: publicUrl + PICTURE.path }),
    tag('meta', { property: 'og:image:width', content: PICTURE.width }),
    tag('meta', { property: 'og:image:height', content: PICTURE.height }),
    tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    ...(row.path === '/price' ? productsOf({ plans: data.plans ?? [], brand, description, url }).map(jsonLd) : []),
  ].join('\n    ');
}
