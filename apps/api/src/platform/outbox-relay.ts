import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { DomainEvent } from '@yiqiao/domain/events';
import type { Queue } from 'bullmq';
import { serializeError } from './logger.js';
import { EventRoutes, OutboxEvent, type MailPriority } from './outbox.js';
import { EVENTS_QUEUE, MAIL_QUEUE, type EventJob } from './queue.js';

type OutboxRow = { id: number; fact: DomainEvent; done: string[] };

const PAUSE_MS = 200;
const PAUSE_AFTER_FAILURE_MS = 2_000;
const BATCH = 100;

/** Within the mail queue: jobs without a priority run first. */
const QUEUE_PRIORITY: Readonly<Record<MailPriority, number | undefined>> = { interactive: undefined, background: 1 };

/**
 * Moves events from the outbox to the job queues. An event whose jobs are not all done a minute later is moved again: Redis may lose its
 * data, PostgreSQL is authoritative. An event that fails for two days is not retried; its row stays open.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('OutboxRelay');
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly routes: EventRoutes,
    @InjectQueue(EVENTS_QUEUE) private readonly queue: Queue<EventJob>,
    @InjectQueue(MAIL_QUEUE) private readonly mailQueue: Queue<EventJob>,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#loop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      const pause = await this.#relayBatch().then(
        (moved) => (moved < BATCH ? PAUSE_MS : 0),
        (error: unknown) => {
          this.#log.warn({ msg: 'events could not be relayed', error: serializeError(error) });
          return PAUSE_AFTER_FAILURE_MS;
        },
      );
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** One batch; returns the number of events moved. Redis is called outside any transaction because it may not respond. */
  async #relayBatch(): Promise<number> {
    const rows = await this.#claim();
    if (rows.length === 0) return 0;
    try {
      const jobs = rows.flatMap((row) => this.#jobsOf(row));
      await Promise.all([
        this.queue.addBulk(jobs.filter(({ mail }) => mail === null)),
        this.mailQueue.addBulk(jobs.filter(({ mail }) => mail !== null)),
      ]);
    } catch (error) {
      await this.em.fork().nativeUpdate(OutboxEvent, { id: idsOf(rows) }, { relayedAt: null });
      throw error;
    }
    const withoutJobs = rows.filter((row) => this.routes.jobsOf(row.fact).length === 0);
    if (withoutJobs.length > 0)
      await this.em.fork().nativeUpdate(OutboxEvent, { id: idsOf(withoutJobs) }, { doneAt: raw('now()') });
    return rows.length;
  }

  /**
   * Several workers share the outbox: each claims rows that no other has claimed within the last minute. Events of a type that this version
   * does not know are left to a newer worker.
   */
  #claim(): Promise<OutboxRow[]> {
    // Raw: SKIP LOCKED in the subquery of an UPDATE.
    return this.em.fork().execute<OutboxRow[]>(
      `UPDATE outbox SET relayed_at = now() WHERE id IN (
         SELECT id FROM outbox
         WHERE done_at IS NULL AND fact->>'type' = ANY(?::text[]) AND (relayed_at IS NULL
           OR (relayed_at < now() - interval '1 minute' AND recorded_at > now() - interval '2 days'))
         ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id, fact, done`,
      [`{${this.routes.types().join(',')}}`],
    );
  }

  #jobsOf({ id, fact: event, done }: OutboxRow) {
    return this.routes
      .jobsOf(event)
      .filter((name) => !done.includes(name))
      .map((name) => {
        const mail = this.routes.mailPriority(event, name);
        const delay = Math.max(0, (this.routes.dueAt(event, name) ?? 0) - Date.now());
        const priority = mail === null ? undefined : QUEUE_PRIORITY[mail];
        return {
          mail,
          name,
          data: { outboxId: id, fact: event },
          // The same id for every attempt: relaying an event whose job is still delayed adds nothing.
          opts: { jobId: `${id}-${name}`, delay, ...(priority && { priority }) },
        };
      });
  }
}

const idsOf = (rows: { id: number }[]): number[] => rows.map((row) => Number(row.id));
