import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listOrderEvents } from '@yiqiao/contracts/orders';
import { Clock } from '../platform/clock.js';
import { OrderRepository } from './order-repository.js';
import { OrderEventRecord } from './recharge-order.entity.js';

type Timeline = Answer<typeof listOrderEvents>;

export class ListOrderEvents extends Query<Timeline> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** The events of one of the caller's orders, oldest first. Throws NOT_FOUND. */
@QueryHandler(ListOrderEvents)
export class ListOrderEventsHandler implements IQueryHandler<ListOrderEvents> {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, orderId }: ListOrderEvents): Promise<Timeline> {
    const { id } = await this.orders.findOwn(userId, orderId);
    const events = await this.em.fork().find(OrderEventRecord, { orderId: id }, { orderBy: { id: 'asc' } });
    return events.map(({ event, happenedAt }) => ({ event, dateTime: this.clock.toWire(happenedAt) }));
  }
}
