import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { API_KEY_REPEAT_SECONDS, IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';
import { IdempotencyKey } from './idempotency.js';
import { OutgoingMail } from './outgoing-mail.js';
import { OutboxEvent } from './outbox.js';

const PIECE = 5_000;

/** Deletes idempotency keys after their 24 hours (decisions §1) and answers that are no longer repeated, and after a month events whose jobs are done, and mail. A scheduled job runs it. */
export class PruneRecords extends Command<void> {}

/** In pieces: there is one for each request with an API key. Raw: by the physical place of a row. */
const REPEATS = `
DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM idempotency_key
  WHERE repeat_seconds IS NOT NULL AND answered_at < now() - interval '${API_KEY_REPEAT_SECONDS} seconds' LIMIT ${PIECE}))
RETURNING 1`;

async function pruneRepeats(em: EntityManager): Promise<void> {
  for (;;) if ((await em.execute<unknown[]>(REPEATS)).length < PIECE) return;
}

@CommandHandler(PruneRecords)
export class PruneRecordsHandler implements ICommandHandler<PruneRecords> {
  constructor(private readonly em: EntityManager) {}

  /** By the clock of the database, which wrote the times: a key that vanished early would let a retry be charged again. */
  async execute(): Promise<void> {
    const em = this.em.fork();
    const keysBefore = raw(`now() - interval '${IDEMPOTENCY_HOURS} hours'`);
    await em.nativeDelete(IdempotencyKey, { createdAt: { $lt: keysBefore } });
    await pruneRepeats(em);
    await em.nativeDelete(OutgoingMail, { createdAt: { $lt: raw(`now() - interval '30 days'`) } });
    await em.nativeDelete(OutboxEvent, { doneAt: { $lt: raw(`now() - interval '30 days'`) } });
  }
}
