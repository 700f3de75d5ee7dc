import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { serializeError } from '../platform/logger.js';
import { markNotification, waitingNotifications } from './notifications.js';
import { SettlePayment } from './settle-payment.js';

export class WorkOffNotifications extends Command<void> {}

const BATCH = 100;

/** Settles what was stored and not settled: the process ended between the two, or the database did. */
@CommandHandler(WorkOffNotifications)
export class WorkOffNotificationsHandler implements ICommandHandler<WorkOffNotifications> {
  readonly #log = new Logger('Notifications');

  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
  ) {}

  async execute(): Promise<void> {
    for (const { id, payment } of await waitingNotifications(this.em.fork(), BATCH)) {
      // One that fails must not keep the others waiting; operators see it among the exceptions.
      try {
        const outcome = await this.commands.execute(new SettlePayment(payment, 'notification'));
        await markNotification(this.em.fork(), id, outcome);
      } catch (error) {
        this.#log.error({ msg: 'a notification waits', notification: id, error: serializeError(error) });
      }
    }
  }
}
