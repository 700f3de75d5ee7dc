import { isDeepStrictEqual } from 'node:util';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { UnrecoverableError, type Job } from 'bullmq';
import { isUnknownResult } from './idempotency.js';
import { serializeError, ThrottledLines } from './logger.js';
import { isOutage, outageKind } from './outage.js';
import { EventRoutes, OutboxEvent } from './outbox.js';
import { drain, EVENTS_QUEUE, MAIL_QUEUE, type EventJob } from './queue.js';

/**
 * Executes the command of a job that follows from an event. A refusal is final unless its result is unknown or the account is read-only for
 * now; any other error is retried.
 */
@Processor(EVENTS_QUEUE, { concurrency: 8, maxStalledCount: 10 })
export class JobProcessor extends WorkerHost implements BeforeApplicationShutdown {
  readonly #log = new Logger('JobProcessor');
  readonly #outages = new ThrottledLines((line) => this.#log.warn({ msg: 'job failed', ...line }));

  constructor(
    private readonly commands: CommandBus,
    private readonly routes: EventRoutes,
    private readonly em: EntityManager,
  ) {
    super();
  }

  override async process(job: Job<EventJob>): Promise<void> {
    const { outboxId, fact: event } = job.data;
    if (!(await this.#isCurrent(outboxId, event))) return;
    try {
      await this.commands.execute(this.routes.commandFor(event, job.name));
    } catch (error) {
      if (!(error instanceof Refusal) || isUnknownResult(error) || error.code === 'LEDGER_READ_ONLY') throw error;
      await this.#markDone(outboxId, job.name, this.routes.jobsOf(event));
      throw new UnrecoverableError(`${job.name} refused: ${error.code}`);
    }
    await this.#markDone(outboxId, job.name, this.routes.jobsOf(event));
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<EventJob> | undefined, error: Error): void {
    const line = () => ({ job: job?.id, attempt: job?.attemptsMade, error: serializeError(error) });
    if (isOutage(error)) this.#outages.add(outageKind(error), line);
    else this.#log.warn({ msg: 'job failed', ...line() });
  }

  beforeApplicationShutdown(): Promise<void> {
    return drain(this.worker);
  }

  /**
   * Whether the outbox row still holds the event of the job. After PostgreSQL is restored from a backup, Redis may hold jobs whose row ids
   * have since been reused for other events. A row that loses its job this way is relayed again within a minute.
   */
  async #isCurrent(outboxId: number, event: EventJob['fact']): Promise<boolean> {
    const row = await this.em.fork().findOne(OutboxEvent, { id: outboxId }, { fields: ['fact'] });
    return isDeepStrictEqual(row?.fact, event);
  }

  async #markDone(outboxId: number, job: string, all: string[]): Promise<void> {
    const change = {
      done: raw<string[]>('array_append(array_remove(done, ?), ?)', [job, job]),
      doneAt: raw<Date>('CASE WHEN array_append(done, ?) @> ?::text[] THEN now() END', [job, `{${all.join(',')}}`]),
    };
    await this.em.fork().nativeUpdate(OutboxEvent, { id: outboxId }, change);
  }
}

/** Sends mail, separately from other jobs: a slow or absent mail server delays nothing else. */
@Processor(MAIL_QUEUE, { concurrency: 4, maxStalledCount: 10 })
export class MailProcessor extends JobProcessor {}
