import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inquiry } from './inquiry.js';
import { notOpen, OrderBook, standingOf, type OrderStanding } from './order-book.js';

export class CancelOrder extends Command<OrderStanding> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/**
 * Cancels an order that waits, at the gateway first: nobody shall pay what was cancelled. One that turns out to be paid is credited,
 * and the answer is ORDER_NOT_OPEN. Throws NOT_FOUND; GATEWAY_UNKNOWN, and then nothing has changed.
 */
@CommandHandler(CancelOrder)
export class CancelOrderHandler implements ICommandHandler<CancelOrder> {
  constructor(
    private readonly book: OrderBook,
    private readonly inquiry: Inquiry,
  ) {}

  async execute({ userId, orderId }: CancelOrder): Promise<OrderStanding> {
    const order = await this.book.mine(userId, orderId);
    if (order.payStatus !== 'W') throw notOpen(order);
    await this.inquiry.close(order);
    const ended = await this.book.end(order.id, 'C', ['cancelled']);
    if (ended.payStatus !== 'C') throw notOpen(ended);
    return standingOf(ended);
  }
}
