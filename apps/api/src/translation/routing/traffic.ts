import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CHANNEL_STATUS_HOURS } from '@yiqiao/domain/limits';
import type { Redis } from 'ioredis';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { REDIS } from '../../platform/redis.js';
import { CoalescedReads } from '../../platform/coalesced-reads.js';

export const BUCKET_MS = 30 * 60_000;
const BUCKETS = (CHANNEL_STATUS_HOURS * 3_600_000) / BUCKET_MS;
const FLUSH_MS = 10_000;

const FAILED = 'failed';

/**
 * Counts each channel's requests: in memory, and every ten seconds added to the counts of all processes in Redis, in buckets of half an hour
 * that expire after a day. No request waits for it, and without Redis each process shows its own counts.
 */
@Injectable()
export class Traffic implements BeforeApplicationShutdown {
  protected readonly name: string = 'traffic';
  /** Counts not yet written to Redis: bucket → `channel:class` → count. */
  #untold = new Map<number, Map<string, number>>();
  readonly #timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  readonly #reads = new CoalescedReads<'all', Map<string, number>>(async () => new Map([['all', await this.#told()]]));

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Counts a request that succeeded or failed after `ms`. */
  note(channelId: number, { ok, ms }: { ok: boolean; ms: number }): void {
    const bucket = this.#bucketNow();
    const counts = this.#untold.get(bucket) ?? new Map<string, number>();
    add(counts, `${channelId}:${ok ? classOf(ms) : FAILED}`, 1);
    this.#untold.set(bucket, counts);
  }

  /** The last 24 hours of each channel that had requests, by its id. */
  async figures(): Promise<ReadonlyMap<number, Figures>> {
    const all = new Map(await this.#reads.get('all'));
    const oldest = this.#bucketNow() - BUCKETS;
    for (const [bucket, counts] of this.#untold)
      if (bucket > oldest) for (const [field, count] of counts) add(all, field, count);
    return new Map([...channelsIn(all)].map(([id, counts]) => [id, figuresOf(counts)]));
  }

  /** The counts of all processes in each half hour that Redis still has. Rejects when Redis cannot be read. */
  async halfHours(): Promise<HalfHour[]> {
    const now = this.#bucketNow();
    const buckets = Array.from({ length: BUCKETS + 1 }, (_, back) => now - back);
    const hashes = await Promise.all(buckets.map((bucket) => this.redis.hgetall(this.#key(bucket))));
    return buckets.flatMap((bucket, at) =>
      [...channelsIn(Object.entries(hashes[at] ?? {}))].map(([channelId, counts]) => ({
        channelId,
        beginsAt: new Date(bucket * BUCKET_MS),
        counts,
      })),
    );
  }

  /** Writes the counts to Redis. Those it does not accept are kept for the next time. */
  async flush(): Promise<void> {
    const telling = this.#untold;
    if (telling.size === 0) return;
    this.#untold = new Map();
    const batch = this.redis.multi();
    for (const [bucket, counts] of telling) {
      for (const [field, count] of counts) batch.hincrby(this.#key(bucket), field, count);
      batch.pexpire(this.#key(bucket), (BUCKETS + 1) * BUCKET_MS);
    }
    await batch.exec().catch(() => this.#keep(telling));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** The counts of all processes in the buckets of the last 24 hours. */
  async #told(): Promise<Map<string, number>> {
    const told = new Map<string, number>();
    const now = this.#bucketNow();
    const reads = this.redis.pipeline();
    for (let bucket = now; bucket > now - BUCKETS; bucket--) reads.hgetall(this.#key(bucket));
    for (const [error, counts] of (await reads.exec().catch(() => null)) ?? [])
      if (!error)
        for (const [field, count] of Object.entries(counts as Record<string, string>)) add(told, field, Number(count));
    return told;
  }

  #keep(telling: ReadonlyMap<number, ReadonlyMap<string, number>>): void {
    const oldest = this.#bucketNow() - BUCKETS;
    for (const [bucket, counts] of telling) {
      if (bucket <= oldest) continue;
      const kept = this.#untold.get(bucket) ?? new Map<string, number>();
      for (const [field, count] of counts) add(kept, field, count);
      this.#untold.set(bucket, kept);
    }
  }

  #bucketNow(): number {
    return Math.floor(this.clock.now().getTime() / BUCKET_MS);
  }

  #key(bucket: number): string {
    return `${this.config.env.REDIS_PREFIX}:${this.name}:${bucket}`;
  }
}

/** The same by the id of the account at a vendor. */
@Injectable()
export class AccountTraffic extends Traffic {
  protected override readonly name = 'account-traffic';
}

const add = (counts: Map<string, number>, field: string, count: number): void => {
  counts.set(field, (counts.get(field) ?? 0) + count);
};

/** Upper bounds of the histogram's classes in milliseconds: each 20 % above the one before, which is the precision of the figures. */
const BOUNDS: readonly number[] = Array.from({ length: 45 }, (_, i) => Math.round(5 * 1.2 ** i));

/** The number of the class that a time falls into. */
export const classOf = (ms: number): number => {
  const found = BOUNDS.findIndex((bound) => ms <= bound);
  return found === -1 ? BOUNDS.length - 1 : found;
};

/** Requests of one channel: `failed` ones, and of the others how many in each class of time. */
type Counts = { failed: number; readonly classes: number[] };

export const noCounts = (): Counts => ({ failed: 0, classes: Array<number>(BOUNDS.length).fill(0) });

/** The counts of one channel in one half hour. */
type HalfHour = { readonly channelId: number; readonly beginsAt: Date; readonly counts: Counts };

/** By channel, from fields `channel:class`. */
function channelsIn(fields: Iterable<readonly [field: string, count: number | string]>): Map<number, Counts> {
  const channels = new Map<number, Counts>();
  for (const [field, count] of fields) {
    const [id = '', kind = ''] = field.split(':');
    const counts = channels.get(Number(id)) ?? noCounts();
    if (kind === FAILED) counts.failed += Number(count);
    else counts.classes[Number(kind)] = (counts.classes[Number(kind)] ?? 0) + Number(count);
    channels.set(Number(id), counts);
  }
  return channels;
}

/** Fewer requests than this are no statistics. */
export const LEAST_REQUESTS = 5;

export const successShareOf = (requests: number, failed: number): number | null =>
  requests < LEAST_REQUESTS ? null : (requests - failed) / requests;

export type Figures = {
  readonly requests: number;
  readonly successShare: number | null;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
};

/** The figures of these counts. Times are those of successful requests only. */
export const figuresOf = ({ failed, classes }: Counts): Figures => {
  const answered = classes.reduce((sum, count) => sum + count, 0);
  const requests = answered + failed;
  return {
    requests,
    successShare: successShareOf(requests, failed),
    medianMs: answered < LEAST_REQUESTS ? null : quantile(classes, answered * 0.5),
    p95Ms: answered < LEAST_REQUESTS ? null : quantile(classes, answered * 0.95),
  };
};

/** The quantile `rank` of the times, interpolated linearly within a class. */
const quantile = (classes: readonly number[], rank: number): number => {
  let below = 0;
  for (const [at, count] of classes.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = BOUNDS[at - 1] ?? 0;
      const to = BOUNDS[at] ?? from;
      return Math.round(from + ((to - from) * (rank - below)) / count);
    }
    below += count;
  }
  return 0;
};
