import { SharedReads } from './shared-reads.js';

/** `found` null: forgotten, and whatever began to be read before `readAt` with it. */
type Known<V> = { found: { value: V | undefined } | null; readAt: number };

/** What is remembered was read at most this long ago. As short as the trust in a session: every process notices within a second. */
const LIFE_MS = 500;
/** What is in use is read again before its time is up, many keys together, so that nobody who asks for it waits. */
const RENEW_AFTER_MS = 250;
const RENEW_TOGETHER_MS = 100;
const MOST = 20_000;

/** Reads that are shared and remembered for half a second: for what every request needs and nearly none finds changed. */
export class RememberedReads<K, V> {
  readonly #known = new Map<K, Known<V>>();
  readonly #reads: SharedReads<K, V>;
  #renewing = new Set<K>();

  /** `read` answers what it finds of the keys; a key that is missing is answered undefined. */
  constructor(private readonly read: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#reads = new SharedReads(read);
  }

  async get(key: K): Promise<V | undefined> {
    const known = this.#known.get(key);
    const age = known ? performance.now() - known.readAt : LIFE_MS;
    if (!known?.found || age >= LIFE_MS) return this.again(key);
    if (age >= RENEW_AFTER_MS) this.#renew(key);
    return known.found.value;
  }

  /** Reads it now, whatever is remembered. */
  async again(key: K): Promise<V | undefined> {
    const readAt = performance.now();
    const value = await this.#reads.get(key);
    this.#remember(key, { found: { value }, readAt });
    return value;
  }

  /** What was read, or began to be read, before now is not answered any more. */
  forget(key: K): void {
    this.#remember(key, { found: null, readAt: performance.now() });
  }

  #remember(key: K, known: Known<V>): void {
    if ((this.#known.get(key)?.readAt ?? 0) > known.readAt) return;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(key, known);
  }

  #renew(key: K): void {
    if (this.#renewing.size === 0)
      setTimeout(() => void this.#renewAll().catch(() => undefined), RENEW_TOGETHER_MS).unref();
    this.#renewing.add(key);
  }

  /** What cannot be renewed is read by whoever asks next. */
  async #renewAll(): Promise<void> {
    const keys = [...this.#renewing];
    this.#renewing = new Set();
    const readAt = performance.now();
    const found = await this.read(keys);
    for (const key of keys) this.#remember(key, { found: { value: found.get(key) }, readAt });
  }
}
