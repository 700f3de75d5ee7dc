import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';
import { Clock } from './clock.js';
import { IdempotencyKey } from './idempotency.js';
import { OutboxEvent } from './outbox.js';

/** Deletes idempotency keys after their 24 hours (decisions §1) and events whose jobs were done a month ago. A scheduled job runs it. */
export class PruneRecords extends Command<void> {}

const KEY_MS = IDEMPOTENCY_HOURS * 3600_000;
const EVENT_MS = 30 * DAY_MS;

@CommandHandler(PruneRecords)
export class PruneRecordsHandler implements ICommandHandler<PruneRecords> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    const now = this.clock.now().getTime();
    await em.nativeDelete(IdempotencyKey, { createdAt: { $lt: new Date(now - KEY_MS) } });
    await em.nativeDelete(OutboxEvent, { doneAt: { $lt: new Date(now - EVENT_MS) } });
  }
}
