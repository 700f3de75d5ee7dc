import { Refusal } from '@yiqiao/domain/errors';

export type LimiterSize = {
  /** Tasks that run at once. */
  width: number;
  /** Tasks that run or wait: of one key, and of all together. */
  perKey: number;
  total: number;
  /** How long a task waits for its turn before it is refused. */
  waitMs: number;
};

type Waiting = { start: () => void; timer: NodeJS.Timeout };

/**
 * Runs few tasks at once and serves keys round-robin, so a thousand tasks of one key delay another key by one task. The queue is bounded per
 * key (TOO_MANY_REQUESTS), in total and in time (SERVICE_BUSY).
 */
export class FairLimiter {
  #running = 0;
  #held = 0;
  readonly #heldBy = new Map<string, number>();
  /** In round-robin order: a key that was served moves to the end. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly size: LimiterSize) {}

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mine = this.#heldBy.get(key) ?? 0;
    if (mine >= this.size.perKey) throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    if (this.#held >= this.size.total) throw busy();
    this.#heldBy.set(key, mine + 1);
    this.#held++;
    try {
      if (this.#running >= this.size.width) await this.#turn(key);
      else this.#running++;
      try {
        return await task();
      } finally {
        this.#next();
      }
    } finally {
      this.#held--;
      const left = (this.#heldBy.get(key) ?? 1) - 1;
      if (left > 0) this.#heldBy.set(key, left);
      else this.#heldBy.delete(key);
    }
  }

  /** Waits until a finished task hands over its place, so `#running` does not change. */
  #turn(key: string): Promise<void> {
    return new Promise((start, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      const timer = setTimeout(() => {
        const left = (this.#waiting.get(key) ?? []).filter((one) => one.timer !== timer);
        if (left.length > 0) this.#waiting.set(key, left);
        else this.#waiting.delete(key);
        reject(busy());
      }, this.size.waitMs);
      queue.push({ start, timer });
      this.#waiting.set(key, queue);
    });
  }

  #next(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#running--;
      return;
    }
    const [key, [first, ...others]] = turn;
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
    clearTimeout(first?.timer);
    first?.start();
  }
}

const busy = (): Refusal => new Refusal('SERVICE_BUSY', { retryAfterSeconds: 1 });
