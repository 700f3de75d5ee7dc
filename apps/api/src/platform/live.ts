import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Config } from './config.js';
import { serializeError } from './logger.js';
import { REDIS } from './redis.js';

type Listener = (message: unknown) => void;
type Topic = { listeners: Set<Listener>; subscribed: Promise<void> };

/** Account events of families: `{ familyId, event, data }`. One topic for all, whatever the number of listeners. */
export const FAMILIES_TOPIC = 'families';

/** Sessions of these members have ended, or end when an open transaction commits: `{ userIds }`. */
export const SESSIONS_TOPIC = 'sessions';

/** Publishes live updates to all listening processes through Redis. Best effort: while Redis is away updates are dropped, and clients read the database. */
@Injectable()
export class Live implements OnApplicationShutdown {
  readonly #log = new Logger('Live');
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #topics = new Map<string, Topic>();
  #subscriber: Redis | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    config: Config,
  ) {
    this.#prefix = `${config.env.REDIS_PREFIX}:live:`;
    this.#timeoutMs = config.env.REDIS_TIMEOUT_MS;
  }

  /** Ids only: Redis never holds anything personal or secret. Never throws. */
  async publish(topic: string, message: object): Promise<void> {
    try {
      await this.redis.publish(this.#prefix + topic, JSON.stringify(message));
    } catch (error) {
      this.#log.debug({ msg: 'live update dropped', topic, error: serializeError(error) });
    }
  }

  /**
   * Once it resolves, `listener` receives every message; while Redis is away it resolves all the same, and messages arrive when Redis is
   * back. Returns the function that unsubscribes. Never throws.
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
    clearTimeout(this.#retry);
    this.#subscriber?.disconnect();
  }

  async #subscribe(channel: string): Promise<void> {
    this.#subscriber ??= this.#open();
    const subscriber = this.#subscriber;
    await this.#connected(subscriber);
    // A failed subscription is repeated when the connection is ready.
    await subscriber.subscribe(channel).catch(() => this.#subscribeLater());
  }

  async #subscribeAll(): Promise<void> {
    const channels = [...this.#topics.keys()];
    if (channels.length > 0) await this.#subscriber?.subscribe(...channels).catch(() => this.#subscribeLater());
  }

  /** For a Redis that is connected but too slow to answer in time; after a lost connection `ready` subscribes again. */
  #subscribeLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      if (this.#subscriber?.status === 'ready') void this.#subscribeAll();
    }, this.#timeoutMs).unref();
  }

  /** A subscribed connection cannot send other commands, so it is separate; processes without listeners have none. */
  #open(): Redis {
    const subscriber = this.redis.duplicate({ autoResubscribe: false });
    subscriber.setMaxListeners(0);
    subscriber.on('error', (error) => this.#log.debug(error.message));
    subscriber.on('ready', () => void this.#subscribeAll());
    subscriber.on('message', (channel: string, text: string) => this.#dispatch(channel, text));
    return subscriber;
  }

  /** Waits while the connection is being established, but not for a lost one. */
  async #connected(subscriber: Redis): Promise<void> {
    if (subscriber.status !== 'connecting' && subscriber.status !== 'connect') return;
    const over = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    subscriber.once('ready', resolve).once('close', resolve);
    await Promise.race([
      promise,
      sleep(this.#timeoutMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
    subscriber.off('ready', resolve).off('close', resolve);
  }

  #dispatch(channel: string, text: string): void {
    try {
      const message: unknown = JSON.parse(text);
      for (const listener of this.#topics.get(channel)?.listeners ?? []) listener(message);
    } catch (error) {
      this.#log.warn({ msg: 'invalid live update', channel, error: serializeError(error) });
    }
  }
}
