import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { FairQueue } from '../routing/fair-queue.js';
import { TextTraffic } from './text-traffic.js';

/** The family of a step and the signal that ends its wait. */
export type Turn = { readonly family: number; readonly signal: AbortSignal };

type Waiting = { readonly family: number; readonly chars: number; readonly enter: () => void };

const PROCESSORS = availableParallelism();
/** Concurrent steps in this process: one processor is left to the rest of the service. */
const WIDTH = Math.min(2, Math.max(1, PROCESSORS - 1));
const REST_MAX_MS = 5_000;
/** More than the upload limits allow: only guards against bugs. */
const QUEUE = 64;

/**
 * The pause after a step of `ms` milliseconds. On few processors a lower priority does not protect texts enough, because memory, caches and
 * the kernel ignore it: while texts are requested, media steps take only half of the time.
 */
export const restAfter = (ms: number, { processors, isAsked }: { processors: number; isAsked: boolean }): number =>
  isAsked && processors <= 2 ? Math.min(ms, REST_MAX_MS) : 0;

/**
 * The queue of all steps that decode, recognise, draw or speak: one or two at once, families in turn. Held for one step at a time, never while
 * waiting for a vendor.
 */
@Injectable()
export class MediaQueue {
  readonly #waiting = new FairQueue<Waiting>();
  #running = 0;
  #length = 0;

  constructor(private readonly texts: TextTraffic) {}

  /** Throws SERVICE_BUSY when the queue is full, UPSTREAM_TIMEOUT when the turn does not come in time. */
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

  /** Hands the place to the next step, so `#running` does not change. */
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
