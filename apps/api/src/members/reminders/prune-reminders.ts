import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { Reminder } from './reminder.entity.js';

/** Deletes reminders whose mails are no longer retried. A scheduled job runs it. */
export class PruneReminders extends Command<void> {}

@CommandHandler(PruneReminders)
export class PruneRemindersHandler implements ICommandHandler<PruneReminders> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - 30 * DAY_MS);
    await this.em.fork().nativeDelete(Reminder, { toldAt: { $lt: before } });
  }
}
