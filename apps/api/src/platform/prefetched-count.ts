/** The state of a rate limit: what its current window has counted, and in how many ms the window ends. */
export type LimitState = { consumedPoints: number; msBeforeNext: number };

type Counter = { consumed: number; until: number; uncounted: number };

const FLUSH_MS = 100;

/**
 * Lets callers far below their limit pass without waiting for the shared counter and counts them shortly afterwards, many with one command.
 * The first caller of a window, and all callers beyond half of the limit, go to the shared counter. One process never exceeds the limit;
 * each further process that the same member calls within the same tenth of a second may exceed it by a tenth.
 */
export class PrefetchedCount {
  readonly #counters = new Map<string, Counter>();
  #willFlush = false;

  /** `count` adds `n` callers of `key` to the shared counter and returns its state afterwards. */
  constructor(
    private readonly points: number,
    private readonly count: (key: string, n: number) => Promise<LimitState>,
  ) {}

  /** Whether one more caller may pass without the shared counter; if so, it is counted here. */
  pass(key: string): boolean {
    const counter = this.#counters.get(key);
    if (!counter || performance.now() >= counter.until) return false;
    const { consumed, uncounted } = counter;
    if (uncounted + 1 > this.points / 10 || consumed + uncounted + 1 > this.points / 2) return false;
    counter.uncounted++;
    if (!this.#willFlush) setTimeout(() => void this.#flush(), FLUSH_MS).unref();
    this.#willFlush = true;
    return true;
  }

  /** Takes the callers of `key` that passed and are not in the shared counter yet; the caller adds them. */
  takeUncounted(key: string): number {
    const counter = this.#counters.get(key);
    const uncounted = counter?.uncounted ?? 0;
    if (counter) counter.uncounted = 0;
    return uncounted;
  }

  /** Stores the state of the shared counter. */
  update(key: string, { consumedPoints, msBeforeNext }: LimitState): void {
    const counter = this.#counters.get(key);
    const until = performance.now() + msBeforeNext;
    if (counter) Object.assign(counter, { consumed: consumedPoints, until });
    else this.#counters.set(key, { consumed: consumedPoints, until, uncounted: 0 });
  }

  async #flush(): Promise<void> {
    this.#willFlush = false;
    const now = performance.now();
    const flushed = [...this.#counters].map(async ([key, counter]) => {
      const n = this.takeUncounted(key);
      if (n > 0) this.update(key, await this.count(key, n));
      else if (now >= counter.until) this.#counters.delete(key);
    });
    await Promise.allSettled(flushed);
  }
}
