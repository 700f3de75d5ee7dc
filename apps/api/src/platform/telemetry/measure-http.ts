import { NATIVE_PATH } from '@yiqiao/contracts/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasWaited } from '../admission.js';
import { doorOf } from '../door-paths.js';
import { PATIENCE_MS, within } from '../health-parts.js';
import type { ProcessReports } from '../process-reports.js';
import { workersOf } from '../worker-heartbeat.js';
import { observe, record } from './instruments.js';

/** Files and pages of the site: their names would be as many values as there are files. */
const SITE = '/*';
/** What is no part of an API and has a template of its own. */
const OTHER = [`${NATIVE_PATH}/`, '/pay/notify/', '/qr/', '/livez', '/readyz', '/health'];
/** A client may send any other; the semantic conventions count those together. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The streams of this process, and the workers: those cannot say themselves that they are gone. */
export function observeServer(reports: ProcessReports): void {
  observe((note) => note('yiqiao.streams.open', reports.streams));
  observe(async (note) => {
    const all = await within(PATIENCE_MS, reports.all());
    if (!all) return;
    const { running, silent } = workersOf(all);
    note('yiqiao.workers', running, { state: 'running' });
    note('yiqiao.workers', silent, { state: 'silent' });
  });
}

/** Measures answered requests. Streams are left out: they last for minutes by design. */
export function measureRequests(fastify: FastifyInstance, { base }: { base: string }): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.headers.accept !== 'text/event-stream')
      record('http.server.request.duration', reply.elapsedTime / 1_000, {
        'http.request.method': METHODS.has(request.method) ? request.method : '_OTHER',
        'http.route': routeOf(request, base),
        'http.response.status_code': reply.statusCode,
        'yiqiao.waited': String(hasWaited(request.raw)),
      });
    done();
  });
}

function routeOf({ routeOptions, is404 }: FastifyRequest, base: string): string {
  const { url } = routeOptions;
  if (is404 || url === undefined) return SITE;
  if (doorOf(url) !== undefined) return url;
  return url.startsWith(`${base}/`) || OTHER.some((path) => url.startsWith(path)) ? url : SITE;
}
