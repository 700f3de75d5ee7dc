import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Redis } from 'ioredis';
import type { Config } from './config.js';
import type { DatabaseProblem } from './database-probe.js';
import { diskSpaces, diskStateOf } from './disk-space.js';
import type { ProcessReports } from './process-reports.js';
import { oldestJobSeconds } from './queue-age.js';
import { workersOf } from './worker-heartbeat.js';

/** `degraded`: requests are served, but somebody should look. `unknown`: it cannot be seen from here, as while Redis is away. */
export type PartState = 'ok' | 'degraded' | 'failed' | 'unknown';

export type Part = { state: PartState; why?: string };
export type Parts = {
  /** `writeMs`: how long a commit took. */
  database: Part & { writeMs: number | null };
  redis: Part & { pingMs: number | null };
  /** The event that has waited longest for the worker. */
  outbox: Part & { oldestSeconds: number | null };
  /** The job that has been due longest. */
  queue: Part & { oldestSeconds: number | null };
  /** `seenSeconds`: since a worker last reported. */
  worker: Part & { seenSeconds: number | null; running: number; silent: number };
  /** The hot standby, if there is one; without it its readers ask the primary. */
  standby: Part & { lagSeconds: number | null };
  /** The fullest file system. */
  disk: Part & { path: string | null; freeBytes: number | null; freePercent: number | null };
};

/** A store that answers later than this counts as away; probes of orchestrators do not wait much longer. */
export const PATIENCE_MS = 2_000;
/** From then on it shows; from then on it fails. */
const OLD_SECONDS = 20;
const TOO_OLD_SECONDS = 120;

/** What the parts are asked by. `database`: never rejects, and answers in time. */
type Sources = {
  em: EntityManager;
  redis: Redis;
  config: Config;
  reports: ProcessReports;
  database: () => Promise<DatabaseAnswer>;
  /** The same. Null: there is none. */
  standby: () => Promise<{ problem: string | null; lagSeconds: number | null } | null>;
};

export type DatabaseAnswer = { problem: DatabaseProblem; ms: number | null };

/** The parts of the product, each asked on its own: none hides another, and none delays the answer for longer than PATIENCE_MS. */
export class HealthParts {
  constructor(private readonly sources: Sources) {}

  async check(): Promise<Parts> {
    const [database, standby, redis, outbox, queue, worker, disk] = await Promise.all([
      this.#databasePart(),
      this.#standbyPart(),
      this.#redisPart(),
      this.#outboxPart(),
      this.#queuePart(),
      this.#workerPart(),
      this.#diskPart(),
    ]);
    return { database, standby, redis, outbox, queue, worker, disk };
  }

  async #databasePart(): Promise<Parts['database']> {
    const { problem, ms } = await this.sources.database();
    return problem === null ? { state: 'ok', writeMs: ms } : { state: 'failed', why: problem, writeMs: null };
  }

  async #standbyPart(): Promise<Parts['standby']> {
    const state = await this.sources.standby();
    if (state === null) return { state: 'ok', lagSeconds: null };
    const { problem, lagSeconds } = state;
    return problem === null ? { state: 'ok', lagSeconds } : { state: 'degraded', why: problem, lagSeconds };
  }

  async #redisPart(): Promise<Parts['redis']> {
    const answered = await within(
      PATIENCE_MS,
      timed(() => this.sources.redis.ping()),
    );
    return answered ? { state: 'ok', pingMs: answered[1] } : { state: 'degraded', why: 'unreachable', pingMs: null };
  }

  async #outboxPart(): Promise<Parts['outbox']> {
    const found = await within(PATIENCE_MS, this.sources.em.fork().execute<{ seconds: number | null }[]>(OUTBOX));
    if (!found) return { state: 'unknown', oldestSeconds: null };
    const oldestSeconds = found[0]?.seconds ?? null;
    return { state: stateOfAge(oldestSeconds), oldestSeconds };
  }

  async #queuePart(): Promise<Parts['queue']> {
    const asked = oldestJobSeconds(this.sources.redis, this.sources.config.env.REDIS_PREFIX, Date.now());
    const found = await within(
      PATIENCE_MS,
      asked.then((oldestSeconds) => ({ oldestSeconds })),
    );
    return found ? { state: stateOfAge(found.oldestSeconds), ...found } : { state: 'unknown', oldestSeconds: null };
  }

  async #workerPart(): Promise<Parts['worker']> {
    const all = await within(PATIENCE_MS, this.sources.reports.all());
    if (!all) return { state: 'unknown', seenSeconds: null, running: 0, silent: 0 };
    const { running, silent, seenSeconds } = workersOf(all);
    const counts = { seenSeconds, running, silent };
    if (running === 0) return { state: 'failed', why: silent > 0 ? 'silent' : 'none', ...counts };
    return silent > 0 ? { state: 'degraded', why: 'silent', ...counts } : { state: 'ok', ...counts };
  }

  async #diskPart(): Promise<Parts['disk']> {
    const [worst] = (await within(PATIENCE_MS, diskSpaces(this.sources.config))) ?? [];
    if (!worst) return { state: 'unknown', path: null, freeBytes: null, freePercent: null };
    const { path, freeBytes, freeShare } = worst;
    const said = { path, freeBytes, freePercent: Math.floor(freeShare * 100) };
    const state = diskStateOf(worst);
    return state === 'ok'
      ? { state, ...said }
      : { state: state === 'full' ? 'failed' : 'degraded', why: state, ...said };
  }
}

const stateOfAge = (seconds: number | null): PartState =>
  seconds === null || seconds < OLD_SECONDS ? 'ok' : seconds < TOO_OLD_SECONDS ? 'degraded' : 'failed';

/** What waits to be relayed; an event with a job is due when its job is. Raw: the database's clock. */
const OUTBOX = `
SELECT extract(epoch FROM now() - min(recorded_at))::int AS seconds FROM outbox WHERE done_at IS NULL AND relayed_at IS NULL`;

/** The result; null when it fails or takes longer. */
export async function within<T>(ms: number, asked: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const late = sleep(ms, null, { signal: over.signal, ref: false }).catch(() => null);
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    over.abort();
  }
}

export async function timed<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
  const began = performance.now();
  const result = await work();
  return [result, Math.round((performance.now() - began) * 10) / 10];
}
