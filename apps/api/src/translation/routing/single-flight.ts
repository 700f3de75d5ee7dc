import { untilAborted } from './time.js';

/** A call in flight and the number of its callers. */
class Flight {
  readonly #controller = new AbortController();
  #waiting = 0;
  isOver = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isAbandoned(): boolean {
    return this.signal.aborted;
  }

  join(): void {
    this.#waiting++;
  }

  leave(): void {
    if (--this.#waiting === 0 && !this.isOver) this.#controller.abort();
  }
}

type Shared<T> = { readonly flight: Flight; readonly result: Promise<T> };

/**
 * Coalesces equal work in flight: it is done once and every caller gets the result. A caller that leaves takes nothing from the others;
 * when the last one has left, the work is aborted.
 */
export class SingleFlight<T> {
  readonly #shared = new Map<string, Shared<T>>();

  /**
   * The results for `keys`, in order. `start` is called once for the keys that are not in flight: it gets their indexes and returns as many
   * results. Rejects with the reason of `signal` when the caller leaves.
   */
  async all(
    keys: readonly string[],
    start: (places: readonly number[], signal: AbortSignal) => Promise<readonly T[]>,
    signal: AbortSignal,
  ): Promise<readonly T[]> {
    signal.throwIfAborted();
    this.#begin(keys, start);
    const shared = keys.map((key) => this.#shared.get(key)).filter((one) => one !== undefined);
    const flights = new Set(shared.map(({ flight }) => flight));
    for (const flight of flights) flight.join();
    try {
      return await untilAborted(Promise.all(shared.map(({ result }) => result)), signal);
    } finally {
      for (const flight of flights) flight.leave();
    }
  }

  #begin(
    keys: readonly string[],
    start: (places: readonly number[], signal: AbortSignal) => Promise<readonly T[]>,
  ): void {
    const fresh = new Map<string, number>();
    for (const [place, key] of keys.entries()) {
      const shared = this.#shared.get(key);
      if ((!shared || shared.flight.isAbandoned) && !fresh.has(key)) fresh.set(key, place);
    }
    if (fresh.size === 0) return;
    const flight = new Flight();
    const results = start([...fresh.values()], flight.signal);
    const settled = (): void => {
      flight.isOver = true;
      for (const key of fresh.keys()) if (this.#shared.get(key)?.flight === flight) this.#shared.delete(key);
    };
    results.then(settled, settled);
    for (const [nth, key] of [...fresh.keys()].entries()) {
      const result = results.then((all) => {
        const one = all[nth];
        if (one === undefined) throw new Error(`${all.length} results for ${fresh.size} keys`);
        return one;
      });
      // Callers get the rejection; without callers it must not end the process.
      result.catch(() => undefined);
      this.#shared.set(key, { flight, result });
    }
  }
}
