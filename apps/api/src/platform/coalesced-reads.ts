import { setImmediate as endOfTurn } from 'node:timers/promises';

/** A slower read delays only its own callers: the next read starts beside it. */
const SLOW_MS = 25;

type Pending<V> = PromiseWithResolvers<V | undefined>;

/**
 * Coalesces identical reads in flight: callers that arrive during a read are answered together by the next one. Every answer was read after
 * the call, so it is never staler than without coalescing.
 */
export class CoalescedReads<K, V> {
  #pending = new Map<K, Pending<V>>();
  #running = false;
  /** Told when the first caller waits for the read that is running. */
  #onWaiting: (() => void) | undefined;

  /** `read` returns the values it finds; a missing key yields undefined. */
  constructor(private readonly read: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {}

  get(key: K): Promise<V | undefined> {
    let pending = this.#pending.get(key);
    if (!pending) {
      pending = Promise.withResolvers();
      this.#pending.set(key, pending);
      if (this.#running) this.#onWaiting?.();
      else void this.#run();
    }
    return pending.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#pending.size > 0) {
      // Include callers of the same turn of the event loop.
      await endOfTurn();
      const batch = this.#pending;
      this.#pending = new Map();
      await this.#settledOrSlow(batch);
      this.#onWaiting = undefined;
    }
    this.#running = false;
  }

  /** A timer runs only while somebody waits: most reads are alone, and each timer wakes the process once more. */
  #settledOrSlow(batch: Map<K, Pending<V>>): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      this.#onWaiting = () => void (timer ??= setTimeout(resolve, SLOW_MS).unref());
      void this.#settle(batch).then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Never throws: an error of the read rejects its callers. */
  async #settle(batch: Map<K, Pending<V>>): Promise<void> {
    try {
      const found = await this.read([...batch.keys()]);
      for (const [key, pending] of batch) pending.resolve(found.get(key));
    } catch (error) {
      for (const pending of batch.values()) pending.reject(error);
    }
  }
}
