import { CoalescedReads } from './coalesced-reads.js';

/** `found` null: invalidated, together with every read that began before `readAt`. */
type Cached<V> = { found: { value: V | undefined } | null; readAt: number };

/** Maximum age of a cached value. As short as the cache of sessions, so every process sees a change within a second. */
const TTL_MS = 500;
/** Values in use are refreshed before they expire, many keys together, so that no caller waits for the read. */
const REFRESH_AFTER_MS = 250;
const REFRESH_BATCH_MS = 100;
const MAX_ENTRIES = 20_000;

/** Coalesced reads cached for half a second: for data that every request needs and that rarely changes. */
export class CachedReads<K, V> {
  readonly #cache = new Map<K, Cached<V>>();
  readonly #reads: CoalescedReads<K, V>;
  #refreshing = new Set<K>();

  /** `read` returns the values it finds; a missing key yields undefined. */
  constructor(private readonly read: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#reads = new CoalescedReads(read);
  }

  async get(key: K): Promise<V | undefined> {
    const cached = this.#cache.get(key);
    const age = cached ? performance.now() - cached.readAt : TTL_MS;
    if (!cached?.found || age >= TTL_MS) return this.refresh(key);
    if (age >= REFRESH_AFTER_MS) this.#refreshSoon(key);
    return cached.found.value;
  }

  /** Reads the value now, bypassing the cache. */
  async refresh(key: K): Promise<V | undefined> {
    const readAt = performance.now();
    const value = await this.#reads.get(key);
    this.#store(key, { found: { value }, readAt });
    return value;
  }

  /** From now on, no value is returned whose read began before this call. */
  invalidate(key: K): void {
    this.#store(key, { found: null, readAt: performance.now() });
  }

  #store(key: K, value: Cached<V>): void {
    if ((this.#cache.get(key)?.readAt ?? 0) > value.readAt) return;
    if (this.#cache.size >= MAX_ENTRIES) this.#cache.clear();
    this.#cache.set(key, value);
  }

  #refreshSoon(key: K): void {
    if (this.#refreshing.size === 0)
      setTimeout(() => void this.#refreshBatch().catch(() => undefined), REFRESH_BATCH_MS).unref();
    this.#refreshing.add(key);
  }

  /** After a failed refresh the next caller reads the value itself. */
  async #refreshBatch(): Promise<void> {
    const keys = [...this.#refreshing];
    this.#refreshing = new Set();
    const readAt = performance.now();
    const found = await this.read(keys);
    for (const key of keys) this.#store(key, { found: { value: found.get(key) }, readAt });
  }
}
