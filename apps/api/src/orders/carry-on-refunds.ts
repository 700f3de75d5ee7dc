import { EntityManager } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { serializeError } from '../platform/logger.js';
import { CarryOutRefund } from './carry-out-refund.js';

export class CarryOnRefunds extends Command<void> {}

/** A refund that was started is asked for until the gateway says yes or no, also days later, when its fact is not carried any more. */
@CommandHandler(CarryOnRefunds)
export class CarryOnRefundsHandler implements ICommandHandler<CarryOnRefunds> {
  readonly #log = new Logger('Refunds');

  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandBus,
  ) {}

  async execute(): Promise<void> {
    const rows = await this.em
      .fork()
      .execute<{ id: number }[]>(`SELECT id FROM payment WHERE refund_state = 'started' ORDER BY id LIMIT 100`);
    for (const { id } of rows)
      await this.commands.execute(new CarryOutRefund(Number(id))).catch((error: unknown) => {
        this.#log.error({ msg: 'a refund waits', payment: Number(id), error: serializeError(error) });
      });
  }
}
