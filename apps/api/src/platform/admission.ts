import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import proxyAddress from '@fastify/proxy-addr';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH, languageOf, type Language } from '@yiqiao/contracts/envelope';
import { errors, Refusal } from '@yiqiao/domain/errors';
import { failureResponse } from './response-envelope.js';
import { AdaptiveLimit, type Ticket } from './adaptive-limit.js';
import { Config } from './config.js';
import type { DialectAt } from './door-paths.js';
import { networkOf } from './rate-limits.js';
import { count } from './telemetry/instruments.js';
import { TickQueue } from './tick-queue.js';
import { uuid7 } from './uuid7.js';

/**
 * `exempt`: never refused, takes no slot · `bounded`: has slots of its own (uploads, downloads), refused here only when none is free ·
 * `read` and `work`: each has its own limit, so that reads are served beside a flood of translations.
 */
type Priority = 'exempt' | 'bounded' | 'read' | 'work';

const ADJUST_MS = 100;
/** Period of the timer that measures the event loop delay. */
const RESOLUTION_MS = 10;
/**
 * The share of the time from which on the event loop counts as busy. Below it requests hardly wait for it, and a process that has little to
 * do is not woken a hundred times a second to find that out.
 */
const BUSY = 0.5;
/** When the adjusting timer is later than this, the event loop is busy. */
const LATE_MS = 50;
const REPORT_MS = 1_000;
/** Minimum limits. Reads are short, so more of them pass even when latency is high. */
const LEAST = { read: 128, work: 64 };
/** The limit of work while a store is away, and so of the first that it serves again. Not of reads: a page makes many at once. */
const FIRST = 8;
/** Requests that start in one turn of the event loop: short turns keep refusals fast and running requests moving. */
const STARTS_PER_TICK = 16;
/** The rest of a larger body is not read: the connection is closed instead. */
const DRAINED_BYTES = 64 * 1024;
const KNOWN_MAX = 50_000;
/**
 * Characters of a token or an API key that distinguish accounts; kept in memory only, and not a credential. Of a key they include at
 * least four secret ones, so its readable beginning is not enough to count for its account.
 */
const PREFIX = 16;
/** A key in an address: Google's `?key=`, tokens for URLs. */
const KEY_IN_URL = /(?<=[/=])yqu?_[0-9a-z]{13,}/i;

/** What the headers and the address of a request bear; a key in a body is not known yet. */
function credentialsOf({ headers, url = '' }: IncomingMessage): string[] {
  const { token, authorization } = headers;
  const sent = [token, authorization, headers['auth-token'], headers['x-goog-api-key'], KEY_IN_URL.exec(url)?.[0]];
  // `Bearer`, `DeepL-Auth-Key`: without the scheme, which all have in common.
  return sent.flatMap((each) => (typeof each === 'string' ? each.slice(each.lastIndexOf(' ') + 1) : []));
}

const current = new AsyncLocalStorage<Ticket>();
const admitted = new WeakMap<IncomingMessage, Ticket>();

/** Runs an external call (a vendor, a payment gateway): meanwhile the request takes no slot and the time is not measured as ours. */
export async function externalCall<T>(work: () => Promise<T>): Promise<T> {
  const ticket = current.getStore();
  if (!ticket) return work();
  ticket.pause();
  try {
    return await work();
  } finally {
    ticket.resume();
  }
}

/** The request waits for a channel, whoever asks it: it keeps its slot, but its duration is not ours alone. */
export function waitsForOthers(): void {
  const ticket = current.getStore();
  if (ticket) ticket.waited = true;
}

/** Whether an admitted request has waited for others, by {@link externalCall} or {@link waitsForOthers}, or moved a file. */
export const hasWaited = (request: IncomingMessage): boolean => admitted.get(request)?.waited ?? false;

/** The request fails because a store is away: while others do as well, a few are let in at a time. */
export function storeIsAway(): void {
  const ticket = current.getStore();
  if (ticket) ticket.isLost = true;
}

/**
 * Admission control before a request is read or routed: what the process cannot serve within LIMIT_LATENCY_MS is refused in microseconds,
 * and no account gets more than its share (docs/decisions/0037).
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  readonly #log = new Logger('Admission');
  readonly #limits: Record<'read' | 'work', AdaptiveLimit>;
  readonly #queues = { read: new TickQueue(STARTS_PER_TICK), work: new TickQueue(STARTS_PER_TICK) };
  /** Accounts of verified tokens; requests with any other token count for their address. */
  readonly #accounts = new Map<string, string>();
  readonly #trusts: ((address: string, hop: number) => boolean) | undefined;
  readonly #loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #loopUse = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;
  #adjustedAt = performance.now();
  #refused = 0;
  #reportedAt = 0;

  constructor(config: Config) {
    const { LIMIT_LATENCY_MS: targetMs, LIMIT_REQUESTS_IN_FLIGHT: most, TRUSTED_PROXIES } = config.env;
    const limitOf = (least: number) => ({ targetMs, most, least: Math.min(least, most) });
    this.#limits = {
      read: new AdaptiveLimit(limitOf(LEAST.read)),
      work: new AdaptiveLimit({ ...limitOf(LEAST.work), first: Math.min(FIRST, most) }),
    };
    this.#trusts = TRUSTED_PROXIES.length > 0 ? proxyAddress.compile(TRUSTED_PROXIES) : undefined;
  }

  /** Passes admitted requests to `handle`; answers the others with `headers` and SERVICE_BUSY, in the dialect of their path. */
  guard(handle: RequestListener, headers: SecurityHeaders, dialectAt: DialectAt = () => undefined): RequestListener {
    this.#timer ??= this.#watch();
    const refusalOf = refusalsWith(headers, dialectAt);
    return (request, response) => {
      const priority = priorityOf(request);
      if (priority === 'exempt') return handle(request, response);
      this.#adjustIfLate();
      const kind = priority === 'read' ? 'read' : 'work';
      const ticket = this.#limits[kind].enter(this.#keyOf(request));
      if (!ticket) {
        this.#refused++;
        count('yiqiao.http.requests.refused', 1);
        refuse(request, response, refusalOf(request));
        return;
      }
      admitted.set(request, ticket);
      if (priority === 'bounded') {
        ticket.pause();
        handle(request, response);
      } else {
        response.once('close', () => {
          if (response.writableFinished) ticket.leave();
          else ticket.abandon(() => response.writableEnded);
        });
        this.#queues[kind].start(() => {
          if (response.destroyed) ticket.leave();
          else current.run(ticket, handle, request, response);
        });
      }
    };
  }

  /** An API key while it is verified: see {@link recognize}. A key that is no longer valid counts for its address again. */
  async verifying<T extends { readonly userId: number }>(key: string, verified: Promise<T>): Promise<T> {
    try {
      const caller = await verified;
      this.recognize(key, caller.userId);
      return caller;
    } catch (error) {
      const isInvalid = error instanceof Refusal && errors[error.code].kind === 'signedOut';
      if (isInvalid) this.#accounts.delete(key.slice(0, PREFIX));
      throw error;
    }
  }

  /** The token was verified as this account's: from now on its requests count for the account instead of their address. */
  recognize(token: string, userId: number): void {
    const prefix = token.slice(0, PREFIX);
    if (this.#accounts.has(prefix)) return;
    if (this.#accounts.size >= KNOWN_MAX) this.#accounts.clear();
    this.#accounts.set(prefix, String(userId));
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#loop.disable();
  }

  #keyOf(request: IncomingMessage): string {
    for (const credential of credentialsOf(request)) {
      const account = this.#accounts.get(credential.slice(0, PREFIX));
      if (account !== undefined) return account;
    }
    const { remoteAddress = '' } = request.socket;
    return `from ${networkOf(this.#trusts ? proxyAddress(request, this.#trusts) : remoteAddress)}`;
  }

  #watch(): NodeJS.Timeout {
    this.#adjustedAt = performance.now();
    return setInterval(() => this.#adjust(), ADJUST_MS).unref();
  }

  /** Timers do not run during a long turn of the event loop, so every request that has arrived would be admitted. */
  #adjustIfLate(): void {
    const lateMs = performance.now() - this.#adjustedAt - ADJUST_MS;
    if (lateMs > LATE_MS) this.#adjust(lateMs);
  }

  #adjust(lateMs = 0): void {
    const now = performance.now();
    const delayMs = Math.max(lateMs, this.#meanDelayMs(now - this.#adjustedAt - ADJUST_MS));
    this.#adjustedAt = now;
    for (const limit of Object.values(this.#limits)) limit.adjust(delayMs);
    this.#report(delayMs);
  }

  /**
   * Since the last call. Measured from the call on that finds the event loop busy; until then it follows from `lateMs`, by how much this call
   * is late, as if one stall had delayed one of the samples.
   */
  #meanDelayMs(lateMs: number): number {
    const { mean } = this.#loop;
    this.#loop.reset();
    const use = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(use, this.#loopUse);
    this.#loopUse = use;
    if (utilization >= BUSY || lateMs > RESOLUTION_MS) this.#loop.enable();
    else this.#loop.disable();
    return Number.isNaN(mean) ? (lateMs * RESOLUTION_MS) / ADJUST_MS : mean / 1_000_000 - RESOLUTION_MS;
  }

  /** One log line per second instead of one per refusal. */
  #report(delayMs: number): void {
    const now = performance.now();
    if (this.#refused === 0 || now - this.#reportedAt < REPORT_MS) return;
    const { read, work } = this.#limits;
    this.#log.warn({ msg: 'overload', refused: this.#refused, delayMs, work: work.state, read: read.state });
    this.#refused = 0;
    this.#reportedAt = now;
  }
}

type SecurityHeaders = readonly (readonly [name: string, value: string])[];
type Answer = { http: number; body: unknown; headers?: Readonly<Record<string, string>> };
type PreparedRefusal = { status: number; headers: readonly string[]; body: Buffer };

/** Serialised once for each language and dialect: only the request id differs between refusals. */
function refusalsWith(
  security: SecurityHeaders,
  dialectAt: DialectAt,
): (request: Pick<IncomingMessage, 'headers' | 'url'>) => PreparedRefusal {
  const busy = new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
  const prepared = ({ http, body, headers = {} }: Answer): PreparedRefusal => {
    const bytes = Buffer.from(JSON.stringify(body));
    const all = {
      ...Object.fromEntries(security),
      'Cache-Control': 'no-store',
      'Retry-After': '1',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(bytes.length),
      ...headers,
    };
    return { status: http, headers: Object.entries(all).flat(), body: bytes };
  };
  const own = (language: Language): PreparedRefusal => prepared(failureResponse(busy, language));
  const envelopes = { zh: own('zh'), en: own('en') };
  const dialects = new Map<string, PreparedRefusal>();
  return ({ headers, url = '' }) => {
    const dialect = dialectAt(url);
    if (!dialect) return envelopes[languageOf(headers['accept-language'])];
    const known = dialects.get(dialect.prefix) ?? prepared(dialect.refused(busy));
    dialects.set(dialect.prefix, known);
    return known;
  };
}

function refuse({ method, headers }: IncomingMessage, response: ServerResponse, prepared: PreparedRefusal): void {
  const unread = Number(headers['content-length'] ?? 0) > DRAINED_BYTES || headers['transfer-encoding'] !== undefined;
  const more = ['X-Request-Id', uuid7(), ...(unread ? ['Connection', 'close'] : [])];
  response.writeHead(prepared.status, [...prepared.headers, ...more]);
  response.end(method === 'HEAD' ? undefined : prepared.body);
}

/** Payment gateways and health checks are never refused. */
const EXEMPT = ['/pay/notify/', '/livez', '/readyz', '/health'];

const marked = endpoints.flatMap(({ path, stream, upload, file }): [string, Priority][] => {
  const priority = stream ? 'exempt' : upload || file ? 'bounded' : null;
  return priority ? [[`${BASE_PATH}${path}`.split(':', 1)[0] ?? '', priority]] : [];
});
const BY_PATH = new Map(marked);
const BY_PREFIX = [...EXEMPT.map((path) => [path, 'exempt'] as const), ...marked].filter(([path]) =>
  path.endsWith('/'),
);

/** OPTIONS: the preflight of a browser, which is answered without any work. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function priorityOf({ method = '', url = '' }: IncomingMessage): Priority {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const known = EXEMPT.includes(path) ? 'exempt' : BY_PATH.get(path);
  if (known) return known;
  for (const [prefix, priority] of BY_PREFIX) if (path.startsWith(prefix)) return priority;
  return READS.has(method) ? 'read' : 'work';
}
