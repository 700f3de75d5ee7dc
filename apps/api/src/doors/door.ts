import type { ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { KeyCaller } from '../platform/api-key-reader.js';
import { clientOf, type ClientInfo } from '../platform/endpoint.js';
import type { Dialect } from '../platform/door-paths.js';
import { ThrownErrors } from '../platform/exception-filter.js';
import type { DoorServices } from './door-services.js';
import { Failure, failureOf } from './failure.js';
import { Fields, fieldsOfBody, fieldsOfForm } from './fields.js';

/** `body`: JSON, or a text with its content type; undefined: none. */
export type DoorAnswer = { readonly status?: number; readonly body: unknown; readonly type?: string };

/** What a handler works with. */
export type DoorCall = {
  readonly fields: Fields;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: KeyCaller;
  readonly client: ClientInfo;
  readonly services: DoorServices;
};

type Routed = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** By default the door's. */
  readonly bodyBytes?: number;
  /** A GET that costs something: it has no HEAD. */
  readonly costs?: true;
};

/** A call for everybody, without a key. */
export type OpenCall = Omit<DoorCall, 'caller'>;

type Opened = { readonly scope: null; readonly handle: (call: OpenCall) => Promise<DoorAnswer> };
type Keyed = { readonly scope: ApiKeyScope; readonly handle: (call: DoorCall) => Promise<DoorAnswer> };
export type DoorRoute = Routed & (Opened | Keyed);

/** Another product's API, below a path of ours (docs/decisions/0072). */
export type Door = {
  readonly prefix: `/${string}`;
  readonly bodyBytes: number;
  readonly routes: readonly DoorRoute[];
  /** Pages send it forms as `multipart/form-data`. */
  readonly multipart?: boolean;
  /** The query counts as parameters of a request with a body, too. */
  readonly readsQuery?: boolean;
  /** The key that the headers or the address bear; null: it may be in the body. Throws a failure for one that may not be there. */
  keyOf(request: FastifyRequest): string | null;
  /** Names of the fields that may hold the key. */
  readonly keyFields: readonly string[];
  failed(failure: Failure): DoorAnswer;
};

type Known = FastifyRequest & { doorCaller?: KeyCaller };

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** For scripts of any page and for extensions: a request bears its key itself, so there are no credentials to abuse. */
const CORS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  'Cache-Control': 'no-store',
};
/** Where a preflight names no headers, or anything else than names. */
const USUAL_HEADERS = 'Authorization, Content-Type, X-Goog-Api-Key, X-Goog-Api-Client';
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+){0,50}$/;

/**
 * Serves a door: bodies of its own formats, errors of its own dialect, CORS, and 404 for every path below it that is not a route. The key is
 * verified before the body is read, where the headers or the address have it.
 */
export function openDoor(fastify: FastifyInstance, door: Door, services: () => DoorServices): void {
  const thrown = new ThrownErrors();
  void fastify.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (__, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', (___, reply, next) => {
      void reply.headers(CORS);
      next();
    });
    scope.setErrorHandler((error, request, reply) => {
      if (reply.raw.destroyed) return;
      const failure = error instanceof Failure ? error : failureOf(thrown.refusalFor(error, request));
      sendFailure(door, failure, reply);
    });
    for (const route of door.routes) addRoute(scope, { door, route, services });
    refuseTheRest(scope, door);
    done();
  });
}

function sendFailure(door: Door, failure: Failure, reply: FastifyReply): void {
  void reply.headers(retryAfter(failure));
  send(door.failed(failure), reply);
}

function retryAfter({ kind, details }: Failure): Record<string, string> {
  const { retryAfterSeconds = kind === 'rate' ? 1 : undefined } = details;
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

/** The door's words for what is refused before its routes are reached: overload, compressed bodies, addresses that cannot be decoded. */
export const dialectOf = (door: Door): Dialect => ({
  prefix: door.prefix,
  refused: (refusal) => {
    const failure = failureOf(refusal);
    const { status = 200, body } = door.failed(failure);
    return { http: status, headers: { ...CORS, ...retryAfter(failure) }, body };
  },
});

function send({ status = 200, body, type }: DoorAnswer, reply: FastifyReply): FastifyReply {
  if (type !== undefined) void reply.type(type);
  return reply.status(status).send(body);
}

type Mounted = { readonly door: Door; readonly route: DoorRoute; readonly services: () => DoorServices };

function addRoute(scope: FastifyInstance, { door, route, services }: Mounted): void {
  const callerOf = (request: FastifyRequest, key: string, scope: ApiKeyScope): Promise<KeyCaller> => {
    const { keys, admission } = services();
    return admission.verifying(key, keys.authenticate(key, { ip: clientOf(request).ip, scope }));
  };
  scope.route({
    method: route.method,
    url: `${door.prefix}${route.path}`,
    exposeHeadRoute: route.costs !== true,
    bodyLimit: route.bodyBytes ?? door.bodyBytes,
    onRequest: async (request: Known) => {
      if (route.scope === null) return;
      const key = door.keyOf(request);
      if (key !== null) request.doorCaller = await callerOf(request, key, route.scope);
      else if (door.keyFields.length === 0) throw new Refusal('API_KEY_REQUIRED');
    },
    handler: async (request: Known, reply) => {
      const fields = await fieldsOf(request, door);
      const params = request.params as Readonly<Record<string, string>>;
      // These clients send none; a list may take several commands.
      const client = { ...clientOf(request), idempotencyKey: undefined };
      const call = { fields, params, client, services: services() };
      if (route.scope === null) return send(await route.handle(call), reply);
      const caller = request.doorCaller ?? (await callerOf(request, keyIn(fields, door), route.scope));
      return send(await route.handle({ ...call, caller }), reply);
    },
  });
}

/** All of the query: it may contain further question marks. */
function queryOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** The key in the body. Throws when there is none either. */
function keyIn(fields: Fields, { keyFields }: Door): string {
  const key = keyFields.map((name) => fields.text(name)).find((each) => each !== undefined);
  if (key === undefined) throw new Refusal('API_KEY_REQUIRED');
  return key;
}

async function fieldsOf(request: FastifyRequest, door: Door): Promise<Fields> {
  const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE';
  const query = reads || door.readsQuery ? fieldsOfForm(queryOf(request)) : new Map<string, unknown>();
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return new Fields(new Map([...query, ...(await fieldsOfBody(body, request.headers['content-type'], door))]));
}

/** Preflights for every path, 405 for other methods of a route, 404 for everything else below the prefix. */
function refuseTheRest(scope: FastifyInstance, door: Door): void {
  const routes = Map.groupBy(door.routes, ({ path }) => path);
  for (const [path, own] of routes) {
    const hasHead = own.some(({ method, costs }) => method === 'GET' && costs !== true);
    const allowed = own.flatMap(({ method }) => (method === 'GET' && hasHead ? ['GET', 'HEAD'] : [method]));
    const allow = [...allowed, 'OPTIONS'].join(', ');
    const url = `${door.prefix}${path}`;
    const others = [...METHODS.filter((each) => !own.some(({ method }) => method === each))];
    scope.route({
      method: hasHead ? others : [...others, 'HEAD'],
      url,
      handler: (_, reply) => {
        void reply.header('Allow', allow);
        throw new Refusal('METHOD_NOT_ALLOWED');
      },
    });
    scope.options(url, (request, reply) => preflight(request, reply, allow));
  }
  const other = [door.prefix, `${door.prefix}/*`].filter((url) => !routes.has(url.slice(door.prefix.length)));
  for (const url of other) {
    scope.route({
      method: [...METHODS],
      url,
      handler: () => {
        throw new Refusal('NOT_FOUND');
      },
    });
    scope.options(url, (request, reply) => preflight(request, reply, 'OPTIONS'));
  }
}

/** Whatever headers a client sends may be sent: those that no door reads change nothing. */
function preflight({ headers }: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  const { 'access-control-request-headers': names = '' } = headers;
  return reply
    .headers({
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': HEADER_NAMES.test(names) ? names : USUAL_HEADERS,
      'Access-Control-Max-Age': '86400',
      Vary: 'Access-Control-Request-Headers',
    })
    .status(204)
    .send();
}
