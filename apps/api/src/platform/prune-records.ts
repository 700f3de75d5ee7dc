import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IDEMPOTENCY_HOURS } from '@yiqiao/domain/limits';

/** Deletes idempotency keys after their 24 hours (decisions §1) and events whose jobs were done a month ago. A scheduled job runs it. */
export class PruneRecords extends Command<void> {}

@CommandHandler(PruneRecords)
export class PruneRecordsHandler implements ICommandHandler<PruneRecords> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    await em.execute(`DELETE FROM idempotency_key WHERE created_at < now() - interval '${IDEMPOTENCY_HOURS} hours'`);
    await em.execute("DELETE FROM outbox WHERE done_at < now() - interval '30 days'");
  }
}
