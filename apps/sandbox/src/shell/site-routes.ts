import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { Site } from './part.js';
import { homePage } from './home-page.js';
import { sendPage } from './page.js';

/** The style sheet lies beside src and dist, so that one path serves both. */
const STYLE = join(import.meta.dirname, '../../style/sandbox.css');

/** Health, the first page and the style that all pages share. */
export function siteRoutes(app: FastifyInstance, site: Site): void {
  const style = readFileSync(STYLE, 'utf8');
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/', (request, reply) => sendPage(request, reply, { site, view: homePage(site) }));
  app.get('/style/sandbox.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
  );
}
