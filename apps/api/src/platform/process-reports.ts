import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { Clock } from './clock.js';
import { Config } from './config.js';
import { REDIS } from './redis.js';

const REPORT_MS = 5_000;
/** A stall reads up to this much shorter than it was. A finer timer costs an idle process more than everything else it does. */
const STALL_SAMPLE_MS = 100;
/** A process that has not reported for this long is silent. */
export const SILENT_SECONDS = 20;
/** A silent process is forgotten after this long. */
const FORGOTTEN_SECONDS = 3_600;

const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;
/** Upper bounds of the classes of response times in ms, each 20 % above the one before. */
const BOUNDS: readonly number[] = Array.from({ length: 55 }, (_, i) => Math.round(2 * 1.2 ** i));

type Minute = { readonly minute: number; requests: number; failed: number; readonly classes: number[] };

const report = z.object({
  kind: z.enum(['api', 'worker', 'operators']),
  startedAt: z.int(),
  reportedAt: z.int(),
  memoryMb: z.int(),
  stallMs: z.number(),
  requests: z.int().nullable(),
  failed: z.int().nullable(),
  p95Ms: z.int().nullable(),
  streams: z.int().nullable(),
});
type Report = z.output<typeof report>;
export type ProcessKind = Report['kind'];

/**
 * What each process says of itself, every five seconds, in one Redis hash: operators see which processes run, how busy they are, and which
 * have gone silent. A process that ends properly removes itself.
 */
@Injectable()
export class ProcessReports implements BeforeApplicationShutdown {
  #name = '';
  readonly #streams: (() => number)[] = [];
  #minutes: Minute[] = [];
  #end = (): void => undefined;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Reports from now on until the process ends. */
  begin(kind: ProcessKind): void {
    this.#name = `${kind}@${hostname()}:${process.pid}`;
    const startedAt = this.clock.now().getTime();
    const delay = monitorEventLoopDelay({ resolution: STALL_SAMPLE_MS });
    delay.enable();
    const tell = (): void => {
      const stallMs = Math.max(0, Math.round(delay.max / 1e5 - STALL_SAMPLE_MS * 10) / 10);
      delay.reset();
      const isServer = kind !== 'worker';
      const said: Report = {
        kind,
        startedAt,
        reportedAt: this.clock.now().getTime(),
        memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
        stallMs,
        ...(isServer ? this.#lastHour() : { requests: null, failed: null, p95Ms: null }),
        streams: isServer ? this.streams : null,
      };
      // Without Redis nobody reads it either; the next one comes soon.
      this.redis.hset(this.#key, this.#name, JSON.stringify(said)).catch(() => undefined);
    };
    const timer = setInterval(tell, REPORT_MS).unref();
    tell();
    this.#end = () => {
      clearInterval(timer);
      delay.disable();
    };
  }

  /** Counts an answered request. */
  note(status: number, ms: number): void {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) {
      last = { minute, requests: 0, failed: 0, classes: Array<number>(BOUNDS.length).fill(0) };
      this.#minutes = [...this.#minutes.filter((one) => one.minute > minute - HOUR_MINUTES), last];
    }
    last.requests++;
    if (status >= 500) last.failed++;
    const at = BOUNDS.findIndex((bound) => ms <= bound);
    const place = at === -1 ? BOUNDS.length - 1 : at;
    last.classes[place] = (last.classes[place] ?? 0) + 1;
  }

  /** `size`: the number of open streams of one kind. */
  countStreams(size: () => number): void {
    this.#streams.push(size);
  }

  /** The open streams of this process. */
  get streams(): number {
    return this.#streams.reduce((sum, size) => sum + size(), 0);
  }

  /** Every process by name, silent ones included. Rejects while Redis is away. */
  async all(): Promise<(Report & { key: string; name: string; seenSeconds: number })[]> {
    const now = this.clock.now().getTime();
    const said = Object.entries(await this.redis.hgetall(this.#key)).flatMap(([key, text]) => {
      const read = report.safeParse(JSON.parse(text));
      if (!read.success) return [];
      return [
        {
          ...read.data,
          key,
          name: key.slice(key.indexOf('@') + 1),
          seenSeconds: Math.max(0, Math.floor((now - read.data.reportedAt) / 1_000)),
        },
      ];
    });
    const gone = said.filter(({ seenSeconds }) => seenSeconds > FORGOTTEN_SECONDS);
    if (gone.length > 0) await this.redis.hdel(this.#key, ...gone.map(({ key }) => key));
    return said.filter((one) => !gone.includes(one)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#end();
    if (this.#name) await this.redis.hdel(this.#key, this.#name).catch(() => undefined);
  }

  get #key(): string {
    return `${this.config.env.REDIS_PREFIX}:processes`;
  }

  #lastHour(): Pick<Report, 'requests' | 'failed' | 'p95Ms'> {
    const now = Math.floor(performance.now() / MINUTE_MS);
    const hour = this.#minutes.filter(({ minute }) => minute > now - HOUR_MINUTES);
    const requests = hour.reduce((sum, one) => sum + one.requests, 0);
    let left = Math.ceil(requests * 0.95);
    const p95Ms = BOUNDS.find((_, at) => (left -= hour.reduce((sum, { classes }) => sum + (classes[at] ?? 0), 0)) <= 0);
    return {
      requests,
      failed: hour.reduce((sum, one) => sum + one.failed, 0),
      p95Ms: requests > 0 ? (p95Ms ?? null) : null,
    };
  }
}
