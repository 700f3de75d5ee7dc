import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RateLimits } from '../platform/rate-limits.js';
import { GatewayQuery } from './gateway-query.js';
import { OrderRepository, statusOf, type OrderStatus } from './order-repository.js';

export class FlushOrder extends Command<OrderStatus> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/**
 * Queries the gateway about an unpaid order, even after it ended, because late payments count (decisions §5). Throws NOT_FOUND,
 * TOO_MANY_REQUESTS, GATEWAY_UNKNOWN.
 */
@CommandHandler(FlushOrder)
export class FlushOrderHandler implements ICommandHandler<FlushOrder> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly gatewayQuery: GatewayQuery,
    private readonly limits: RateLimits,
  ) {}

  async execute({ userId, orderId }: FlushOrder): Promise<OrderStatus> {
    await this.limits.take('flushes', `flush:${userId}`);
    const order = await this.orders.findOwn(userId, orderId);
    if (order.payStatus === 'P') return statusOf(order);
    const { state } = await this.gatewayQuery.query(order);
    return statusOf(state === 'paid' || state === 'closed' ? await this.orders.findOwn(userId, orderId) : order);
  }
}
