import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RateLimits } from '../platform/rate-limits.js';
import { Inquiry } from './inquiry.js';
import { OrderBook, standingOf, type OrderStanding } from './order-book.js';

export class FlushOrder extends Command<OrderStanding> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/**
 * Asks the gateway about an order that is not paid, also one that ended: late money counts (decisions §5). Throws NOT_FOUND,
 * TOO_MANY_REQUESTS, GATEWAY_UNKNOWN.
 */
@CommandHandler(FlushOrder)
export class FlushOrderHandler implements ICommandHandler<FlushOrder> {
  constructor(
    private readonly book: OrderBook,
    private readonly inquiry: Inquiry,
    private readonly limits: RateLimits,
  ) {}

  async execute({ userId, orderId }: FlushOrder): Promise<OrderStanding> {
    await this.limits.take('flushes', `flush:${userId}`);
    const order = await this.book.mine(userId, orderId);
    if (order.payStatus === 'P') return standingOf(order);
    const { state } = await this.inquiry.query(order);
    return standingOf(state === 'paid' || state === 'closed' ? await this.book.mine(userId, orderId) : order);
  }
}
