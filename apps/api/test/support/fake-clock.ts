import type { Time } from '../../src/translation/routing/time.js';

type Timer = { readonly at: number; readonly fire: () => void };

/** A fake clock. Timers fire in order; pending promises settle before the next one fires. */
export class FakeClock implements Time {
  #now = 1_700_000_000_000;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, fire: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Pending timers. */
  get set(): number {
    return this.#timers.length;
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const next = this.#timers.reduce<Timer | null>(
        (first, timer) => (timer.at <= end && (first === null || timer.at < first.at) ? timer : first),
        null,
      );
      if (next === null) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((one) => one !== next);
      next.fire();
      await settled();
    }
    this.#now = end;
  }
}

/** Waits until pending promises are settled. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
