import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getSystemDetails } from '@yiqiao/contracts/operator/system';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { type JobRun, JobRuns } from '../../platform/job-runs.js';
import { ProcessReports, SILENT_SECONDS } from '../../platform/process-reports.js';
import { SCHEDULED_JOBS_QUEUE } from '../../platform/queue.js';
import { RATE_LIMITS } from '../../platform/rate-limits.js';
import { REDIS } from '../../platform/redis.js';
import { NightlyTasks } from './nightly-tasks.js';

type Details = Answer<typeof getSystemDetails>;
type JobState = NonNullable<Details['jobs']>[number]['state'];

export class GetSystemDetails extends Query<Details> {}

/** Which processes run, what the stores say of themselves, how the repeated jobs end, and which limits apply. */
@QueryHandler(GetSystemDetails)
export class GetSystemDetailsHandler implements IQueryHandler<GetSystemDetails> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly reports: ProcessReports,
    private readonly runs: JobRuns,
    private readonly nightly: NightlyTasks,
    @Inject(REDIS) private readonly redis: Redis,
    @InjectQueue(SCHEDULED_JOBS_QUEUE) private readonly jobs: Queue,
  ) {}

  async execute(): Promise<Details> {
    const em = this.em.fork();
    const [[ledger], [postgres], nightly, redis, processes, jobs] = await Promise.all([
      em.execute<{ perSecond: number }[]>(ENTRIES),
      em.execute<[Details['postgres']]>(POSTGRES),
      this.nightly.read(em),
      unlessAway(this.#redis()),
      unlessAway(this.#processes()),
      unlessAway(this.#jobs()),
    ]);
    const { env } = this.config;
    return {
      at: this.clock.toWire(this.clock.now()),
      entriesPerSecond: ledger?.perSecond ?? 0,
      processes,
      postgres,
      redis,
      jobs,
      nightly,
      limits: {
        signInFailures: env.LIMIT_LOGIN_FAILURES,
        signInMinutes: RATE_LIMITS.loginFailures.seconds / 60,
        translationsPerSecond: env.LIMIT_TRANSLATION_PER_SECOND,
        streamsPerProcess: env.LIMIT_STREAMS,
        orderSeconds: env.ORDER_LIFE_SECONDS,
      },
      configured: SETTINGS.map(({ name, setting }) => ({ name, set: this.config.isGiven(setting) })),
    };
  }

  async #redis(): Promise<Details['redis']> {
    const info = await this.redis.info('server', 'memory');
    const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    return {
      version: field('redis_version'),
      memoryMb: Math.round(Number(field('used_memory')) / 2 ** 20),
      policy: field('maxmemory_policy'),
    };
  }

  async #processes(): Promise<NonNullable<Details['processes']>> {
    return (await this.reports.all()).map(({ startedAt, reportedAt: _, ...said }) => ({
      ...said,
      silent: said.seenSeconds > SILENT_SECONDS,
      startedAt: this.clock.toWire(new Date(startedAt)),
    }));
  }

  async #jobs(): Promise<NonNullable<Details['jobs']>> {
    const [schedulers, last] = await Promise.all([this.jobs.getJobSchedulers(), this.runs.last()]);
    const now = this.clock.now().getTime();
    return schedulers
      .map(({ name, every }) => {
        const everyMs = Number(every ?? 0);
        const run = last.get(name);
        return {
          name,
          everySeconds: Math.round(everyMs / 1_000),
          ranAt: run ? this.clock.toWire(new Date(run.endedAt)) : null,
          ms: run?.ms ?? null,
          state: stateOf(run, { everyMs, now }),
        };
      })
      .sort((a, b) => a.everySeconds - b.everySeconds || (a.name < b.name ? -1 : 1));
  }
}

/** A worker may be restarting: a job is late when it has missed two of its times and a minute. */
const PATIENCE_MS = 60_000;

function stateOf(run: JobRun | undefined, { everyMs, now }: { everyMs: number; now: number }): JobState {
  if (!run) return 'unknown';
  if (!run.ok) return 'failed';
  return now - run.endedAt > 2 * everyMs + PATIENCE_MS ? 'late' : 'ok';
}

/** What is configured, by what an operator calls it. */
const SETTINGS = [
  { name: 'APP_SECRET', setting: 'APP_SECRET' },
  { name: 'SMTP', setting: 'SMTP_URL' },
  { name: 'Alipay', setting: 'ALIPAY_APP_ID' },
  { name: 'WeChat Pay', setting: 'WECHAT_PAY_APP_ID' },
  { name: 'LianLian', setting: 'LIANLIAN_MCH_ID' },
] as const;

const unlessAway = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

/** By the BRIN index of the time. */
const ENTRIES = `
SELECT round(count(*) / 300.0, 1)::float8 AS "perSecond" FROM account_log WHERE created_at > now() - interval '5 minutes'`;
const POSTGRES = `
SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "readOnly",
  (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections,
  current_setting('max_connections')::int AS "connectionsMost"`;
