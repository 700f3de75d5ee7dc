import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

/** Deletes reminders whose mails are no longer retried. A scheduled job runs it. */
export class PruneReminders extends Command<void> {}

@CommandHandler(PruneReminders)
export class PruneRemindersHandler implements ICommandHandler<PruneReminders> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().execute(`DELETE FROM reminder WHERE told_at < now() - interval '30 days'`);
  }
}
