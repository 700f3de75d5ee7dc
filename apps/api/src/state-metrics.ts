import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { ArchiveAge, bytesBehind, readArchive } from './backup/archive-state.js';
import { NightlyTasks } from './operators/today/nightly-tasks.js';
import { Clock } from './platform/clock.js';
import { Config } from './platform/config.js';
import { PATIENCE_MS, within } from './platform/health-parts.js';
import { Remembered } from './platform/health.js';
import { JobRuns } from './platform/job-runs.js';
import { EventRoutes } from './platform/outbox.js';
import { EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE } from './platform/queue.js';
import { queueLabel } from './platform/queue-names.js';
import { oldestJobSeconds } from './platform/queue-age.js';
import { REDIS } from './platform/redis.js';
import { type Note, observe } from './platform/telemetry/instruments.js';

/** However many ask, the stores are read this often at most. */
const KEEP_MS = 14_000;

/**
 * The figures that are state of the stores and not of a process: the worker alone reads them, when somebody asks, by indexes that hold only
 * what is open. What a store does not answer in time is absent.
 */
@Injectable()
export class StateMetrics implements OnApplicationBootstrap {
  readonly #queues: readonly Queue[];
  readonly #archiveAge = new ArchiveAge();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly runs: JobRuns,
    private readonly nightly: NightlyTasks,
    private readonly routes: EventRoutes,
    @Inject(REDIS) private readonly redis: Redis,
    @InjectQueue(EVENTS_QUEUE) events: Queue,
    @InjectQueue(MAIL_QUEUE) mail: Queue,
    @InjectQueue(SCHEDULED_JOBS_QUEUE) scheduledJobs: Queue,
  ) {
    this.#queues = [events, mail, scheduledJobs];
  }

  onApplicationBootstrap(): void {
    for (const read of [this.#open, this.#lastNight, this.#archive, this.#jobs, this.#ofQueues]) {
      const kept = new Remembered(KEEP_MS, () => read());
      observe(async (note) => (await within(PATIENCE_MS, kept.get()))?.(note));
    }
  }

  /** What is open in the database. */
  readonly #open = async (): Promise<Noted> => {
    const [row] = await this.em.fork().execute<Open[]>(OPEN, [`{${this.routes.mailTypes().join(',')}}`]);
    return (note) => {
      if (row) for (const name of OPEN_METRICS) note(name, row[name]);
    };
  };

  readonly #lastNight = async (): Promise<Noted> => {
    const tasks = await this.nightly.read(this.em.fork());
    return (note) => {
      for (const { name: task, ageSeconds, state, count } of tasks) {
        if (ageSeconds !== null) note('yiqiao.nightly.age', ageSeconds, { task });
        for (const each of NIGHTLY_STATES) note('yiqiao.nightly.state', each === state ? 1 : 0, { task, state: each });
        if (count !== null && COUNTS_DIFFERENCES.has(task)) note('yiqiao.nightly.differences', count, { task });
      }
    };
  };

  readonly #archive = async (): Promise<Noted> => {
    const state = await readArchive(this.em.fork());
    const age = state && this.#archiveAge.seconds(state);
    const behind = state && bytesBehind(state);
    return (note) => {
      if (state) note('yiqiao.backup.stream.connected', state.isConnected ? 1 : 0);
      if (behind !== null) note('yiqiao.backup.stream.behind', behind);
      if (age !== null) note('yiqiao.backup.stream.behind.age', age);
    };
  };

  readonly #jobs = async (): Promise<Noted> => {
    const last = await this.runs.last();
    const now = this.clock.now().getTime();
    return (note) => {
      for (const [job, { endedAt, ok }] of last) {
        note('yiqiao.scheduled_job.age', Math.max(0, now - endedAt) / 1_000, { 'bullmq.job.name': job });
        note('yiqiao.scheduled_job.failed', ok ? 0 : 1, { 'bullmq.job.name': job });
      }
    };
  };

  readonly #ofQueues = async (): Promise<Noted> => {
    const [oldest, ...counts] = await Promise.all([
      oldestJobSeconds(this.redis, this.config.env.REDIS_PREFIX, this.clock.now().getTime()),
      ...this.#queues.map((queue) => queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed')),
    ]);
    return (note) => {
      note('yiqiao.queue.oldest.age', oldest ?? 0);
      for (const [at, { waiting = 0, prioritized = 0, active = 0, delayed = 0 }] of counts.entries()) {
        const queue = { 'messaging.destination.name': queueLabel(this.#queues[at]?.name ?? '') };
        note('yiqiao.queue.jobs', waiting + prioritized, { ...queue, state: 'waiting' });
        note('yiqiao.queue.jobs', active, { ...queue, state: 'active' });
        note('yiqiao.queue.jobs', delayed, { ...queue, state: 'delayed' });
      }
    };
  };
}

type Noted = (note: Note) => void;

const NIGHTLY_STATES = ['ok', 'late', 'failed', 'differs', 'running', 'unknown'] as const;
/** The count of the others is something else. */
const COUNTS_DIFFERENCES: ReadonlySet<string> = new Set(['audit', 'fullAudit', 'drill', 'reconciliation']);

const OPEN_METRICS = [
  'yiqiao.ledger.holds.open',
  'yiqiao.ledger.holds.oldest.age',
  'yiqiao.ledger.families.read_only',
  'yiqiao.outbox.waiting',
  'yiqiao.outbox.oldest.age',
  'yiqiao.mail.waiting',
  'yiqiao.mail.oldest.age',
  'yiqiao.payments.uncredited',
  'yiqiao.payments.uncredited.age',
  'yiqiao.payments.exceptions',
] as const;
type Open = Readonly<Record<(typeof OPEN_METRICS)[number], number>>;

const age = (oldest: string): string => `coalesce(greatest(0, extract(epoch FROM now() - ${oldest})), 0)::float8`;

/** Raw: partial indexes and the database's clock. An event that fails for two days is given up (platform/outbox-relay.ts). */
const OPEN = `
SELECT h.n AS "yiqiao.ledger.holds.open", ${age('h.oldest')} AS "yiqiao.ledger.holds.oldest.age",
  (SELECT count(*)::int FROM family_read_only WHERE lifted_at IS NULL) AS "yiqiao.ledger.families.read_only",
  e.n AS "yiqiao.outbox.waiting", ${age('e.oldest')} AS "yiqiao.outbox.oldest.age",
  e.mails AS "yiqiao.mail.waiting", ${age('e.oldest_mail')} AS "yiqiao.mail.oldest.age",
  p.n AS "yiqiao.payments.uncredited", ${age('p.oldest')} AS "yiqiao.payments.uncredited.age",
  (SELECT count(*)::int FROM payment x WHERE x.verdict <> 'credit' AND x.refund_state IS NULL AND NOT EXISTS (
    SELECT FROM payment_exception_closing c
    WHERE c.key = concat_ws(':', 'payment', x.id, x.verdict) AND c.closed_at >= x.received_at)) AS "yiqiao.payments.exceptions"
FROM (SELECT count(*)::int AS n, min(created_at) AS oldest FROM ledger_hold WHERE released_at IS NULL) h,
  (SELECT count(*) FILTER (WHERE relayed_at IS NULL)::int AS n, min(recorded_at) FILTER (WHERE relayed_at IS NULL) AS oldest,
    count(*) FILTER (WHERE is_mail)::int AS mails, min(recorded_at) FILTER (WHERE is_mail) AS oldest_mail
  FROM (SELECT relayed_at, recorded_at, fact->>'type' = ANY (?::text[]) AND recorded_at > now() - interval '2 days' AS is_mail
    FROM outbox WHERE done_at IS NULL) o) e,
  (SELECT count(*)::int AS n, min(received_at) AS oldest FROM pay_notification WHERE outcome IS NULL AND genuine AND payment IS NOT NULL) p`;
