import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, packed } from './compression.js';
import { consolePolicy, DRAWING_POLICY, FRAMED_POLICY, PUBLIC_POLICY } from './content-policy.js';
import { CONSOLE_FEATURES } from './headers.js';

/** A public page as it was drawn beforehand: the same object as long as it is the same page. `etag`: without quotes. */
export type DrawnPage = { readonly html: string; readonly language: 'zh' | 'en'; readonly etag: string };

/** `drawn`: who knows the public pages, once they are there; `formTargets`: where the console may post forms to. */
export type Site = {
  webDir: string;
  formTargets: readonly string[];
  drawn: () => { pageFor: (url: string, cookie: string | undefined) => DrawnPage | undefined } | undefined;
};

/** The documents of the site and of the console (apps/console/vite.config.ts); each address has one of them. */
const ENTRIES = ['index.html', 'console.html'];
const HASHED = 'public, max-age=31536000, immutable';
const DRAWING = /\.svg(\.br|\.gz)?$/;
const LANGUAGE_TAG = { zh: 'zh-CN', en: 'en' };

const AGREEMENT = /^\/term-and-condition\/?$/i;
/** What monitoring asks for: a page with 200 would pass for a process that is well. Those that exist have routes of their own. */
const MACHINE = /^\/(metrics|livez|readyz|healthz)\/?$/;
const pathOf = (url: string): string => url.split('?', 1)[0] ?? '/';

/**
 * The site from the same origin (decisions §1): files as they are, a missing asset is 404, every other GET is a page. Only hashed assets
 * are cached for long; a page is asked for each time, so that a new version is seen at once.
 */
export function serveSite(fastify: FastifyInstance, site: Site): void {
  const { webDir, drawn } = site;
  const documents = ENTRIES.map((name) => path.join(webDir, name));
  if (!documents.every((file) => existsSync(file))) return;
  serveFiles(fastify, webDir);
  const [html = '', consoleHtml = ''] = documents.map((file) => readFileSync(file, 'utf8'));
  const sendConsole = consolePage(consoleHtml, site);
  fastify.get('/*', (request, reply) => {
    const pathname = pathOf(request.url);
    if (
      pathname === BASE_PATH ||
      pathname.startsWith(`${BASE_PATH}/`) ||
      pathname.startsWith('/assets/') ||
      MACHINE.test(pathname)
    )
      return reply.callNotFound();
    if (isConsoleAddress(pathname)) return sendConsole(reply);
    publicHeaders(reply, pathname);
    const page = drawn()?.pageFor(request.url, request.headers.cookie);
    // Where they were not drawn, the browser draws them all.
    return page ? sendDrawn(page, request, reply) : reply.send(html);
  });
}

/** Assets lie packed beside themselves (apps/console/build): the shortest that the client takes is sent. */
function serveFiles(fastify: FastifyInstance, webDir: string): void {
  const assets = path.join(webDir, 'assets') + path.sep;
  void fastify.register(fastifyStatic, {
    root: webDir,
    wildcard: false,
    globIgnore: [...ENTRIES, '**/*.{br,gz}'],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      void reply.header('Cache-Control', file.startsWith(assets) ? HASHED : 'no-cache');
      if (DRAWING.test(file)) void reply.header('Content-Security-Policy', DRAWING_POLICY);
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

async function sendDrawn(page: DrawnPage, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // One tag for all encodings: it says that the page is the same, not that its bytes are.
  void reply.header('ETag', `W/"${page.etag}"`).header('Content-Language', LANGUAGE_TAG[page.language]);
  if (isKnown(page.etag, request.headers['if-none-match'])) return reply.status(304).send();
  const encoding = encodingFor(request);
  if (encoding !== 'identity') void reply.header('Content-Encoding', encoding);
  return reply.send(await packed(page, encoding));
}

const isKnown = (etag: string, known: string | undefined): boolean =>
  known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`) ?? false;

/** Each answer has a nonce of its own, which the page hands to whoever makes styles; so none is ever kept. */
function consolePage(html: string, { formTargets }: Site): (reply: FastifyReply) => FastifyReply {
  const policy = consolePolicy(formTargets);
  const [head = '', rest = ''] = html.split('</head>', 2);
  return (reply) => {
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .header('Content-Security-Policy', policy(nonce))
      .header('Permissions-Policy', CONSOLE_FEATURES)
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(`${head}<meta property="csp-nonce" nonce="${nonce}" /></head>${rest}`);
  };
}
