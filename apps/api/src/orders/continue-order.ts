import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RateLimits } from '../platform/rate-limits.js';
import { Clock } from '../platform/clock.js';
import { notOpen, OrderRepository } from './order-repository.js';
import { Checkout, type Payable } from './checkout.js';

export class ContinueOrder extends Command<Payable> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** Shows the form or QR code of an open order again. Throws NOT_FOUND, ORDER_NOT_OPEN, and the refusals of {@link Checkout.show}. */
@CommandHandler(ContinueOrder)
export class ContinueOrderHandler implements ICommandHandler<ContinueOrder> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly checkout: Checkout,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, orderId }: ContinueOrder): Promise<Payable> {
    await this.limits.take('pays', `pay:${userId}`);
    const order = await this.orders.findOwn(userId, orderId);
    // The gateway accepts no payment any more; the order ends as soon as that is confirmed.
    if (order.expiresAt <= this.clock.now()) throw notOpen(order);
    return this.checkout.show(order);
  }
}
