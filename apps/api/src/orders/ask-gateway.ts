import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { Inquiry } from './inquiry.js';
import { OrderBook } from './order-book.js';

/** `asked`: how often this order was asked about before. */
export class AskGateway extends Command<void> {
  constructor(
    readonly orderId: number,
    readonly asked: number,
  ) {
    super();
  }
}

/** Asks the gateway about an order that waits, because its notification may be lost, and has it asked again (decisions §5). */
@CommandHandler(AskGateway)
export class AskGatewayHandler implements ICommandHandler<AskGateway> {
  constructor(
    private readonly book: OrderBook,
    private readonly inquiry: Inquiry,
    private readonly clock: Clock,
  ) {}

  async execute({ orderId, asked }: AskGateway): Promise<void> {
    const order = await this.book.find(orderId);
    if (order?.payStatus !== 'W' || order.asked !== asked) return;
    // A gateway that does not answer is asked again when it would have been anyway.
    await this.inquiry.query(order).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    await this.book.watchOn(order, asked + 1, this.clock.now());
  }
}
