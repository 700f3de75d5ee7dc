import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { REDIS } from '../../platform/redis.js';
import { record } from '../../platform/telemetry/instruments.js';
import { uuid7 } from '../../platform/uuid7.js';
import type { VendorFailure, VendorFailureKind } from '../channels/vendor-failure.js';
import type { BreakerState } from './breaker.js';
import { AccountTraffic } from './traffic.js';

/** What an upstream tells about itself. */
export type UpstreamState = {
  readonly breaker: BreakerState;
  /** Why it opened; null while it is closed. */
  readonly kind: VendorFailureKind | null;
  /** Milliseconds since 1970; null: it is not open. */
  readonly openUntil: number | null;
  /** Characters left of the day's cap; null: no cap. */
  readonly charsLeft: number | null;
};

export type Failed = { readonly at: number; readonly kind: VendorFailureKind; readonly said: string };
export type AccountState = UpstreamState & { readonly failures: readonly Failed[] };

/** One process's view of the accounts it has used, by their id. */
export type ProcessReport = { readonly at: number; readonly accounts: Readonly<Record<string, AccountState>> };

export type Watched = {
  readonly account: { readonly record?: { readonly id: number } | undefined };
  readonly state: UpstreamState;
};
export type Attempted = { readonly chars: number; readonly ms: number; readonly failure: VendorFailure | null };

/** The same, after it was recorded. */
export function measured({ code, name }: { code: string; name: string }, attempted: Attempted): Attempted {
  const labels = { vendor: code, account: name, ...(attempted.failure && { 'error.type': attempted.failure.kind }) };
  record('yiqiao.vendor.request.duration', attempted.ms / 1_000, labels);
  return attempted;
}

const REPORT_MS = 1_000;
/** A process that has not reported for this long has ended. */
const STALE_MS = 10_000;
const FAILURES_KEPT = 5;
const DAY_SECONDS = 2 * 86_400;
const HOUR_MS = 3_600_000;

/**
 * How the accounts do, over all processes: every second a process that uses them writes its view to Redis. No request waits for it, and
 * without Redis there is none.
 */
@Injectable()
export class VendorHealth implements OnApplicationShutdown {
  readonly #process = uuid7();
  readonly #failures = new Map<number, Failed[]>();
  #chars = new Map<number, number>();
  #watched: () => readonly Watched[] = () => [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly traffic: AccountTraffic,
  ) {}

  /** The upstreams of this process. */
  watch(upstreams: () => readonly Watched[]): void {
    this.#watched = upstreams;
  }

  /** Counts a request that the account has answered or failed. A process reports from its first one on. */
  note({ record }: Watched['account'], { chars, ms, failure }: Attempted): void {
    if (!record) return;
    this.traffic.note(record.id, { ok: failure === null, ms });
    this.#chars.set(record.id, (this.#chars.get(record.id) ?? 0) + chars);
    if (failure) {
      const before = this.#failures.get(record.id) ?? [];
      const failed = { at: this.clock.now().getTime(), kind: failure.kind, said: failure.message };
      this.#failures.set(record.id, [failed, ...before].slice(0, FAILURES_KEPT));
    }
    this.#timer ??= setInterval(() => void this.#report(), REPORT_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    await this.redis.hdel(this.#key('processes'), this.#process).catch(() => undefined);
  }

  /** The views of the processes that run. */
  async reports(): Promise<ProcessReport[]> {
    const told = await this.redis.hgetall(this.#key('processes')).catch(() => ({}));
    const oldest = this.clock.now().getTime() - STALE_MS;
    return Object.values<string>(told)
      .map((text) => JSON.parse(text) as ProcessReport)
      .filter(({ at }) => at > oldest);
  }

  /** Characters sent today and in the last hour, by the id of the account. */
  async chars(): Promise<{ today: ReadonlyMap<number, number>; lastHour: ReadonlyMap<number, number> }> {
    const now = this.clock.now();
    const part = (now.getTime() % HOUR_MS) / HOUR_MS;
    const [today, hour, before] = await Promise.all(
      [this.clock.day(now), hourOf(now), hourOf(new Date(now.getTime() - HOUR_MS))].map(async (name) => {
        const counts = await this.redis.hgetall(this.#key(name)).catch(() => ({}));
        return new Map(Object.entries<string>(counts).map(([id, count]) => [Number(id), Number(count)]));
      }),
    );
    const none = new Map<number, number>();
    const lastHour = new Map(
      [...(before ?? none).keys(), ...(hour ?? none).keys()].map((id) => [
        id,
        Math.round((hour?.get(id) ?? 0) + (before?.get(id) ?? 0) * (1 - part)),
      ]),
    );
    return { today: today ?? none, lastHour };
  }

  async #report(): Promise<void> {
    const [now, sent] = [this.clock.now(), this.#chars];
    this.#chars = new Map();
    const accounts = Object.fromEntries(
      this.#watched().flatMap(({ account: { record }, state }) =>
        record ? [[record.id, { ...state, failures: this.#failures.get(record.id) ?? [] }]] : [],
      ),
    );
    const batch = this.redis.multi();
    batch.hset(this.#key('processes'), this.#process, JSON.stringify({ at: now.getTime(), accounts }));
    batch.pexpire(this.#key('processes'), STALE_MS);
    for (const [id, chars] of sent)
      for (const name of [this.clock.day(now), hourOf(now)]) {
        batch.hincrby(this.#key(name), String(id), chars);
        batch.expire(this.#key(name), DAY_SECONDS);
      }
    await batch.exec().catch(() => {
      for (const [id, chars] of sent) this.#chars.set(id, (this.#chars.get(id) ?? 0) + chars);
    });
  }

  #key(name: string): string {
    return `${this.config.env.REDIS_PREFIX}:vendor-health:${name}`;
  }
}

const hourOf = (at: Date): string => `hour-${Math.floor(at.getTime() / HOUR_MS)}`;
