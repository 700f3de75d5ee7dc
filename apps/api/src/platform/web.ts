import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.js';

const contentSecurityPolicy = (formTargets: string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // antd writes its styles at run time.
    styleSrc: ["'self'", "'unsafe-inline'"],
    // What a member chose to have translated is shown before it is sent, and what comes back is in the answer itself.
    imgSrc: ["'self'", 'data:', 'blob:'],
    mediaSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'self'", ...formTargets],
    frameSrc: ["'self'"],
    frameAncestors: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    manifestSrc: ["'self'"],
  },
});

/**
 * Where a form of ours may be posted to: Alipay's gateway, when there is one (decisions §5). The real gateway sends the browser on to
 * another host of Alipay's, and browsers hold a redirect of a form to the same rule.
 */
export function formTargets({ env }: Pick<Config, 'env'>): string[] {
  if (!env.ALIPAY_APP_ID) return [];
  const { origin, hostname } = new URL(env.ALIPAY_GATEWAY_URL);
  const alipays = /\.(alipay\.com|alipaydev\.com)$/.exec(hostname)?.[1];
  return alipays ? [origin, `https://*.${alipays}`] : [origin];
}

/** Security headers of every answer, the API's included. They are made once: each request would spell out the same policy. */
export const secureHeaders = (fastify: FastifyInstance, config: Config): void => {
  void fastify
    .register(helmet, {
      global: false,
      contentSecurityPolicy: contentSecurityPolicy(formTargets(config)),
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'sameorigin' },
      permittedCrossDomainPolicies: false,
      hsts: config.production ? { maxAge: 31_536_000 } : false,
    })
    .after(() => {
      let made: [name: string, value: number | string | string[]][] | undefined;
      fastify.addHook('onRequest', (_, { raw, helmet: apply }, done) => {
        if (made) for (const [name, value] of made) raw.setHeader(name, value);
        else {
          apply();
          made = Object.entries(raw.getHeaders()).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          );
        }
        done();
      });
    });
};

/** Text over a kilobyte travels as gzip. Awaited before any route exists: the plugin sees only routes that come after it. */
export const compressText = async (fastify: FastifyInstance): Promise<void> => {
  // What is sent to us is taken as it is: a small body must not unpack into a large one.
  const options = { encodings: ['gzip' as const, 'identity' as const], threshold: 1024, globalDecompression: false };
  await fastify.register(compress, options);
};

/** What search engines may read; the console and the API are nobody's search results. `publicUrl` without a final slash. */
export function serveIndexes(fastify: FastifyInstance, site: { publicUrl: string; pages: readonly string[] }): void {
  const robots = [
    'User-agent: *',
    `Disallow: ${BASE_PATH}/`,
    'Disallow: /User',
    `Sitemap: ${site.publicUrl}/sitemap.xml`,
  ];
  const urls = site.pages.map((page) => `<url><loc>${site.publicUrl}${page}</loc></url>`).join('');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
  fastify.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send(`${robots.join('\n')}\n`));
  fastify.get('/sitemap.xml', (_, reply) => reply.type('application/xml; charset=utf-8').send(sitemap));
}

/**
 * The site from the same origin (decisions §1): files as they are, a missing asset is 404, every other GET is the single page.
 * Only hashed assets are cached for long; the page never is, so that a new version is seen at once.
 */
export function serveSite(fastify: FastifyInstance, webDir: string): void {
  const index = path.join(webDir, 'index.html');
  if (!existsSync(index)) return;
  const page = readFileSync(index, 'utf8');
  void fastify.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const hashed = file.startsWith(path.join(webDir, 'assets') + path.sep);
      void reply.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  fastify.get('/*', (request, reply) => {
    const pathname = request.url.split('?', 1)[0] ?? '/';
    if (pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`) || pathname.startsWith('/assets/'))
      return reply.callNotFound();
    return reply.header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page);
  });
}
