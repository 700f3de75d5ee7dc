/**
 * The load generator of the overload bench, in a separate process. Runs one `OverloadLoad` after another from its parent and replies with
 * the results of its streams.
 */
import { Agent, type Dispatcher } from 'undici';

export type OverloadStream = {
  url: string;
  method: 'GET' | 'POST';
  /** Used in turn. */
  headers: readonly Record<string, string>[];
  /** `NTH` is replaced by a unique number. */
  body: string | null;
  /** Closed loop with `flight` requests at a time, or open loop with Poisson arrivals. */
  pace: { flight: number } | { perSecond: number };
};

export type OverloadLoad = { streams: readonly OverloadStream[]; seconds: number };

/**
 * Ascending times in ms since sending: `served` with status 200, `refused` with 503 and Retry-After; `other` counts the remaining statuses.
 * `late`: how long after its due time each request was sent.
 */
export type OverloadFound = { served: number[]; refused: number[]; late: number[]; other: Record<string, number> };

const agent = new Agent({
  connections: 3_000,
  pipelining: 1,
  headersTimeout: 30_000,
  bodyTimeout: 30_000,
  keepAliveTimeout: 60_000,
});
/** Opened before measuring, as a proxy does: libuv accepts one connection per turn of a server's event loop. */
const CONNECTIONS = 1_000;
const TICK_MS = 2;
let made = 0;

/** Keeps only status and Retry-After. */
class Answer implements Dispatcher.DispatchHandler {
  #status = 0;
  #retries = false;

  constructor(private readonly over: (status: number, retries: boolean) => void) {}

  onRequestStart(): void {
    // Requests are never aborted.
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, unknown>): void {
    this.#status = status;
    this.#retries = headers['retry-after'] !== undefined;
  }

  onResponseEnd(): void {
    this.over(this.#status, this.#retries);
  }

  onResponseError(): void {
    this.over(0, false);
  }
}

class Run {
  readonly found: OverloadFound = { served: [], refused: [], late: [], other: {} };
  readonly #where: { origin: string; path: string };
  #next = 0;

  constructor(private readonly stream: OverloadStream) {
    const { origin, pathname } = new URL(stream.url);
    this.#where = { origin, path: pathname };
  }

  /** Opens the connections with cheap requests. */
  async connect(): Promise<void> {
    const { origin } = this.#where;
    const open = (): Promise<void> =>
      new Promise((resolve) => agent.dispatch({ origin, path: '/livez', method: 'GET' }, new Answer(() => resolve())));
    await Promise.all(Array.from({ length: CONNECTIONS }, open));
  }

  async until(end: number): Promise<void> {
    const { pace } = this.stream;
    if ('flight' in pace) await Promise.all(Array.from({ length: pace.flight }, () => this.#caller(end)));
    else await this.#arrivals(pace.perSecond, end);
    for (const times of [this.found.served, this.found.refused, this.found.late]) times.sort((a, b) => a - b);
  }

  async #caller(end: number): Promise<void> {
    while (performance.now() < end) await this.#ask(performance.now());
  }

  /** Waits for all requests sent: the slowest ones count too. */
  async #arrivals(perSecond: number, end: number): Promise<void> {
    const sent: Promise<void>[] = [];
    const wait = (): number => (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    let due = performance.now() + wait();
    while (due < end) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      for (const now = performance.now(); due <= now && due < end; due += wait()) sent.push(this.#ask(due));
    }
    await Promise.all(sent);
  }

  async #ask(due: number): Promise<void> {
    const { headers, body, method } = this.stream;
    const began = performance.now();
    this.found.late.push(began - due);
    const answer = await new Promise<{ status: number; retries: boolean }>((resolve) =>
      agent.dispatch(
        {
          ...this.#where,
          method,
          headers: { 'content-type': 'application/json', ...headers[this.#next++ % headers.length] },
          body: body === null ? null : body.replace('NTH', `${made++}`),
        },
        new Answer((status, retries) => resolve({ status, retries })),
      ),
    );
    const { served, refused, other } = this.found;
    const ms = performance.now() - began;
    if (answer.status === 200) served.push(ms);
    else if (answer.status === 503 && answer.retries) refused.push(ms);
    else other[answer.status] = (other[answer.status] ?? 0) + 1;
  }
}

async function run({ streams, seconds }: OverloadLoad): Promise<OverloadFound[]> {
  const runs = streams.map((stream) => new Run(stream));
  await runs[0]?.connect();
  const end = performance.now() + seconds * 1_000;
  await Promise.all(runs.map((one) => one.until(end)));
  return runs.map(({ found }) => found);
}

process.on('message', (load: OverloadLoad) => void run(load).then((found) => process.send?.(found)));
process.once('disconnect', () => process.exit());
