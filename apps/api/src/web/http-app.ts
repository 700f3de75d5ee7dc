import { isUtf8 } from 'node:buffer';
import type { RequestListener } from 'node:http';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { languageOf } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { JSON_BODY_BYTES } from '@yiqiao/domain/limits';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { Admission } from '../platform/admission.js';
import { failureResponse } from '../platform/response-envelope.js';
import type { Config } from '../platform/config.js';
import { type DialectAt, doorOf } from '../platform/door-paths.js';
import { Health } from '../platform/health.js';
import { openServer } from '../platform/http-server.js';
import { NestLogger, createLogger } from '../platform/logger.js';
import { ProcessReports } from '../platform/process-reports.js';
import { measureRequests, observeServer } from '../platform/telemetry/measure-http.js';
import { traceHttp } from '../platform/telemetry/trace-http.js';
import { refuseUnparsed } from '../platform/unparsed-requests.js';
import { registerMultipart } from '../platform/uploads.js';
import { uuid7 } from '../platform/uuid7.js';
import { compressText } from './compression.js';
import { secure, secureHeaders, securityHeaders } from './headers.js';
import { isNoPage } from './static-site.js';

/** An API, which a process serves: below one path but for the endpoints that have a base of their own. */
export type Api = { base: `/${string}`; endpoints: readonly Endpoint[] };

/** `dialectAt`: whose words refusals before routing have; by default the envelope. */
type HttpParts = { name: 'api' | 'operators'; module: DynamicModule; api: Api; dialectAt?: DialectAt };

/** The HTTP application of a process before its routes are registered: the rules that every answer follows (decisions §1). */
export async function createHttpApp(
  config: Config,
  { name, module, api, dialectAt = () => undefined }: HttpParts,
): Promise<{ app: NestFastifyApplication; fastify: FastifyInstance }> {
  const log = createLogger(config, name);
  for (const warning of config.warnings) log.warn(warning);
  let admitted: RequestListener | undefined;
  const adapter = new FastifyAdapter({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: refuseUndecodable(config, dialectAt),
    clientErrorHandler: refuseUnparsed(securityHeaders(config), (line) => log.info(line)),
    genReqId: () => uuid7(),
    // Shared: a child logger per request would cost more than writing its line.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    trustProxy: config.env.TRUSTED_PROXIES.length > 0 ? config.env.TRUSTED_PROXIES : false,
    bodyLimit: JSON_BODY_BYTES,
    serverFactory: (handle: RequestListener) =>
      openServer(config, (request, response) =>
        (admitted ??= app.get(Admission).guard(handle, securityHeaders(config), dialectAt))(request, response),
      ),
    forceCloseConnections: 'idle',
    // Schemas limit the length of parameters.
    routerOptions: { maxParamLength: 1024 },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  secureHeaders(fastify, config);
  // The API accepts JSON, and forms for uploads; plain text is 415.
  fastify.removeContentTypeParser('text/plain');
  parseJsonBodies(fastify);
  await registerMultipart(fastify);
  // A request's log line contains no secrets, and redaction takes longer than writing it.
  traceRequests(fastify, log.child({}, { redact: { paths: [] } }));
  reportItself(fastify, { reports: app.get(ProcessReports), name });
  measureRequests(fastify, api);
  traceHttp(fastify);
  observeServer(app.get(ProcessReports));
  app.get(Health).drainMs = config.env.DRAIN_SECONDS * 1_000;
  drainOnClose(fastify);
  refuseInvalidCalls(fastify, api, dialectAt);
  await compressText(fastify);
  // Ends by process.exit, which flushes the log.
  app.enableShutdownHooks([], { useProcessExit: true });
  return { app, fastify };
}

/** JSON is UTF-8 (RFC 8259); other charsets are refused. */
const FOREIGN_CHARSET = /charset\s*=\s*"?(?!utf-?8\b)/i;

/** Parses JSON; allows an empty body with the JSON content type for calls without input. */
function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    if (FOREIGN_CHARSET.test(request.headers['content-type'] ?? '')) done(new Refusal('UNSUPPORTED_MEDIA_TYPE'));
    // Decoding would turn each invalid byte into U+FFFD and change the text.
    else if (!isUtf8(bytes)) done(new Refusal('MALFORMED_JSON'));
    else if (bytes.length === 0) done(null, undefined);
    else readJson(bytes.toString(), done);
  });
}

function readJson(text: string, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    done(new Refusal('MALFORMED_JSON'));
    return;
  }
  const found = MAY_HOLD_INHERITED.test(text) ? inheritedNames(body) : [];
  if (found.length > 0) done(unknownField(...found));
  else done(null, body);
}

/** Names that every object inherits, which schemas therefore do not report as unknown fields. */
const INHERITED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** An escape sequence can spell any name. */
const MAY_HOLD_INHERITED = /__proto__|constructor|prototype|\\u/;

/** The paths of such fields in a JSON value. Iterative, because nesting may exceed the call stack. */
function inheritedNames(body: unknown): string[] {
  const found: string[] = [];
  const open: [path: string, value: unknown][] = [['', body]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (INHERITED.has(name)) found.push(at);
      else open.push([at, (value as Record<string, unknown>)[name]]);
    }
  }
  return found;
}

const unknownField = (...paths: string[]): Refusal =>
  new Refusal('UNKNOWN_FIELD', { errors: paths.map((path) => ({ path, code: 'UNKNOWN_FIELD' })) });

/** A URL that cannot be decoded never reaches a route; its response has the envelope and the request id all the same. */
const refuseUndecodable =
  (config: Config, dialectAt: DialectAt) =>
  (_: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    secure(reply.raw, config);
    refuserOf(dialectAt)(new Refusal('NOT_FOUND'), request, reply.header('X-Request-Id', request.id));
  };

/** Answers before routing, in the envelope or the dialect of the address. */
const refuserOf =
  (dialectAt: DialectAt) =>
  (refusal: Refusal, { url, headers }: FastifyRequest, reply: FastifyReply): void => {
    const dialect = dialectAt(url)?.refused(refusal);
    const { http, body } = dialect ?? failureResponse(refusal, languageOf(headers['accept-language']));
    void reply
      .status(http)
      .headers({ 'Cache-Control': 'no-store', ...dialect?.headers })
      .send(body);
  };

const DRAIN_MS = 8_000;

/** On shutdown, requests in flight are answered and their connections closed; after DRAIN_MS all connections are cut. */
function drainOnClose(fastify: FastifyInstance): void {
  let closing = false;
  fastify.addHook('preClose', (done) => {
    closing = true;
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN_MS).unref();
    done();
  });
  fastify.addHook('onSend', (_, reply, __, done) => {
    if (closing) void reply.header('Connection', 'close');
    done();
  });
}

/** The same request id in the response and in the log line (decisions §1). Without the query string: `/login?t=…` is a secret. */
function traceRequests(fastify: FastifyInstance, lines: Logger): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    lines.info({
      requestId: request.id,
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}

/** Addresses of the doors may have a token in them: their lines name the route. Elsewhere a key is cut after its readable beginning. */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const [pathname = ''] = url.split('?', 1);
  const door = doorOf(pathname);
  if (door !== undefined) return routeOptions.url ?? door;
  return pathname.replaceAll(/(yqu?(?:_|%5f)[0-9a-z]{8})[0-9a-z]+/gi, '$1…');
}

/** Streams are left out: they last for minutes by design. */
function reportItself(
  fastify: FastifyInstance,
  { reports, name }: { reports: ProcessReports; name: 'api' | 'operators' },
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.headers.accept !== 'text/event-stream') reports.note(reply.statusCode, reply.elapsedTime);
    done();
  });
  fastify.addHook('onReady', (done) => {
    reports.begin(name);
    done();
  });
}

/**
 * Refusals that no handler would make (decisions §1): compressed bodies, 405 with the allowed methods for a known path, and query parameters
 * on a call that takes a body.
 */
function refuseInvalidCalls(fastify: FastifyInstance, api: Api, dialectAt: DialectAt): void {
  const refuse = refuserOf(dialectAt);
  const methodsOf = allowedMethods(api);
  const isRead = readable(fastify, api);
  fastify.addHook('onRequest', (request, reply, done) => {
    const packed = request.headers['content-encoding'];
    if (packed !== undefined && packed !== 'identity') {
      refuse(new Refusal('UNSUPPORTED_MEDIA_TYPE'), request, reply);
      return;
    }
    // The routes of a door refuse what they do not know themselves, in the usual methods.
    if (request.is404 && dialectAt(request.url)) {
      refuse(new Refusal('METHOD_NOT_ALLOWED'), request, reply);
      return;
    }
    const [pathname = '', query = ''] = request.url.split('?', 2);
    const methods = methodsOf(pathname) ?? (request.is404 && isRead(pathname) ? READING : undefined);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (methods && !methods.has(method)) {
      refuse(new Refusal('METHOD_NOT_ALLOWED'), request, reply.header('Allow', [...methods].join(', ')));
      return;
    }
    const names = query === '' ? [] : [...new URLSearchParams(query).keys()];
    if (methods && names.length > 0 && (method !== 'GET' || names.includes('__proto__'))) {
      refuse(unknownField(...new Set(names)), request, reply);
      return;
    }
    done();
  });
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** The names of our files. Fastify would interpret anything else as a route pattern. */
const PLAIN_PATH = /^[\w./-]+$/;

/** Whether a path outside the API can be read: a file, an index or a page (any other path of the site). */
function readable(fastify: FastifyInstance, { base, endpoints }: Api): (pathname: string) => boolean {
  const bases = [...new Set([base, ...endpoints.flatMap((endpoint) => endpoint.base ?? [])])];
  const reads = (url: string): boolean => fastify.hasRoute({ method: 'GET', url });
  return (pathname) => {
    if (bases.some((each) => pathname === each || pathname.startsWith(`${each}/`))) return false;
    if (PLAIN_PATH.test(pathname) && reads(pathname)) return true;
    return !isNoPage(pathname) && reads('/*');
  };
}

/** The methods of an API path; undefined for any other path. */
function allowedMethods({ base, endpoints }: Api): (pathname: string) => ReadonlySet<string> | undefined {
  const allowed = new Map<string, Set<string>>();
  for (const { method, path, base: own = base } of endpoints) {
    const url = `${own}${path}`;
    allowed.set(url, (allowed.get(url) ?? new Set()).add(method));
  }
  const withParameters = [...allowed]
    .filter(([url]) => url.includes(':'))
    .map(([url, methods]) => ({ shape: new RegExp(`^${url.replaceAll(/:[A-Za-z]+/g, '[^/]*')}$`), methods }));
  return (pathname) => allowed.get(pathname) ?? withParameters.find(({ shape }) => shape.test(pathname))?.methods;
}
