import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { GatewayQuery } from './gateway-query.js';
import { notOpen, OrderRepository, statusOf, type OrderStatus } from './order-repository.js';

export class CancelOrder extends Command<OrderStatus> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/**
 * Cancels an open order, at the gateway first, so that nobody pays a cancelled order. Throws ORDER_NOT_OPEN after crediting an order that
 * turns out to be paid; NOT_FOUND; GATEWAY_UNKNOWN without any change.
 */
@CommandHandler(CancelOrder)
export class CancelOrderHandler implements ICommandHandler<CancelOrder> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly gatewayQuery: GatewayQuery,
  ) {}

  async execute({ userId, orderId }: CancelOrder): Promise<OrderStatus> {
    const order = await this.orders.findOwn(userId, orderId);
    if (order.payStatus !== 'W') throw notOpen(order);
    await this.gatewayQuery.close(order);
    const ended = await this.orders.end(order.id, 'C', ['cancelled']);
    if (ended.payStatus !== 'C') throw notOpen(ended);
    return statusOf(ended);
  }
}
