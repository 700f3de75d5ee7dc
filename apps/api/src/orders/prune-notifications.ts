import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FORGED_NOTIFICATION_DAYS } from '@yiqiao/domain/limits';

export class PruneNotifications extends Command<void> {}

/** Forged messages go after a while; what a gateway really said of money stays. */
@CommandHandler(PruneNotifications)
export class PruneNotificationsHandler implements ICommandHandler<PruneNotifications> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    await this.em
      .fork()
      .execute(
        `DELETE FROM pay_notification WHERE NOT genuine AND last_at < now() - interval '${FORGED_NOTIFICATION_DAYS} days'`,
      );
  }
}
