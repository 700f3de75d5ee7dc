import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Inquiry } from './inquiry.js';
import { OrderBook } from './order-book.js';
import { RechargeOrder } from './recharge-order.entity.js';

export class CancelOpenOrders extends Command<void> {
  constructor(readonly userId: number) {
    super();
  }
}

/** Whoever has logged off pays no more: what waits is closed at its gateway and cancelled. What was paid meanwhile is to be refunded. */
@CommandHandler(CancelOpenOrders)
export class CancelOpenOrdersHandler implements ICommandHandler<CancelOpenOrders> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly inquiry: Inquiry,
  ) {}

  async execute({ userId }: CancelOpenOrders): Promise<void> {
    const open = await this.em.fork().find(RechargeOrder, { userId, payStatus: 'W' }, { orderBy: { id: 'asc' } });
    for (const order of open) {
      await this.inquiry.close(order);
      await this.book.end(order.id, 'C', ['cancelled']);
    }
  }
}
