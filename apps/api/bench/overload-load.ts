/**
 * The load of the overload bench, in a process of its own: takes one `OverloadLoad` after the other from its parent and answers each with what
 * its streams found.
 */
import { Agent, type Dispatcher } from 'undici';

export type OverloadStream = {
  url: string;
  method: 'GET' | 'POST';
  /** One of these after the other. */
  headers: readonly Record<string, string>[];
  /** `NTH` in it becomes a number that never comes again. */
  body: string | null;
  /** So many at the same time, each followed at once by another; or so many per second at random (Poisson), whatever becomes of them. */
  pace: { flight: number } | { perSecond: number };
};

export type OverloadLoad = { streams: readonly OverloadStream[]; seconds: number };

/**
 * Times in ms, ascending, from the moment a request was sent: `served` with status 200, `refused` with 503 and Retry-After, `other` the
 * statuses of the rest. `late`: how long after its time each was sent, because this process had no processor.
 */
export type OverloadFound = { served: number[]; refused: number[]; late: number[]; other: Record<string, number> };

const agent = new Agent({
  connections: 3_000,
  pipelining: 1,
  headersTimeout: 30_000,
  bodyTimeout: 30_000,
  keepAliveTimeout: 60_000,
});
/** Opened before anything is measured and kept, as a proxy does: libuv accepts one connection in each turn of a server's event loop. */
const KEPT = 1_000;
const TICK_MS = 2;
let made = 0;

/** Of an answer nothing but status and Retry-After is kept. */
class Answer implements Dispatcher.DispatchHandler {
  #status = 0;
  #retries = false;

  constructor(private readonly over: (status: number, retries: boolean) => void) {}

  onRequestStart(): void {
    // Nothing is ever given up.
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

  /** Opens the kept connections, without a request that costs anything. */
  async connect(): Promise<void> {
    const { origin } = this.#where;
    const open = (): Promise<void> =>
      new Promise((resolve) => agent.dispatch({ origin, path: '/health', method: 'GET' }, new Answer(() => resolve())));
    await Promise.all(Array.from({ length: KEPT }, open));
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

  /** All that were sent are waited for: whoever waits longest is part of what is measured. */
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
