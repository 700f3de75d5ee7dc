import { Refusal } from '@yiqiao/domain/errors';

/** Runs up to `width` tasks at once while up to `queue` wait in order; refuses more with SERVICE_BUSY, so that a flood stays bounded. */
export class ConcurrencyLimiter {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly size: { width: number; queue: number }) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.size.width) {
      if (this.#waiting.length >= this.size.queue) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
      // The task that ends hands over its place, so `#running` does not change.
      await new Promise<void>((enter) => this.#waiting.push(enter));
    } else {
      this.#running++;
    }
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
