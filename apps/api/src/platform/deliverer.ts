import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { UnrecoverableError, type Job } from 'bullmq';
import { Deliveries } from './deliveries.js';
import { plainly } from './logger.js';
import { isOpen } from './open-outcome.js';
import type { DeliveryJob } from './queue.js';

/** Turns a job into a command and does nothing else. A refusal is final unless it leaves the outcome open; any other error is tried again. */
@Injectable()
export class Deliverer {
  readonly #log = new Logger('Deliverer');

  constructor(
    private readonly commands: CommandBus,
    private readonly deliveries: Deliveries,
    private readonly em: EntityManager,
  ) {}

  async deliver(job: Job<DeliveryJob>): Promise<void> {
    const { outboxId, fact } = job.data;
    if (!(await this.#isOf(outboxId, fact))) return;
    try {
      await this.commands.execute(this.deliveries.commandFor(fact, job.name));
    } catch (error) {
      if (!(error instanceof Refusal) || isOpen(error)) throw error;
      await this.#markDone(outboxId, job.name, this.deliveries.namesFor(fact));
      throw new UnrecoverableError(`${job.name} refused: ${error.code}`);
    }
    await this.#markDone(outboxId, job.name, this.deliveries.namesFor(fact));
  }

  failed(job: Job<DeliveryJob> | undefined, error: Error): void {
    this.#log.warn({ msg: 'delivery failed', job: job?.id, attempt: job?.attemptsMade, error: plainly(error) });
  }

  /**
   * Whether the outbox still says what the job says. After PostgreSQL was restored, Redis may hold jobs of a time that never was: their ids
   * are given out anew, and they would end orders that are new. Without its job the row is carried again within a minute.
   */
  async #isOf(outboxId: number, fact: DeliveryJob['fact']): Promise<boolean> {
    const found = await this.em
      .fork()
      .execute<unknown[]>('SELECT 1 FROM outbox WHERE id = ? AND fact = ?::jsonb', [outboxId, JSON.stringify(fact)]);
    return found.length > 0;
  }

  async #markDone(outboxId: number, name: string, all: string[]): Promise<void> {
    await this.em.fork().execute(
      `UPDATE outbox SET done = array_append(array_remove(done, ?), ?),
         done_at = CASE WHEN array_append(done, ?) @> ?::text[] THEN now() END
       WHERE id = ?`,
      [name, name, name, `{${all.join(',')}}`, outboxId],
    );
  }
}
