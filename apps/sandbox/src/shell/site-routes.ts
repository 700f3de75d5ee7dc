import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { Site } from './part.js';
import { browserFiles } from './browser-files.js';
import { homePage } from './home-page.js';
import { sendPage } from './page.js';

/** The style sheets lie beside src and dist, so that one path serves both. Pages get them as one, in this order. */
const STYLES = ['tokens', 'shell', 'buttons', 'reading', 'inbox', 'mail', 'cashier', 'vendors'].map((name) =>
  join(import.meta.dirname, '../../style', `${name}.css`),
);

/** Health, the first page and the style that all pages share. */
export function siteRoutes(app: FastifyInstance, site: Site): void {
  const style = STYLES.map((path) => readFileSync(path, 'utf8')).join('');
  browserFiles(app, { path: '/shell/browser', folder: join(import.meta.dirname, 'browser') });
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/', (request, reply) => sendPage(request, reply, { site, view: homePage(site) }));
  app.get('/style/sandbox.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
  );
}
