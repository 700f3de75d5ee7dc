import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';
import { IdempotencyKey } from './idempotency.js';
import { OutgoingMail } from './outgoing-mail.js';
import { OutboxEvent } from './outbox.js';

/** Deletes idempotency keys after their 24 hours (decisions §1) and answers that are no longer repeated, and after a month events whose jobs are done, and mail. A scheduled job runs it. */
export class PruneRecords extends Command<void> {}

@CommandHandler(PruneRecords)
export class PruneRecordsHandler implements ICommandHandler<PruneRecords> {
  constructor(private readonly em: EntityManager) {}

  /** By the clock of the database, which wrote the times: a key that vanished early would let a retry be charged again. */
  async execute(): Promise<void> {
    const em = this.em.fork();
    const keysBefore = raw(`now() - interval '${IDEMPOTENCY_HOURS} hours'`);
    await em.nativeDelete(IdempotencyKey, { createdAt: { $lt: keysBefore } });
    await em.nativeDelete(IdempotencyKey, {
      answeredAt: { $lt: raw('now() - make_interval(secs => repeat_seconds)') },
    });
    await em.nativeDelete(OutgoingMail, { createdAt: { $lt: raw(`now() - interval '30 days'`) } });
    await em.nativeDelete(OutboxEvent, { doneAt: { $lt: raw(`now() - interval '30 days'`) } });
  }
}
