import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Config } from './config.js';
import { plainly } from './logger.js';
import { REDIS } from './redis.js';

type Listener = (message: unknown) => void;
type Topic = { listeners: Set<Listener>; subscribed: Promise<void> };

/** What concerns the accounts of families: `{ familyId, event, data }`. One topic for all, whatever the number of those who listen. */
export const FAMILIES_TOPIC = 'families';

/** Sessions of these members have ended, or do when a transaction that is still open commits: `{ userIds }`. */
export const SESSIONS_TOPIC = 'sessions';

/**
 * Tells what has just happened to every process where somebody listens, through Redis. It is a convenience: while Redis is away
 * nothing is told and nothing fails, and whoever needs to know reads the database.
 */
@Injectable()
export class Live implements OnApplicationShutdown {
  readonly #log = new Logger('Live');
  readonly #prefix: string;
  readonly #patienceMs: number;
  readonly #topics = new Map<string, Topic>();
  #subscriber: Redis | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    config: Config,
  ) {
    this.#prefix = `${config.env.REDIS_PREFIX}:live:`;
    this.#patienceMs = config.env.REDIS_TIMEOUT_MS;
  }

  /** Ids only: nothing personal and nothing secret ever stands in Redis. Never throws. */
  async publish(topic: string, message: object): Promise<void> {
    try {
      await this.redis.publish(this.#prefix + topic, JSON.stringify(message));
    } catch (error) {
      this.#log.debug({ msg: 'nobody could be told', topic, error: plainly(error) });
    }
  }

  /**
   * From the moment that this answers, `listener` is told what is published; while Redis is away it answers all the same, and
   * telling begins when Redis is back. Answers how to stop. Never throws.
   */
  async listen(topic: string, listener: Listener): Promise<() => void> {
    const channel = this.#prefix + topic;
    let entry = this.#topics.get(channel);
    if (!entry) {
      entry = { listeners: new Set(), subscribed: this.#subscribe(channel) };
      this.#topics.set(channel, entry);
    }
    const { listeners, subscribed } = entry;
    listeners.add(listener);
    await subscribed;
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0 || this.#topics.get(channel) !== entry) return;
      this.#topics.delete(channel);
      this.#subscriber?.unsubscribe(channel).catch(() => undefined);
    };
  }

  onApplicationShutdown(): void {
    clearTimeout(this.#again);
    this.#subscriber?.disconnect();
  }

  async #subscribe(channel: string): Promise<void> {
    this.#subscriber ??= this.#open();
    const subscriber = this.#subscriber;
    await this.#settled(subscriber);
    // What is not subscribed now is when the connection is there.
    await subscriber.subscribe(channel).catch(() => this.#subscribeLater());
  }

  async #subscribeAll(): Promise<void> {
    const channels = [...this.#topics.keys()];
    if (channels.length > 0) await this.#subscriber?.subscribe(...channels).catch(() => this.#subscribeLater());
  }

  /** A Redis that is there and too slow to answer in time would leave its listeners deaf; one that is away calls when it is back. */
  #subscribeLater(): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      if (this.#subscriber?.status === 'ready') void this.#subscribeAll();
    }, this.#patienceMs).unref();
  }

  /** A subscribed connection can do nothing else, so it is one of its own; processes where nobody listens have none. */
  #open(): Redis {
    const subscriber = this.redis.duplicate({ autoResubscribe: false });
    subscriber.setMaxListeners(0);
    subscriber.on('error', (error) => this.#log.debug(error.message));
    subscriber.on('ready', () => void this.#subscribeAll());
    subscriber.on('message', (channel: string, text: string) => this.#tell(channel, text));
    return subscriber;
  }

  /** Waits for a connection that is being made, and for none that is lost. */
  async #settled(subscriber: Redis): Promise<void> {
    if (subscriber.status !== 'connecting' && subscriber.status !== 'connect') return;
    const over = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    subscriber.once('ready', resolve).once('close', resolve);
    await Promise.race([
      promise,
      sleep(this.#patienceMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
    subscriber.off('ready', resolve).off('close', resolve);
  }

  #tell(channel: string, text: string): void {
    try {
      const message: unknown = JSON.parse(text);
      for (const listener of this.#topics.get(channel)?.listeners ?? []) listener(message);
    } catch (error) {
      this.#log.warn({ msg: 'a message was not understood', channel, error: plainly(error) });
    }
  }
}
