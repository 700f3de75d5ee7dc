import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { serializeError } from '../platform/logger.js';
import { ExecuteRefund } from './execute-refund.js';
import { Payment } from './payments.js';

export class RetryRefunds extends Command<void> {}

/** Retries started refunds until the gateway accepts or refuses them, even days later, when their event is no longer relayed. */
@CommandHandler(RetryRefunds)
export class RetryRefundsHandler implements ICommandHandler<RetryRefunds> {
  readonly #log = new Logger('Refunds');

  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
  ) {}

  async execute(): Promise<void> {
    const payments = await this.em
      .fork()
      .find(Payment, { refundState: 'started' }, { fields: ['id'], orderBy: { id: 'asc' }, limit: 100 });
    for (const { id } of payments)
      await this.commands.execute(new ExecuteRefund(id)).catch((error: unknown) => {
        this.#log.error({ msg: 'a refund waits', payment: id, error: serializeError(error) });
      });
  }
}
