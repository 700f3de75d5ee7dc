import { InjectQueue } from '@nestjs/bullmq';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Fact } from '@yiqiao/domain/facts';
import type { Queue } from 'bullmq';
import { Deliveries } from './deliveries.js';
import { DELIVERIES_QUEUE, type DeliveryJob } from './queue.js';

const PAUSE_MS = 200;
const BATCH = 100;

/**
 * Carries facts from the outbox to the queue. A fact whose deliveries are not all done a minute later is carried again: Redis
 * may lose everything, PostgreSQL is the truth. After a day it stays where it is, for an operator to look at.
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
      const moved = await this.#carry().catch((error: unknown) => {
        this.#log.warn({ msg: 'facts wait in the outbox', error: String(error) });
        return 0;
      });
      if (moved < BATCH) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** One batch; the number of facts carried. Several workers share the outbox: each skips what another holds. */
  #carry(): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const rows = await em.execute<{ id: number; fact: Fact; done: string[] }[]>(
        `SELECT id, fact, done FROM outbox
         WHERE done_at IS NULL AND recorded_at > now() - interval '1 day'
           AND (relayed_at IS NULL OR relayed_at < now() - interval '1 minute')
         ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      );
      if (rows.length === 0) return 0;
      await this.queue.addBulk(rows.flatMap((row) => this.#jobsOf(row)));
      await em.execute(
        `UPDATE outbox SET relayed_at = now(), done_at = CASE WHEN id = ANY(?::bigint[]) THEN now() END
         WHERE id = ANY(?::bigint[])`,
        [arrayOf(rows.filter((row) => this.deliveries.namesFor(row.fact).length === 0)), arrayOf(rows)],
      );
      return rows.length;
    });
  }

  #jobsOf({ id, fact, done }: { id: number; fact: Fact; done: string[] }) {
    return this.deliveries
      .namesFor(fact)
      .filter((name) => !done.includes(name))
      .map((name) => ({ name, data: { outboxId: id, fact }, opts: { jobId: `${id}-${name}` } }));
  }
}

const arrayOf = (rows: { id: number }[]): string => `{${rows.map((row) => row.id).join(',')}}`;
