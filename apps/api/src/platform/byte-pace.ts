/**
 * How fast bytes may come in, all senders together. To receive, look through and digest a megabyte takes some milliseconds of the one thread
 * that answers everybody: without a pace a few fast senders would have all of it.
 */
export class BytePace {
  #freeAt = 0;

  /** `burst`: so many bytes at once are let through before anybody waits. */
  constructor(private readonly limits: { readonly bytesPerSecond: number; readonly burst: number }) {}

  /** Takes room for `bytes` that have come, and answers how many ms their sender must wait before it sends more. */
  take(bytes: number, now = performance.now()): number {
    const { bytesPerSecond, burst } = this.limits;
    const ms = (amount: number): number => (amount / bytesPerSecond) * 1_000;
    this.#freeAt = Math.max(this.#freeAt, now) + ms(bytes);
    return Math.max(0, this.#freeAt - now - ms(burst));
  }
}
