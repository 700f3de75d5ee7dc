import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { serializeError, ThrottledLines } from '../platform/logger.js';
import { outageKind } from '../platform/outage.js';
import { type Claim, WebhookDeliveries } from './deliveries.js';

const PAUSE_MS = 250;
const PAUSE_AFTER_FAILURE_MS = 2_000;
/** Shorter than the time after which a process is killed; what is cut off then is attempted again. */
const DRAIN_MS = 7_000;
/** Attempts of one worker at a time. */
const AT_ONCE = 32;

/** The worker's loop over deliveries that are due. On shutdown it takes no new ones and waits for those under way. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('DeliveryWorker');
  readonly #outages = new ThrottledLines((line) => this.#log.warn({ msg: 'webhooks could not be delivered', ...line }));
  readonly #running = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(private readonly deliveries: WebhookDeliveries) {}

  onApplicationBootstrap(): void {
    this.#loop = this.#run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
    await Promise.race([Promise.all(this.#running), sleep(DRAIN_MS, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const free = AT_ONCE - this.#running.size;
      const claimed = free === 0 ? [] : await this.#claim(free);
      for (const claim of claimed ?? []) this.#begin(claim);
      const pause = claimed === null ? PAUSE_AFTER_FAILURE_MS : PAUSE_MS;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Null: the database did not answer. */
  async #claim(most: number): Promise<Claim[] | null> {
    try {
      return await this.deliveries.claim(most);
    } catch (error) {
      this.#report(error);
      return null;
    }
  }

  /** A result that cannot be recorded is as good as none: the delivery is attempted again when its lease ends. */
  #begin(claim: Claim): void {
    const attempt = this.deliveries.attempt(claim).catch((error: unknown) => this.#report(error));
    const tracked = attempt.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #report(error: unknown): void {
    this.#outages.add(outageKind(error), () => ({ error: serializeError(error) }));
  }
}
