import { isIPv6 } from 'node:net';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Refusal, type ErrorCode } from '@yiqiao/domain/errors';
import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Config } from './config.js';
import { PrefetchedCount } from './prefetched-count.js';
import { REDIS } from './redis.js';
import { Vault } from './vault.js';

type Row = {
  setting: keyof Config['env'] & (`LIMIT_${string}` | `TRY_PER_${string}`);
  seconds: number;
  refusal: ErrorCode;
  /** The setting is a rate per second: the limit over `seconds` is that many times higher, so a burst passes and the average holds. */
  perSecond?: true;
  /** Whoever reaches the limit waits `seconds` from then on, not only until the first of the calls is that old. */
  locks?: true;
};

/** The rate limits (decisions §3). `setting` names the environment variable that holds the count. */
export const RATE_LIMITS = {
  loginFailures: { setting: 'LIMIT_LOGIN_FAILURES', seconds: 15 * 60, refusal: 'LOGIN_LOCKED' },
  loginFailuresPerIp: { setting: 'LIMIT_LOGIN_FAILURES_PER_IP', seconds: 15 * 60, refusal: 'LOGIN_LOCKED' },
  operatorSignIns: { setting: 'LIMIT_OPERATOR_SIGN_INS', seconds: 15 * 60, refusal: 'LOGIN_LOCKED', locks: true },
  operatorCodes: { setting: 'LIMIT_OPERATOR_SIGN_INS', seconds: 15 * 60, refusal: 'TOO_MANY_REQUESTS' },
  logins: { setting: 'LIMIT_LOGINS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  loginsPerIp: { setting: 'LIMIT_LOGINS_PER_IP', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  codesPerIp: { setting: 'LIMIT_CODES_PER_IP', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
  lookupsPerIp: { setting: 'LIMIT_LOOKUPS_PER_IP', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  codePictures: { setting: 'LIMIT_CODE_PICTURES_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  registerPerIp: { setting: 'LIMIT_REGISTER_PER_IP', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
  resetTries: { setting: 'LIMIT_RESET_TRIES', seconds: 24 * 3600, refusal: 'TOO_MANY_REQUESTS' },
  signInCodes: { setting: 'LIMIT_SIGN_IN_CODES', seconds: 24 * 3600, refusal: 'LOGIN_LOCKED' },
  signInCodesPerAccount: {
    setting: 'LIMIT_SIGN_IN_CODES_PER_ACCOUNT',
    seconds: 7 * 24 * 3600,
    refusal: 'LOGIN_LOCKED',
  },
  totals: { setting: 'LIMIT_TOTALS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  apiKeys: { setting: 'LIMIT_API_KEYS_PER_DAY', seconds: 24 * 3600, refusal: 'API_KEYS_TOO_OFTEN' },
  apiKeyRotations: { setting: 'LIMIT_API_KEY_ROTATIONS_PER_HOUR', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
  webhookChanges: { setting: 'LIMIT_WEBHOOK_CHANGES_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  webhookTests: { setting: 'LIMIT_WEBHOOK_TESTS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  webhookResends: { setting: 'LIMIT_WEBHOOK_RESENDS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  exports: { setting: 'LIMIT_EXPORTS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  translationRate: {
    setting: 'LIMIT_TRANSLATION_PER_SECOND',
    seconds: 2,
    refusal: 'TOO_MANY_REQUESTS',
    perSecond: true,
  },
  distributionRate: {
    setting: 'LIMIT_DISTRIBUTION_PER_SECOND',
    seconds: 2,
    refusal: 'TOO_MANY_REQUESTS',
    perSecond: true,
  },
  pays: { setting: 'LIMIT_PAY_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  flushes: { setting: 'LIMIT_FLUSH_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  forgedNotifications: {
    setting: 'LIMIT_FORGED_NOTIFICATIONS_PER_HOUR',
    seconds: 3600,
    refusal: 'TOO_MANY_REQUESTS',
  },
  streamOpens: { setting: 'LIMIT_STREAM_OPENS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  transcripts: { setting: 'LIMIT_TRANSCRIPTS_PER_HOUR', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
  serviceChecks: { setting: 'LIMIT_SERVICE_CHECKS_PER_MINUTE', seconds: 60, refusal: 'TOO_MANY_REQUESTS' },
  serviceChecksPerDay: { setting: 'LIMIT_SERVICE_CHECKS_PER_DAY', seconds: 24 * 3600, refusal: 'TOO_MANY_REQUESTS' },
  tries: { setting: 'TRY_PER_ADDRESS', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
  triesInAll: { setting: 'TRY_PER_DAY', seconds: 24 * 3600, refusal: 'TOO_MANY_REQUESTS' },
  channelChanges: { setting: 'LIMIT_CHANNEL_CHANGES_PER_HOUR', seconds: 3600, refusal: 'TOO_MANY_REQUESTS' },
} as const satisfies Record<string, Row>;

export type LimitName = keyof typeof RATE_LIMITS;

/**
 * Counted in Redis, so that all processes share the count. While Redis is away each process counts for itself: the limits stay on, only
 * wider.
 */
@Injectable()
export class RateLimits {
  readonly #limiters: Record<LimitName, RateLimiterRedis>;
  /** Callers of the same key in the same turn of the event loop. */
  readonly #groups = new Map<string, { size: number; state: Promise<RateLimiterRes> }>();
  /** For the limits per second: their many callers would all wait for Redis. */
  readonly #prefetched = new Map<LimitName, PrefetchedCount>();

  constructor(
    @Inject(REDIS) redis: Redis,
    config: Config,
    private readonly vault: Vault,
  ) {
    const build = ([name, row]: [string, Row]): [string, RateLimiterRedis] => {
      const points = Number(config.env[row.setting]) * (row.perSecond ? row.seconds : 1);
      const options = { keyPrefix: `${config.env.REDIS_PREFIX}:limit:${name}`, points, duration: row.seconds };
      const insuranceLimiter = new RateLimiterMemory(options);
      return [name, new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter })];
    };
    this.#limiters = Object.fromEntries(Object.entries(RATE_LIMITS).map(build)) as Record<LimitName, RateLimiterRedis>;
    for (const [name, row] of Object.entries(RATE_LIMITS) as [LimitName, Row][])
      if (row.perSecond)
        this.#prefetched.set(
          name,
          new PrefetchedCount(this.#limiters[name].points, (key, count) => this.#count(name, key, count)),
        );
  }

  /**
   * Counts one call and throws the limit's refusal, with Retry-After, when it exceeds the limit. Calls for the same key in the same turn of
   * the event loop are counted with one command; each is judged as if they had arrived one after the other.
   */
  async take(name: LimitName, key: string): Promise<void> {
    const id = `${name}|${key}`;
    let group = this.#groups.get(id);
    if (!group && this.#prefetched.get(name)?.pass(key)) return;
    if (!group) {
      group = { size: 0, state: endOfTurn().then(() => this.#consume(name, key)) };
      this.#groups.set(id, group);
    }
    const place = ++group.size;
    const { consumedPoints, msBeforeNext } = await group.state;
    if (consumedPoints - group.size + place > this.#limiters[name].points) throw refusal(name, msBeforeNext);
  }

  /** Counts all calls waiting for this key and returns the state of the limit after them. */
  async #consume(name: LimitName, key: string): Promise<RateLimiterRes> {
    const id = `${name}|${key}`;
    const size = this.#groups.get(id)?.size ?? 1;
    this.#groups.delete(id);
    const prefetched = this.#prefetched.get(name);
    const state = await this.#count(name, key, size + (prefetched?.takeUncounted(key) ?? 0));
    prefetched?.update(key, state);
    await this.#lock(name, key, { before: state.consumedPoints - size, after: state.consumedPoints });
    return state;
  }

  /** Begins the lock with the call that reaches the limit; those after it do not prolong it. */
  async #lock(name: LimitName, key: string, { before, after }: { before: number; after: number }): Promise<void> {
    const limiter = this.#limiters[name];
    const row: Row = RATE_LIMITS[name];
    if (row.locks && before < limiter.points && after >= limiter.points)
      await limiter.block(this.#keyOf(key), row.seconds);
  }

  #count(name: LimitName, key: string, count: number): Promise<RateLimiterRes> {
    return this.#limiters[name].consume(this.#keyOf(key), count).catch((reason: unknown) => {
      if (reason instanceof RateLimiterRes) return reason;
      throw reason;
    });
  }

  /** Throws when the limit is used up, calls in flight included; counts nothing. */
  async check(name: LimitName, key: string): Promise<void> {
    const limiter = this.#limiters[name];
    await this.#groups.get(`${name}|${key}`)?.state;
    const state = await limiter.get(this.#keyOf(key));
    if (state && state.consumedPoints >= limiter.points) throw refusal(name, state.msBeforeNext);
  }

  /** Counts one call and never throws: for failures, which the next `check` judges. */
  async count(name: LimitName, key: string): Promise<void> {
    await this.#limiters[name].penalty(this.#keyOf(key));
  }

  async forget(name: LimitName, key: string): Promise<void> {
    await this.#limiters[name].delete(this.#keyOf(key));
  }

  /**
   * Keys contain account names and end with an IP address: Redis gets a digest only. An IPv6 address counts as its /64 network, because one
   * client controls all of its addresses.
   */
  #keyOf(key: string): string {
    const parts = key.split('|');
    const address = parts.pop() ?? '';
    return this.vault.hmac('limit', [...parts, networkOf(address)].join('|')).slice(0, 32);
  }
}

/** The /64 of an IPv6 address; anything else as it is. */
export const networkOf = (given: string): string => {
  // An IPv4 client of a dual-stack server.
  const address = given.startsWith('::ffff:') && given.includes('.') ? given.slice(7) : given;
  if (!isIPv6(address)) return address;
  const [head = [], tail] = address.split('::', 2).map((half) => (half === '' ? [] : half.split(':')));
  const groups = [...head];
  if (tail !== undefined) groups.push(...Array<string>(8 - head.length - tail.length).fill('0'), ...tail);
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
};

const refusal = (name: LimitName, ms: number): Refusal =>
  new Refusal(RATE_LIMITS[name].refusal, { retryAfterSeconds: Math.max(1, Math.ceil(ms / 1000)) });
