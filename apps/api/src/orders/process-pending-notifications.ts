import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { serializeError } from '../platform/logger.js';
import { markNotification, pendingNotifications } from './notifications.js';
import { SettlePayment } from './settle-payment.js';

export class ProcessPendingNotifications extends Command<void> {}

const BATCH = 100;

/** Settles payments that were stored but not settled, because the process or the database stopped in between. */
@CommandHandler(ProcessPendingNotifications)
export class ProcessPendingNotificationsHandler implements ICommandHandler<ProcessPendingNotifications> {
  readonly #log = new Logger('Notifications');

  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
  ) {}

  async execute(): Promise<void> {
    for (const { id, payment } of await pendingNotifications(this.em.fork(), BATCH)) {
      // One failure must not block the others; operators see it among the exceptions.
      try {
        const outcome = await this.commands.execute(new SettlePayment(payment, 'notification'));
        await markNotification(this.em.fork(), id, outcome);
      } catch (error) {
        this.#log.error({ msg: 'a notification waits', notification: id, error: serializeError(error) });
      }
    }
  }
}
