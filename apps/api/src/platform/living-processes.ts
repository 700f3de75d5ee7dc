import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Config } from './config.js';
import { REDIS } from './redis.js';
import { uuid7 } from './uuid7.js';

const BEAT_MS = 1_000;
/** How long a process that starts waits for its connection to Redis, in steps. */
const CONNECT = { times: 10, ms: 100 };
/** What a process holds is free again when it has not been heard for this long. */
export const LEASE_MS = 6_000;
/** A process stops to trust what it holds this long before others may take it. */
const MARGIN_MS = 1_000;
/** So long are processes counted after they were last heard: while Redis is away they may still run. */
const REMEMBERED_MS = 600_000;
/** The counts of a Redis that lost them are complete once every process has told its own. */
const SETTLING_MS = 3 * BEAT_MS;

/**
 * KEYS: the processes by when they were last heard; when the counts began. ARGV: this process. Returns whether it was known, how many
 * processes there are, when the counts began (ms since 1970) and how many ms ago.
 */
const BEAT = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local heard = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${REMEMBERED_MS})
redis.call('SET', KEYS[2], now, 'NX')
local began = tonumber(redis.call('GET', KEYS[2]))
local known = heard and now - heard <= ${LEASE_MS}
return {known and 1 or 0, redis.call('ZCARD', KEYS[1]), began, now - began}`;

type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

/** `lost`: Redis has lost what it counted. Whoever holds or has counted something tells it again. */
type Returning = (returned: { lost: boolean }) => Promise<void>;

/**
 * The processes that share limits through Redis. Each is heard every second; one that was killed is silent, and what it held is free after
 * {@link LEASE_MS}. While Redis is away a process knows how many there were.
 */
@Injectable()
export class LivingProcesses implements OnApplicationShutdown {
  readonly id = uuid7();
  readonly key: string;
  readonly #beat: Script;
  readonly #returning: Returning[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #seen: { count: number; at: number }[] = [];
  #began = 0;
  /** Until when what this process holds is its own. */
  #sureUntil = 0;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    private readonly config: Config,
  ) {
    this.key = this.keyOf('sharing');
    this.#beat = this.script('yiqiaoBeat', BEAT);
  }

  keyOf(name: string): string {
    return `${this.config.env.REDIS_PREFIX}:${name}`;
  }

  /** A script of Redis, sent once per connection. Rejects at once while Redis is away, and tells this process so. */
  script(name: string, lua: string): Script {
    this.redis.defineCommand(name, { lua });
    const run = (this.redis as unknown as Record<string, (...all: (string | number)[]) => Promise<unknown>>)[name];
    return async (keys, args) => {
      try {
        return await run?.call(this.redis, keys.length, ...keys, ...args);
      } catch (error) {
        this.#sureUntil = 0;
        throw error;
      }
    };
  }

  /** Calls it when Redis is there again after it did not know this process, before {@link isSure} is true. */
  onReturn(returning: Returning): void {
    this.#returning.push(returning);
  }

  /** Is heard from now on. Resolves once it was, or when Redis is away. */
  async begin(): Promise<void> {
    this.#timer ??= setInterval(() => void this.beat(), BEAT_MS).unref();
    for (let n = 0; n < CONNECT.times && ['connecting', 'connect'].includes(this.redis.status); n++)
      await sleep(CONNECT.ms);
    await this.beat();
  }

  /** Whether Redis knows this process, and what all hold and have counted. Otherwise each keeps to its share of a limit. */
  get isSure(): boolean {
    return performance.now() < this.#sureUntil;
  }

  /** This process's part of a limit while Redis is away. */
  shareOf(limit: number): number {
    return limit / this.count;
  }

  /** How many processes share the limits: the most that Redis knew in the last ten minutes, at least this one. */
  get count(): number {
    const oldest = performance.now() - REMEMBERED_MS;
    return Math.max(1, ...this.#seen.filter(({ at }) => at > oldest).map(({ count }) => count));
  }

  /** Is heard now; never rejects. */
  beat(): Promise<void> {
    this.#beating ??= this.#beatOnce().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  /** Is not heard any more, as if it were killed. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#timer === undefined) return;
    this.stop();
    await this.redis.zrem(this.key, this.id).catch(() => undefined);
  }

  async #beatOnce(): Promise<void> {
    const asked = performance.now();
    try {
      const [known, count, began, age] = (await this.#beat([this.key, this.keyOf('sharing-since')], [this.id])) as [
        number,
        number,
        number,
        number,
      ];
      this.#remember(count, asked);
      const lost = began !== this.#began;
      if (known === 0 || lost || this.#sureUntil === 0) for (const tell of this.#returning) await tell({ lost });
      this.#began = began;
      this.#sureUntil = age < SETTLING_MS ? 0 : asked + LEASE_MS - MARGIN_MS;
    } catch {
      this.#sureUntil = 0;
    }
  }

  /** The count of each minute. */
  #remember(count: number, at: number): void {
    const last = this.#seen.at(-1);
    if (last && at - last.at < REMEMBERED_MS / 10) last.count = Math.max(last.count, count);
    else this.#seen = [...this.#seen.slice(-10), { count, at }];
  }
}
