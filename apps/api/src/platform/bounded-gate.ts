import { Refusal } from '@yiqiao/domain/errors';

/**
 * Lets `width` tasks run at once and `queue` wait, in order; whoever comes then is refused at once with SERVICE_BUSY.
 * A flood costs a bounded amount of memory and processor, and says so instead of growing.
 */
export class BoundedGate {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly size: { width: number; queue: number }) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.size.width) {
      if (this.#waiting.length >= this.size.queue) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
      // Whoever leaves hands its place over, so `#running` stays as it is.
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
