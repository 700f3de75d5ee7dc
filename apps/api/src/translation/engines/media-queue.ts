import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { FairQueue } from '../routing/fair-queue.js';
import { TextTraffic } from './text-traffic.js';

/** Whose turn it is, and until when anybody waits for it. */
export type Turn = { readonly family: number; readonly signal: AbortSignal };

type Waiting = { readonly family: number; readonly chars: number; readonly enter: () => void };

const PROCESSORS = availableParallelism();
/** So many work at once in this process: one processor is left to the rest of the service. */
const WIDTH = Math.min(2, Math.max(1, PROCESSORS - 1));
const REST_MAX_MS = 5_000;
/** Beyond what uploads let in, this only guards against mistakes of ours. */
const QUEUE = 64;

/**
 * How long nothing of the kind begins after a step of `ms` milliseconds. Where pictures take every second processor, a lower priority is
 * not enough for texts: memory, caches and the kernel know none. So pictures take half of the time while texts are asked for.
 */
export const restAfter = (ms: number, { processors, isAsked }: { processors: number; isAsked: boolean }): number =>
  isAsked && processors <= 2 ? Math.min(ms, REST_MAX_MS) : 0;

/**
 * The one gate to everything that decodes, recognises, draws or speaks: one or two at once, families one after the other. It is entered for
 * one step at a time, never while a vendor is waited for.
 */
@Injectable()
export class MediaQueue {
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  #length = 0;

  constructor(private readonly texts: TextTraffic) {}

  /** Throws SERVICE_BUSY when too many wait, UPSTREAM_TIMEOUT when the turn did not come in time. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await this.#enter(turn);
    const begun = performance.now();
    try {
      return await work();
    } finally {
      const rest = restAfter(performance.now() - begun, { processors: PROCESSORS, isAsked: this.texts.isOn });
      if (rest > 0) setTimeout(() => this.#handOver(), rest).unref();
      else this.#handOver();
    }
  }

  /** Whoever leaves hands its place over, so `#running` stays as it is. */
  #handOver(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#running--;
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
