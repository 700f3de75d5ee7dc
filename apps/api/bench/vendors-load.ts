/**
 * The load generator of the vendors bench, in a separate process. Runs one `Load` after another from its parent and replies with the
 * results of its streams.
 */
import { Agent, type Dispatcher } from 'undici';
import { random } from './random.js';

export type Stream = {
  name: string;
  url: string;
  /** Used in turn, or at random. */
  headers: readonly Record<string, string>[];
  isShuffled?: boolean;
  /** `NTH` is replaced by a unique number, because equal requests would share one vendor call. */
  body: string;
  /** Closed loop with `flight` requests at a time, or open loop with Poisson arrivals. `abandoned`: does not wait for the last responses. */
  pace: { flight: number } | { perSecond: number; abandoned?: boolean };
};

type Paced = Extract<Stream['pace'], { perSecond: number }>;

export type Load = { streams: readonly Stream[]; seconds: number };

/** Ascending times in ms of responses with status 200; the number of responses by status, 0 without one. */
export type Found = { name: string; seconds: number; ms: number[]; statuses: Record<string, number> };

/** Keeps only the status, because the load generator shares the machine with the measured processes. */
class Status implements Dispatcher.DispatchHandler {
  #status = 0;

  constructor(private readonly over: (status: number) => void) {}

  onRequestStart(): void {
    // Requests are never aborted.
  }

  onResponseStart(_: unknown, status: number): void {
    this.#status = status;
  }

  onResponseEnd(): void {
    this.over(this.#status);
  }

  onResponseError(): void {
    this.over(0);
  }
}

/** Pause of a refused caller. */
const REFUSED_MS = 50;
/** The seed of arrivals, the same for every compared stream. */
const ARRIVALS = 3;
/** The seed of whose headers are used. */
const CHOICES = 5;

const agent = new Agent({ connections: 4_000, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
let made = 0;

class Run {
  readonly found: Found;
  readonly #where: { origin: string; path: string };
  #next = 0;
  readonly #choice = random(CHOICES);

  constructor(
    private readonly stream: Stream,
    seconds: number,
  ) {
    this.found = { name: stream.name, seconds, ms: [], statuses: {} };
    const { origin, pathname } = new URL(stream.url);
    this.#where = { origin, path: pathname };
  }

  async until(end: number): Promise<void> {
    const { pace } = this.stream;
    if ('flight' in pace) await Promise.all(Array.from({ length: pace.flight }, (_, i) => this.#caller(i, end)));
    else await this.#paced(pace, end);
    this.found.ms.sort((a, b) => a - b);
  }

  /** Staggered starts: callers that start together would stay synchronised. */
  async #caller(place: number, end: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, place));
    while (performance.now() < end)
      if (!(await this.#ask())) await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
  }

  /** Open loop: a slow response does not delay the next request. */
  async #paced({ perSecond, abandoned }: Paced, end: number): Promise<void> {
    const next = random(ARRIVALS);
    const sent: Promise<boolean>[] = [];
    let due = performance.now();
    for (;;) {
      due -= (Math.log(1 - next()) / perSecond) * 1000;
      if (due >= end) break;
      for (let left = due - performance.now(); left > 0; left = due - performance.now())
        await new Promise((resolve) => setTimeout(resolve, left));
      sent.push(this.#ask());
    }
    if (!abandoned) await Promise.all(sent);
  }

  #headers(): Record<string, string> {
    const { headers, isShuffled } = this.stream;
    const at = isShuffled ? Math.floor(this.#choice() * headers.length) : this.#next++ % headers.length;
    return headers[at] ?? {};
  }

  /** Whether the response was 200. */
  async #ask(): Promise<boolean> {
    const { body } = this.stream;
    const began = performance.now();
    const status = await new Promise<number>((resolve) =>
      agent.dispatch(
        {
          ...this.#where,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...this.#headers() },
          body: body.replace('NTH', `${made++}`),
        },
        new Status(resolve),
      ),
    );
    const { ms, statuses } = this.found;
    if (status === 200) ms.push(performance.now() - began);
    statuses[status] = (statuses[status] ?? 0) + 1;
    return status === 200;
  }
}

process.on('message', (load: Load) => {
  const runs = load.streams.map((stream) => new Run(stream, load.seconds));
  const end = performance.now() + load.seconds * 1000;
  void Promise.all(runs.map((run) => run.until(end))).then(() => process.send?.(runs.map(({ found }) => found)));
});
process.once('disconnect', () => process.exit());
