import { hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { BASE_PATH, NATIVE_PATH } from '@yiqiao/contracts/envelope';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.js';
import { doorOf } from '../platform/door-paths.js';
import { encodingFor, compressed } from './compression.js';
import { consolePolicy, SVG_POLICY, FRAMED_POLICY, PUBLIC_POLICY } from './content-policy.js';
import { CONSOLE_FEATURES, OPERATOR_FEATURES } from './headers.js';

/** A prerendered public page: the same object as long as it does not change. `etag` without quotes. */
export type RenderedPage = { readonly html: string; readonly language: 'zh' | 'en'; readonly etag: string };

/** `pages`: the public pages, once they are loaded; `formTargets`: allowed form actions of the console. */
export type Site = {
  webDir: string;
  formTargets: readonly string[];
  pages: () => { pageFor: (url: string, cookie: string | undefined) => RenderedPage | undefined } | undefined;
};

/** The HTML documents of the site and of the console (apps/console/vite.config.ts), and of the operator console (vite.operator.config.ts). */
const ENTRIES = ['index.html', 'console.html'];
const OPERATOR_ENTRY = 'operator.html';
/** Where the build put the members' files; the operators' and the prerendered ones are beside it. */
export const webDirOf = ({ env }: Pick<Config, 'env'>): string =>
  env.WEB_DIR ?? path.resolve(import.meta.dirname, '../../../../console/dist');

const HASHED = 'public, max-age=31536000, immutable';
const SVG = /\.svg(\.br|\.gz)?$/;
const LANGUAGE_TAG = { zh: 'zh-CN', en: 'en' };

const AGREEMENT = /^\/term-and-condition\/?$/i;
/** Monitoring paths and what would be below them: answering with a page and 200 would look healthy. Existing ones have their own routes. */
const MONITORING = /^\/(metrics|livez|readyz|startupz|healthz?)(\/|$)/i;
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';

/**
 * Serves the site from the same origin (decisions §1): files, 404 for missing assets, a page for every other GET. Only hashed assets are
 * cached; pages are revalidated, so that a new version shows at once.
 */
export function serveSite(fastify: FastifyInstance, site: Site): void {
  const { webDir, pages } = site;
  const documents = ENTRIES.map((name) => path.join(webDir, name));
  if (!documents.every((file) => existsSync(file))) return;
  serveFiles(fastify, webDir);
  const [html = '', consoleHtml = ''] = documents.map((file) => readFileSync(file, 'utf8'));
  const sendConsole = consolePage(consoleHtml, { formTargets: site.formTargets, features: CONSOLE_FEATURES });
  fastify.get('/*', (request, reply) => {
    const pathname = pathOf(request.url);
    if (isNoPage(pathname)) return reply.callNotFound();
    if (isConsoleAddress(pathname)) return sendConsole(reply);
    publicHeaders(reply, pathname);
    const page = pages()?.pageFor(request.url, request.headers.cookie);
    // Without prerendered pages the browser renders.
    return page ? sendRendered(page, request, reply) : reply.send(html);
  });
}

/** Where operator.html leaves room for the address of the members' site, which its sign-in page leads to. */
const SITE = '__SITE__';

/** Serves the operator console in its own process (operators §1): its files, and its document for every other address. */
export function serveOperatorConsole(fastify: FastifyInstance, webDir: string, site: string): void {
  const document = path.join(webDir, OPERATOR_ENTRY);
  if (!existsSync(document)) return;
  serveFiles(fastify, webDir);
  const send = consolePage(
    readFileSync(document, 'utf8').replace(SITE, () => encodeURI(site)),
    { formTargets: [], features: OPERATOR_FEATURES },
  );
  fastify.get('/*', (request, reply) => {
    if (isNoPage(pathOf(request.url))) return reply.callNotFound();
    return send(reply.header('X-Robots-Tag', 'noindex, nofollow'));
  });
}

/** Paths below these are never pages, like those of the doors: the APIs, in whichever process, and the built files. */
const NO_PAGES = [BASE_PATH, NATIVE_PATH, OPERATOR_BASE_PATH, '/assets'];

export const isNoPage = (pathname: string): boolean =>
  doorOf(pathname) !== undefined ||
  NO_PAGES.some((base) => pathname === base || pathname.startsWith(`${base}/`)) ||
  MONITORING.test(pathname);

/** Sends the precompressed variants that the build wrote beside the assets (apps/console/build). */
function serveFiles(fastify: FastifyInstance, webDir: string): void {
  const assets = path.join(webDir, 'assets') + path.sep;
  void fastify.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    globIgnore: [...ENTRIES, OPERATOR_ENTRY, '**/*.{br,gz}'],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      void reply.header('Cache-Control', file.startsWith(assets) ? HASHED : 'no-cache');
      if (SVG.test(file)) void reply.header('Content-Security-Policy', SVG_POLICY);
    },
  });
}

function publicHeaders(reply: FastifyReply, pathname: string): void {
  const framed = AGREEMENT.test(pathname);
  if (framed) void reply.header('X-Frame-Options', 'SAMEORIGIN');
  void reply
    .header('Content-Security-Policy', framed ? FRAMED_POLICY : PUBLIC_POLICY)
    .header('Cache-Control', 'no-cache')
    .header('Vary', 'Cookie, Accept-Encoding')
    .type('text/html; charset=utf-8');
}

async function sendRendered(page: RenderedPage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // A weak tag for all encodings: the page is the same, not its bytes.
  void reply.header('ETag', `W/"${page.etag}"`).header('Content-Language', LANGUAGE_TAG[page.language]);
  if (isKnown(page.etag, request.headers['if-none-match'])) return reply.status(304).send();
  const encoding = encodingFor(request);
  if (encoding !== 'identity') void reply.header('Content-Encoding', encoding);
  return reply.send(await compressed(page, encoding));
}

const isKnown = (etag: string, known: string | undefined): boolean =>
  known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`) ?? false;

/** Where the build leaves room for the nonce of a style in console.html. */
const NONCE = '__NONCE__';

type ConsoleRules = Pick<Site, 'formTargets'> & { features?: string };

/**
 * Every answer has its own nonce for injected styles, so it is never cached. The scripts within the page (apps/console/build/console-gate.ts)
 * are the same in all of them: the policy allows them by their hashes.
 */
function consolePage(html: string, { formTargets, features }: ConsoleRules): (reply: FastifyReply) => FastifyReply {
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, code = '']) => code);
  const policy = consolePolicy({ formTargets, scripts: scripts.map((code) => hash('sha256', code, 'base64')) });
  const [head = '', rest = ''] = html.split('</head>', 2);
  return (reply) => {
    const nonce = randomBytes(16).toString('base64url');
    if (features) void reply.header('Permissions-Policy', features);
    return reply
      .header('Content-Security-Policy', policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(`${head.replaceAll(NONCE, nonce)}<meta property="csp-nonce" nonce="${nonce}" /></head>${rest}`);
  };
}
