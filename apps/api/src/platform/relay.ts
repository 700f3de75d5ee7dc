import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Fact } from '@yiqiao/domain/facts';
import type { Queue } from 'bullmq';
import { Deliveries, type LetterHaste } from './deliveries.js';
import { plainly } from './logger.js';
import { DELIVERIES_QUEUE, LETTERS_QUEUE, type DeliveryJob } from './queue.js';

type OutboxRow = { id: number; fact: Fact; done: string[] };

const PAUSE_MS = 200;
const PAUSE_AFTER_FAILURE_MS = 2_000;
const BATCH = 100;

/** Within the queue of letters: those without a priority come first. */
const PRIORITY: Readonly<Record<LetterHaste, number | undefined>> = { awaited: undefined, patient: 1 };

/**
 * Carries facts from the outbox to the queue. A fact whose deliveries are not all done a minute later is carried again: Redis
 * may lose everything, PostgreSQL is the truth. What keeps failing for two days is not tried again; its row stays open.
 */
@Injectable()
export class Relay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Relay');
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly deliveries: Deliveries,
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: Queue<DeliveryJob>,
    @InjectQueue(LETTERS_QUEUE) private readonly letters: Queue<DeliveryJob>,
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
      const pause = await this.#carry().then(
        (moved) => (moved < BATCH ? PAUSE_MS : 0),
        (error: unknown) => {
          this.#log.warn({ msg: 'facts wait in the outbox', error: plainly(error) });
          return PAUSE_AFTER_FAILURE_MS;
        },
      );
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** One batch; the number of facts carried. The queues are asked outside of any transaction: it may not answer. */
  async #carry(): Promise<number> {
    const rows = await this.#claim();
    if (rows.length === 0) return 0;
    try {
      const jobs = rows.flatMap((row) => this.#jobsOf(row));
      await Promise.all([
        this.queue.addBulk(jobs.filter(({ letter }) => letter === null)),
        this.letters.addBulk(jobs.filter(({ letter }) => letter !== null)),
      ]);
    } catch (error) {
      await this.em.fork().execute('UPDATE outbox SET relayed_at = NULL WHERE id = ANY(?::bigint[])', [arrayOf(rows)]);
      throw error;
    }
    const quiet = rows.filter((row) => this.deliveries.namesFor(row.fact).length === 0);
    if (quiet.length > 0)
      await this.em.fork().execute('UPDATE outbox SET done_at = now() WHERE id = ANY(?::bigint[])', [arrayOf(quiet)]);
    return rows.length;
  }

  /**
   * Several workers share the outbox: each takes what no other has taken within the last minute. Facts of a type that this
   * version does not know are left to a newer worker.
   */
  #claim(): Promise<OutboxRow[]> {
    return this.em.fork().execute<OutboxRow[]>(
      `UPDATE outbox SET relayed_at = now() WHERE id IN (
         SELECT id FROM outbox
         WHERE done_at IS NULL AND fact->>'type' = ANY(?::text[]) AND (relayed_at IS NULL
           OR (relayed_at < now() - interval '1 minute' AND recorded_at > now() - interval '2 days'))
         ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id, fact, done`,
      [`{${this.deliveries.types().join(',')}}`],
    );
  }

  #jobsOf({ id, fact, done }: OutboxRow) {
    return this.deliveries
      .namesFor(fact)
      .filter((name) => !done.includes(name))
      .map((name) => {
        const letter = this.deliveries.letterOf(fact, name);
        const delay = Math.max(0, (this.deliveries.dueAt(fact, name) ?? 0) - Date.now());
        const priority = letter === null ? undefined : PRIORITY[letter];
        return {
          ...{ letter, name, data: { outboxId: id, fact } },
          // One that is carried again while its job waits for its time meets that job under the same id, and adds nothing.
          opts: { jobId: `${id}-${name}`, delay, ...(priority && { priority }) },
        };
      });
  }
}

const arrayOf = (rows: { id: number }[]): string => `{${rows.map((row) => row.id).join(',')}}`;
