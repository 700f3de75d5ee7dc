import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { GatewayQuery } from './gateway-query.js';
import { OrderRepository } from './order-repository.js';
import { RechargeOrder } from './recharge-order.entity.js';

export class CancelOpenOrders extends Command<void> {
  constructor(readonly userId: number) {
    super();
  }
}

/** Closes and cancels the open orders of a closed account. A payment that was faster is left to be refunded. */
@CommandHandler(CancelOpenOrders)
export class CancelOpenOrdersHandler implements ICommandHandler<CancelOpenOrders> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly gatewayQuery: GatewayQuery,
  ) {}

  async execute({ userId }: CancelOpenOrders): Promise<void> {
    const open = await this.em.fork().find(RechargeOrder, { userId, payStatus: 'W' }, { orderBy: { id: 'asc' } });
    for (const order of open) {
      await this.gatewayQuery.close(order);
      await this.orders.end(order.id, 'C', ['cancelled']);
    }
  }
}
