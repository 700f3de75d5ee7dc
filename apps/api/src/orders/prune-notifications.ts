import { EntityManager, raw } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FORGED_NOTIFICATION_DAYS } from '@yiqiao/domain/limits';
import { PayNotification } from './pay-notification.entity.js';

export class PruneNotifications extends Command<void> {}

/** Deletes old forged messages; genuine ones stay. */
@CommandHandler(PruneNotifications)
export class PruneNotificationsHandler implements ICommandHandler<PruneNotifications> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em.fork().nativeDelete(PayNotification, {
      genuine: false,
      lastAt: { $lt: raw(`now() - interval '${FORGED_NOTIFICATION_DAYS} days'`) },
    });
  }
}
