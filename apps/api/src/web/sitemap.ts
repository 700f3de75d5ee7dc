import { BASE_PATH, DOOR_PATHS } from '@yiqiao/contracts/envelope';
import type { FastifyInstance } from 'fastify';

/** Disallowed paths; robots compare case-sensitively. */
const DISALLOWED = [
  `${BASE_PATH}/`,
  ...Object.values(DOOR_PATHS).map((path) => `${path}/`),
  '/User',
  '/user',
  '/login',
  '/PaySuccess',
];

/** An address without `?lang=` is Chinese. */
const LANGUAGES = [
  ['zh-CN', ''],
  ['en', '?lang=en'],
] as const;

/** The pages to list when the site was not built. */
const PAGES = ['/home', '/price', '/download', '/productDesc', '/useDoc', '/contactUs'];
const RULES = ['/term-and-condition', '/privacy', '/refund'];

/** `publicUrl` without a trailing slash; `pages`: paths, once the site is loaded. */
export type Listed = { publicUrl: string; pages: () => readonly string[] | undefined };

/** Serves robots.txt and a sitemap of the public pages in both languages. */
export function serveSitemap(fastify: FastifyInstance, listed: Listed): void {
  const robots = robotsOf(listed);
  fastify.get('/robots.txt', (_, reply) =>
    reply.header('Cache-Control', 'no-cache').type('text/plain; charset=utf-8').send(robots),
  );
  fastify.get('/sitemap.xml', (_, reply) =>
    reply
      .header('Cache-Control', 'no-cache')
      .header('Vary', 'Accept-Encoding')
      .type('application/xml; charset=utf-8')
      .send(sitemapOf(listed)),
  );
}

const robotsOf = ({ publicUrl }: Listed): string =>
  ['User-agent: *', ...DISALLOWED.map((path) => `Disallow: ${path}`), `Sitemap: ${publicUrl}/sitemap.xml`, ''].join(
    '\n',
  );

/** Without `lastmod`, because the time of a change is not known (docs/decisions/0026). */
function sitemapOf({ publicUrl, pages }: Listed): string {
  const link = (language: string, url: string): string =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`;
  const urls = (pages() ?? [...PAGES, ...RULES]).flatMap((page) => {
    const alternates = LANGUAGES.map(([language, query]) => link(language, `${publicUrl}${page}${query}`)).join('');
    const links = alternates + link('x-default', `${publicUrl}${page}`);
    return LANGUAGES.map(([, query]) => `<url><loc>${publicUrl}${page}${query}</loc>${links}</url>`);
  });
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<urlset ${spaces}>`, ...urls, '</urlset>', ''].join('\n');
}
