import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Reminder } from './reminder.entity.js';

/** Deletes reminders whose mails are no longer retried. A scheduled job runs it. */
export class PruneReminders extends Command<void> {}

@CommandHandler(PruneReminders)
export class PruneRemindersHandler implements ICommandHandler<PruneReminders> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().nativeDelete(Reminder, { toldAt: { $lt: raw(`now() - interval '30 days'`) } });
  }
}
