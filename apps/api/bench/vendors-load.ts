/**
 * The load of the vendors' bench, in a process of its own: takes one `Load` after the other from its parent and answers each with what
 * its streams found.
 */
import { Agent, type Dispatcher } from 'undici';
import { random } from './random.js';

export type Stream = {
  name: string;
  /** Where every request goes, and with which headers: one of these after the other. */
  url: string;
  headers: readonly Record<string, string>[];
  /** `NTH` in it becomes a number that never comes again: equal requests would share one call of the vendor. */
  body: string;
  /**
   * So many at the same time, each followed at once by another; or so many per second on the average, each whenever it comes (Poisson)
   * and whatever became of those before. `abandoned`: what is not answered at the end is given up.
   */
  pace: { flight: number } | { perSecond: number; abandoned?: boolean };
};

type Paced = Extract<Stream['pace'], { perSecond: number }>;

export type Load = { streams: readonly Stream[]; seconds: number };

/** Times in ms of the answers with status 200, ascending; how many answers had which status, 0 for none at all. */
export type Found = { name: string; seconds: number; ms: number[]; statuses: Record<string, number> };

/** Of an answer nothing but the status is kept, when it is over: who sends the requests has the same two cores as whoever is measured. */
class Status implements Dispatcher.DispatchHandler {
  #status = 0;

  constructor(private readonly over: (status: number) => void) {}

  onRequestStart(): void {
    // Nothing is ever given up.
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

/** A caller that is refused comes again after so long. */
const REFUSED_MS = 50;
/** Whoever is compared is asked at the very same moments. */
const ARRIVALS = 3;

const agent = new Agent({ connections: 4_000, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
let made = 0;

class Run {
  readonly found: Found;
  readonly #where: { origin: string; path: string };
  #next = 0;

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

  /** Callers that began all at once would stay a crowd that comes and goes. */
  async #caller(place: number, end: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, place));
    while (performance.now() < end)
      if (!(await this.#ask())) await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
  }

  /** Nobody waits for anybody: how long one answer takes changes nothing of when the next request is sent. */
  async #paced({ perSecond, abandoned }: Paced, end: number): Promise<void> {
    const next = random(ARRIVALS);
    const asked: Promise<boolean>[] = [];
    let due = performance.now();
    for (;;) {
      due -= (Math.log(1 - next()) / perSecond) * 1000;
      if (due >= end) break;
      for (let left = due - performance.now(); left > 0; left = due - performance.now())
        await new Promise((resolve) => setTimeout(resolve, left));
      asked.push(this.#ask());
    }
    if (!abandoned) await Promise.all(asked);
  }

  /** Whether it was answered well. */
  async #ask(): Promise<boolean> {
    const { headers, body } = this.stream;
    const began = performance.now();
    const status = await new Promise<number>((resolve) =>
      agent.dispatch(
        {
          ...this.#where,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers[this.#next++ % headers.length] },
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
