import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import proxyAddress from '@fastify/proxy-addr';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { endpoints } from '@yiqiao/contracts/endpoints';
import { BASE_PATH, languageOf, type Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { failure } from './answers.js';
import { ConcurrencyLimit, type Ticket } from './concurrency-limit.js';
import { Config } from './config.js';
import { networkOf } from './rate-limits.js';
import { TurnPace } from './turn-pace.js';
import { uuid7 } from './uuid7.js';

/**
 * `exempt`: never refused, takes no place · `bounded`: has places of its own (uploads, downloads), refused here only when nothing is free ·
 * `read` and `work`: each has a limit of its own, so that who looks at a balance is served beside a flood of translations.
 */
type Priority = 'exempt' | 'bounded' | 'read' | 'work';

const STEER_MS = 100;
/** Of the event loop's delay, which is measured by a timer of this period. */
const RESOLUTION_MS = 10;
/** Later than this the timer that steers has not run because the event loop is busy. */
const LATE_MS = 50;
const REPORT_MS = 1_000;
/** Reads are short: that many at once are not refused even when latency is high. */
const LEAST = { read: 128, work: 64 };
/** How many requests start in one turn of the event loop: short turns keep refusals quick and those being served moving. */
const STARTS_PER_TURN = 16;
/** What is left of a larger body is not read: the connection is closed instead. */
const DRAINED_BYTES = 64 * 1024;
const KNOWN_MAX = 50_000;
/** Of a token, enough to tell accounts apart: it is kept in memory only, and is no credential. */
const PREFIX = 16;

const current = new AsyncLocalStorage<Ticket>();

/** Runs what waits for somebody else (a vendor, a payment gateway): meanwhile the request takes no place and its time is not ours. */
export async function outside<T>(work: () => Promise<T>): Promise<T> {
  const ticket = current.getStore();
  if (!ticket) return work();
  ticket.pause();
  try {
    return await work();
  } finally {
    ticket.resume();
  }
}

/**
 * Decides before anything of a request is read or looked up whether it is worked on now: beyond what the process can do within
 * LIMIT_LATENCY_MS a request is refused in microseconds, and no account gets more than its share (docs/decisions/0037).
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  readonly #log = new Logger('Admission');
  readonly #limits: Record<'read' | 'work', ConcurrencyLimit>;
  readonly #paces = { read: new TurnPace(STARTS_PER_TURN), work: new TurnPace(STARTS_PER_TURN) };
  /** Accounts of tokens that were proven; what others send counts for their address. */
  readonly #accounts = new Map<string, string>();
  readonly #trusts: ((address: string, hop: number) => boolean) | undefined;
  #loop: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #steeredAt = performance.now();
  #refused = 0;
  #reportedAt = 0;

  constructor(config: Config) {
    const { LIMIT_LATENCY_MS: targetMs, LIMIT_REQUESTS_IN_FLIGHT: most, TRUSTED_PROXIES } = config.env;
    const limitOf = (least: number) => new ConcurrencyLimit({ targetMs, most, least: Math.min(least, most) });
    this.#limits = { read: limitOf(LEAST.read), work: limitOf(LEAST.work) };
    this.#trusts = TRUSTED_PROXIES.length > 0 ? proxyAddress.compile(TRUSTED_PROXIES) : undefined;
  }

  /** `handle`, for those who are admitted; the others are answered with `headers` and SERVICE_BUSY. */
  guard(handle: RequestListener, headers: readonly (readonly [name: string, value: string])[]): RequestListener {
    this.#timer ??= this.#watch();
    const refusals = { zh: refusalIn('zh', headers), en: refusalIn('en', headers) };
    return (request, response) => {
      const priority = priorityOf(request);
      if (priority === 'exempt') return handle(request, response);
      this.#steerIfLate();
      const kind = priority === 'read' ? 'read' : 'work';
      const ticket = this.#limits[kind].enter(this.#keyOf(request));
      if (!ticket) {
        this.#refused++;
        refuse(request, response, refusals[languageOf(request.headers['accept-language'])]);
      } else if (priority === 'bounded') {
        ticket.pause();
        handle(request, response);
      } else {
        response.once('close', () => {
          if (response.writableFinished) ticket.leave();
          else ticket.abandon(() => response.writableEnded);
        });
        this.#paces[kind].start(() => {
          if (response.destroyed) ticket.leave();
          else current.run(ticket, handle, request, response);
        });
      }
    };
  }

  /** The token was proven to be this account's: from now on its requests count for the account instead of for their address. */
  recognize(token: string, userId: number): void {
    const prefix = token.slice(0, PREFIX);
    if (this.#accounts.has(prefix)) return;
    if (this.#accounts.size >= KNOWN_MAX) this.#accounts.clear();
    this.#accounts.set(prefix, String(userId));
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#loop?.disable();
  }

  #keyOf(request: IncomingMessage): string {
    const { token, authorization } = request.headers;
    const sent = token ?? authorization ?? request.headers['auth-token'];
    const account = typeof sent === 'string' ? this.#accounts.get(sent.slice(0, PREFIX)) : undefined;
    if (account !== undefined) return account;
    const { remoteAddress = '' } = request.socket;
    return `from ${networkOf(this.#trusts ? proxyAddress(request, this.#trusts) : remoteAddress)}`;
  }

  #watch(): NodeJS.Timeout {
    this.#loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#loop.enable();
    this.#steeredAt = performance.now();
    return setInterval(() => this.#steer(), STEER_MS).unref();
  }

  /** In one long turn of the event loop no timer runs, and every request that has arrived would be let in. */
  #steerIfLate(): void {
    const lateMs = performance.now() - this.#steeredAt - STEER_MS;
    if (lateMs > LATE_MS) this.#steer(lateMs);
  }

  #steer(lateMs = 0): void {
    const { mean = Number.NaN } = this.#loop ?? {};
    const delayMs = Math.max(lateMs, Number.isNaN(mean) ? 0 : mean / 1_000_000 - RESOLUTION_MS);
    this.#steeredAt = performance.now();
    this.#loop?.reset();
    for (const limit of Object.values(this.#limits)) limit.steer(delayMs);
    this.#report(delayMs);
  }

  /** One line a second instead of one for each that was refused. */
  #report(delayMs: number): void {
    const now = performance.now();
    if (this.#refused === 0 || now - this.#reportedAt < REPORT_MS) return;
    const { read, work } = this.#limits;
    this.#log.warn({ msg: 'overload', refused: this.#refused, delayMs, work: work.state, read: read.state });
    this.#refused = 0;
    this.#reportedAt = now;
  }
}

type Written = { headers: readonly string[]; body: Buffer };

/** Written once: of a refusal only its id is new. */
function refusalIn(language: Language, security: readonly (readonly [name: string, value: string])[]): Written {
  const body = Buffer.from(JSON.stringify(failure(new Refusal('SERVICE_BUSY'), language).body));
  const headers = [
    ...security.flat(),
    ...['Cache-Control', 'no-store', 'Retry-After', '1', 'Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(body.length)],
  ];
  return { headers, body };
}

function refuse({ method, headers }: IncomingMessage, response: ServerResponse, written: Written): void {
  const unread = Number(headers['content-length'] ?? 0) > DRAINED_BYTES || headers['transfer-encoding'] !== undefined;
  response.writeHead(503, [...written.headers, 'X-Request-Id', uuid7(), ...(unread ? ['Connection', 'close'] : [])]);
  response.end(method === 'HEAD' ? undefined : written.body);
}

/** Payment gateways and whoever watches the process are never turned away. */
const EXEMPT = ['/pay/notify/', '/health'];

const marked = endpoints.flatMap(({ path, stream, upload, file }): [string, Priority][] => {
  const priority = stream ? 'exempt' : upload || file ? 'bounded' : null;
  return priority ? [[`${BASE_PATH}${path}`.split(':', 1)[0] ?? '', priority]] : [];
});
const BY_PATH = new Map(marked);
const BY_PREFIX = [...EXEMPT.map((path) => [path, 'exempt'] as const), ...marked].filter(([path]) =>
  path.endsWith('/'),
);

function priorityOf({ method, url = '' }: IncomingMessage): Priority {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  const known = EXEMPT.includes(path) ? 'exempt' : BY_PATH.get(path);
  if (known) return known;
  for (const [prefix, priority] of BY_PREFIX) if (path.startsWith(prefix)) return priority;
  return method === 'GET' || method === 'HEAD' ? 'read' : 'work';
}
