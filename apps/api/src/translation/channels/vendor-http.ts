import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher, errors, Pool } from 'undici';
import type { z } from 'zod';
import { type VendorAnswer, type VendorRequest } from './vendor.js';
import { NoAnswer, VendorFailure, type VendorFailureKind } from './vendor-failure.js';

/** The response to one request. `status` null: none. `error`: why it is incomplete. */
type Answered = {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly error: Error | null;
};

/**
 * Collects the response to one request. A stream would do the same, but cost more CPU time than the rest of the request.
 */
export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #whole = Promise.withResolvers<Answered>();
  readonly #chunks: Buffer[] = [];
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.#giveUp);
  }

  /** Never rejects. Also settles, and ends the request, when the signal fires. */
  get whole(): Promise<Answered> {
    return this.#whole.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.signal.aborted) this.#giveUp();
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses such as 103 precede the response.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle(error);
  }

  // One signal may end several requests: each gets its own error, as in `VendorHttp.close`.
  readonly #giveUp = (): void => {
    const reason = new errors.RequestAbortedError();
    this.#controller?.abort(reason);
    this.#settle(reason);
  };

  #settle(error: Error | null): void {
    this.signal.removeEventListener('abort', this.#giveUp);
    const [first = NOTHING, ...more] = this.#chunks;
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#whole.resolve({ status: this.#status, headers: this.#headers, body, error });
  }
}

const NOTHING = Buffer.alloc(0);

/** The HTTP client of all vendors: keep-alive connections and uniform failures. */
const CONNECT_MS = 5_000;
/** A last resort: the caller's signal fires long before. */
const SILENCE_MS = 60_000;
/** Less than the vendors' idle time-outs, so that a request rarely meets a connection that is being closed. */
const IDLE_MS = 20_000;
/** The maximum size of a response. The largest request has 50,000 characters, each of up to 12 bytes in JSON. */
const ANSWER_BYTES = 4 * 1024 * 1024;

export type VendorCall = {
  /** From {@link VendorHttp.path}. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal: AbortSignal;
};

export type VendorReply = {
  readonly status: number;
  /** `name` in lower case. */
  header(name: string): string | null;
  /** Undefined for an error without JSON. */
  readonly json: unknown;
};

/** A reply whose success is not JSON: `bytes` of a status below 400. */
export type VendorBytes = VendorReply & { readonly bytes: Buffer };

/** `connections`: the maximum of concurrent requests. `answerBytes`: the maximum size of a response. */
export type VendorHttpLimits = { readonly connections: number; readonly answerBytes?: number };

/** HTTP to one account's base URL only: redirects are not followed. */
export class VendorHttp {
  /** The `Host` header: with the port unless it is the scheme's default. */
  readonly host: string;
  readonly #base: string;
  readonly #pool: Pool;
  readonly #clients = new Set<Client>();

  constructor(baseUrl: string, limits: number | VendorHttpLimits) {
    const { connections, answerBytes = ANSWER_BYTES } = typeof limits === 'number' ? { connections: limits } : limits;
    const { host, origin, pathname } = new URL(baseUrl);
    this.host = host;
    this.#base = pathname.replace(/\/$/, '');
    this.#pool = new Pool(origin, {
      connections,
      connect: { timeout: CONNECT_MS },
      keepAliveTimeout: IDLE_MS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      maxResponseSize: answerBytes,
      factory: (to, options) => this.#client(to, options),
    });
  }

  /** The full path of a path below the account's base URL. */
  path(below: string): string {
    return this.#base + below;
  }

  /**
   * Returns JSON, or a status of 400 and above, which the vendor's client interprets. Throws VendorFailure: `timeout` when the signal fires,
   * `transient` for the network, `bad-answer` for redirects and for responses that are truncated, too large or not JSON.
   */
  async post(call: VendorCall): Promise<VendorReply> {
    return inJson(await this.#ask('POST', call));
  }

  async get(call: VendorCall): Promise<VendorReply> {
    return inJson(await this.#ask('GET', call));
  }

  /** The same for a response with a file; only errors are JSON. */
  async postForBytes(call: VendorCall): Promise<VendorBytes> {
    const answer = await this.#ask('POST', call);
    const { status, bytes } = answer;
    if (status >= 400) return { ...inJson(answer), bytes: Buffer.alloc(0) };
    if (status >= 300 || bytes === null) throw new VendorFailure('bad-answer', `HTTP ${status}, no file`);
    return { ...answer, bytes, json: undefined };
  }

  /** Returns only the status. */
  async delete(call: VendorCall): Promise<number> {
    return (await this.#ask('DELETE', call)).status;
  }

  /**
   * Closes its connections; their requests fail as `transient`. Each with its own error: the pool would use one error for all, on which a
   * library in this process (urllib) sets a property of the socket and fails at the second time.
   */
  async close(): Promise<void> {
    const ended = [...this.#clients].map((client) => client.destroy());
    await Promise.all([...ended, this.#pool.destroy()]);
  }

  #client(origin: URL, options: object): Client {
    const client = new Client(origin, options);
    this.#clients.add(client);
    // The pool drops it as well.
    client.on('connectionError', () => this.#clients.delete(client));
    return client;
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', call: VendorCall): Promise<Raw> {
    const { path, headers, body, signal } = call;
    if (signal.aborted) throw unanswered(null, signal);
    const answer = new WholeAnswer(signal);
    this.#pool.dispatch({ method, path, headers: { ...COMMON, ...headers }, body }, answer);
    const { status, headers: said, body: bytes, error } = await answer.whole;
    if (status === null) throw unanswered(error, signal);
    const header = (name: string) => [said[name]].flat()[0] ?? null;
    return { status, header, bytes: error === null ? bytes : unread(error, status, signal) };
  }
}

const COMMON = { accept: 'application/json', 'user-agent': 'yiqiao' };
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** An unparsed response. `bytes` null: the body of an error is missing, and its status suffices. */
type Raw = Pick<VendorReply, 'status' | 'header'> & { readonly bytes: Buffer | null };

function unread(error: Error, status: number, signal: AbortSignal): null {
  if (signal.aborted || codeOf(error) === 'UND_ERR_BODY_TIMEOUT') throw unanswered(error, signal);
  if (status >= 400) return null;
  throw new VendorFailure('bad-answer', `HTTP ${status}, body: ${codeOf(error)}`);
}

const inJson = ({ status, header, bytes }: Raw): VendorReply => ({ status, header, json: jsonOf(bytes, status) });

function jsonOf(bytes: Buffer | null, status: number): unknown {
  if (status >= 300 && status < 400) throw new VendorFailure('bad-answer', `HTTP ${status}, a redirect`);
  try {
    return JSON.parse(UTF8.decode(bytes ?? Buffer.alloc(0)));
  } catch {
    if (status >= 400) return undefined;
    throw new VendorFailure('bad-answer', `HTTP ${status}, no JSON`);
  }
}

function unanswered(error: unknown, signal: AbortSignal): VendorFailure {
  const code = codeOf(error);
  const late = signal.aborted || ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(code);
  return new VendorFailure(late ? 'timeout' : 'transient', signal.aborted ? 'no answer in time' : code);
}

/** `ECONNREFUSED`, `UND_ERR_SOCKET` …: a code or a name, never a message, which may quote the request. */
function codeOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { name?: unknown; code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : typeof name === 'string' ? name : 'unknown';
}

/** The kind of a status, unless the vendor's own table says otherwise. */
export function kindOfStatus(status: number): VendorFailureKind {
  if (status >= 500 || status === 408) return 'transient';
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 413 || status === 414) return 'too-long';
  if (status === 429) return 'rate';
  return status >= 400 ? 'bad-request' : 'bad-answer';
}

/** The failure of a reply. `code` is the vendor's own; anything that does not look like a code is left out. */
export function refused(kind: VendorFailureKind, reply: VendorReply, code: string | number = ''): VendorFailure {
  const known = /^[A-Za-z_.]{1,60}$|^\d{1,8}$/.test(String(code)) ? `, ${code}` : '';
  return new VendorFailure(kind, `HTTP ${reply.status}${known}`, retryAfterMs(reply, Date.now()));
}

/** The reply's Retry-After in ms from `now`; null without a known format. */
export function retryAfterMs(reply: Pick<VendorReply, 'header'>, now: number): number | null {
  const exact = reply.header('retry-after-ms') ?? '';
  if (/^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  const said = reply.header('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(said)) return Math.ceil(Number(said) * 1_000);
  const date = /^[A-Za-z]/.test(said) ? Date.parse(said) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Parses a reply. Throws `bad-answer` when it does not match the schema. */
export function understood<T>(schema: z.ZodType<T>, reply: VendorReply): T {
  const read = schema.safeParse(reply.json);
  if (!read.success) throw new VendorFailure('bad-answer', `HTTP ${reply.status}, another shape`);
  return read.data;
}

/** The answer to a request, with as many texts, not all of them blank. `found`: the detected languages, if the vendor detects the source. */
export function answered(
  request: VendorRequest,
  texts: readonly string[],
  found: readonly (string | null)[] = [],
): VendorAnswer {
  if (texts.length !== request.texts.length) throw new NoAnswer(`${texts.length} texts for ${request.texts.length}`);
  if (texts.every((text) => text.trim() === '')) throw new NoAnswer('blank');
  const detected = texts.map((_, at) => (request.source === null ? (found[at] ?? null) : null));
  return { texts, detected };
}
