import { setImmediate as afterCallers, setTimeout as sleep } from 'node:timers/promises';

/** A read that takes longer than this keeps waiting only those whom it answers: the next one starts beside it. */
const PATIENCE_MS = 25;

type Waiting<V> = PromiseWithResolvers<V | undefined>;

/**
 * Reads that callers share: those who ask while one is under way are answered together by the next. What is answered was always
 * read after it was asked for, so nothing is older than it would be without sharing; a crowd only costs fewer queries.
 */
export class SharedReads<K, V> {
  #waiting = new Map<K, Waiting<V>>();
  #running = false;

  /** `read` answers what it finds of the keys; a key that is missing is answered undefined. */
  constructor(private readonly read: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {}

  get(key: K): Promise<V | undefined> {
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      waiting = Promise.withResolvers();
      this.#waiting.set(key, waiting);
      if (!this.#running) void this.#run();
    }
    return waiting.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      // Whoever asks in the same turn of the event loop is taken along.
      await afterCallers();
      const batch = this.#waiting;
      this.#waiting = new Map();
      await Promise.race([this.#answer(batch), sleep(PATIENCE_MS, undefined, { ref: false })]);
    }
    this.#running = false;
  }

  /** Never throws: what the read throws is thrown to those who wait for it. */
  async #answer(batch: Map<K, Waiting<V>>): Promise<void> {
    try {
      const found = await this.read([...batch.keys()]);
      for (const [key, waiting] of batch) waiting.resolve(found.get(key));
    } catch (error) {
      for (const waiting of batch.values()) waiting.reject(error);
    }
  }
}
