import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager } from '@mikro-orm/postgresql';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getSystem } from '@yiqiao/contracts/operator/today';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Clock } from '../../platform/clock.js';
import { EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE } from '../../platform/queue.js';
import { REDIS } from '../../platform/redis.js';

type System = Answer<typeof getSystem>;
type Age = { n: number; oldest: Date | null };

export class GetSystem extends Query<System> {}

/** The state of the machinery, measured when it is asked for. */
@QueryHandler(GetSystem)
export class GetSystemHandler implements IQueryHandler<GetSystem> {
  readonly #queues: readonly (readonly [name: 'events' | 'mail' | 'scheduledJobs', queue: Queue])[];

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    @Inject(REDIS) private readonly redis: Redis,
    @InjectQueue(EVENTS_QUEUE) events: Queue,
    @InjectQueue(MAIL_QUEUE) mail: Queue,
    @InjectQueue(SCHEDULED_JOBS_QUEUE) scheduledJobs: Queue,
  ) {
    this.#queues = [
      ['events', events],
      ['mail', mail],
      ['scheduledJobs', scheduledJobs],
    ];
  }

  async execute(): Promise<System> {
    const em = this.em.fork();
    const writeMs = await timed(() => em.execute(WRITE));
    const [[mail], [outbox], [held], redis] = await Promise.all([
      em.execute<Age[]>(MAIL),
      em.execute<Age[]>(OUTBOX),
      em.execute<(Age & { charNum: number; voiceNum: number; imageNum: number })[]>(HELD),
      this.#redis().catch(() => null),
    ]);
    const ageOf = ({ oldest }: { oldest: Date | null } = { oldest: null }): number | null =>
      oldest && Math.max(0, Math.floor((this.clock.now().getTime() - oldest.getTime()) / 1000));
    return {
      at: this.clock.toWire(this.clock.now()),
      database: { writeMs },
      redis,
      mail: { waiting: mail?.n ?? 0, oldestSeconds: ageOf(mail) },
      outbox: { open: outbox?.n ?? 0, oldestSeconds: ageOf(outbox) },
      held: {
        holds: held?.n ?? 0,
        charNum: held?.charNum ?? 0,
        voiceNum: held?.voiceNum ?? 0,
        imageNum: held?.imageNum ?? 0,
        oldestSeconds: ageOf(held),
      },
    };
  }

  async #redis(): Promise<System['redis']> {
    const pingMs = await timed(() => this.redis.ping());
    const [workers, ...queues] = await Promise.all([
      this.#queues[0]?.[1].getWorkersCount(),
      ...this.#queues.map(async ([name, queue]) => {
        const {
          waiting = 0,
          prioritized = 0,
          active = 0,
          delayed = 0,
        } = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed');
        const [oldest] = await queue.getJobs(['active', 'waiting', 'prioritized'], 0, 0, true);
        const age = oldest && Math.floor((this.clock.now().getTime() - oldest.timestamp) / 1000);
        return { name, waiting: waiting + prioritized, active, delayed, oldestSeconds: age ?? null };
      }),
    ]);
    return { pingMs, workers: workers ?? 0, queues };
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round((performance.now() - began) * 10) / 10;
}

/** Writes to the log of the database and waits until it is on the disk, as every commit does; changes nothing. */
const WRITE = `SELECT pg_logical_emit_message(true, 'latency', '')`;
const MAIL = 'SELECT count(*)::int AS n, min(created_at) AS oldest FROM outgoing_mail WHERE sent_at IS NULL';
const OUTBOX = 'SELECT count(*)::int AS n, min(recorded_at) AS oldest FROM outbox WHERE done_at IS NULL';
const HELD = `
SELECT count(*)::int AS n, min(created_at) AS oldest, coalesce(sum(char_num), 0)::float8 AS "charNum",
  coalesce(sum(voice_num), 0)::float8 AS "voiceNum", coalesce(sum(image_num), 0)::float8 AS "imageNum"
FROM ledger_hold WHERE released_at IS NULL`;
