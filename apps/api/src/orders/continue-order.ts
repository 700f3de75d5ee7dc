import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RateLimits } from '../platform/rate-limits.js';
import { Clock } from '../platform/clock.js';
import { notOpen, OrderBook } from './order-book.js';
import { Offers, type Payable } from './offers.js';

export class ContinueOrder extends Command<Payable> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** Shows once more what to pay an order with that still waits. Throws NOT_FOUND, ORDER_NOT_OPEN, and what offering it throws. */
@CommandHandler(ContinueOrder)
export class ContinueOrderHandler implements ICommandHandler<ContinueOrder> {
  constructor(
    private readonly book: OrderBook,
    private readonly offers: Offers,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, orderId }: ContinueOrder): Promise<Payable> {
    await this.limits.take('pays', `pay:${userId}`);
    const order = await this.book.mine(userId, orderId);
    // Its gateway takes nothing for it any more; it ends as soon as that is confirmed.
    if (order.expiresAt <= this.clock.now()) throw notOpen(order);
    return this.offers.show(order);
  }
}
