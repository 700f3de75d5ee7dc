/** Requests are counted over a little less than a second, so that a second's worth sent evenly is never refused for the jitter of the way. */
const WINDOW = 800;

/** Counts an account's requests where it may make only so many in a second. */
export class RateLimit {
  readonly #seen = new Map<string, readonly number[]>();

  /** Whether one more request is within the rate; counts it only then. `now` in ms. */
  allows(account: string, perSecond: number, now = performance.now()): boolean {
    const recent = (this.#seen.get(account) ?? []).filter((at) => now - at < WINDOW);
    const allowed = recent.length < perSecond;
    this.#seen.set(account, allowed ? [...recent, now] : recent);
    return allowed;
  }
}
