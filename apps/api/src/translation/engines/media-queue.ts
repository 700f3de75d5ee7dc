import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { FairQueue } from '../routing/fair-queue.js';

/** Whose turn it is, and until when anybody waits for it. */
export type Turn = { readonly family: number; readonly signal: AbortSignal };

type Waiting = { readonly family: number; readonly chars: number; readonly enter: () => void };

/** So many work at once in this process: one processor is left to the rest of the service. */
const WIDTH = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Beyond what uploads let in, this only guards against mistakes of ours. */
const QUEUE = 64;

/**
 * The one gate to everything that decodes, recognises, draws or speaks: one or two at once, families one after the other. It is entered for
 * one step at a time, never while a vendor is waited for.
 */
@Injectable()
export class MediaQueue {
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  #length = 0;

  /** Throws SERVICE_BUSY when too many wait, UPSTREAM_TIMEOUT when the turn did not come in time. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await this.#enter(turn);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever leaves hands its place over, so `#running` stays as it is.
      if (next) next.enter();
      else this.#running--;
    }
  }

  async #enter({ family, signal }: Turn): Promise<void> {
    if (signal.aborted) throw new Refusal('UPSTREAM_TIMEOUT');
    if (this.#running < WIDTH) return void this.#running++;
    if (this.#length >= QUEUE) throw new Refusal('SERVICE_BUSY', { retryAfterSeconds: 5 });
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { family, chars: 0, enter: turn.resolve };
    const leave = (): void => {
      if (this.#waiting.remove(waiting)) turn.reject(new Refusal('UPSTREAM_TIMEOUT'));
    };
    this.#length++;
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      this.#length--;
      signal.removeEventListener('abort', leave);
    }
  }
}
