import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listOrderEvents } from '@yiqiao/contracts/orders';
import type { OrderEvent } from '@yiqiao/domain/orders';
import { Clock } from '../platform/clock.js';
import { OrderBook } from './order-book.js';

type Timeline = Answer<typeof listOrderEvents>;

export class ListOrderEvents extends Query<Timeline> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** What happened to one of the caller's orders, oldest first. Throws NOT_FOUND. */
@QueryHandler(ListOrderEvents)
export class ListOrderEventsHandler implements IQueryHandler<ListOrderEvents> {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, orderId }: ListOrderEvents): Promise<Timeline> {
    const { id } = await this.book.mine(userId, orderId);
    const rows = await this.em
      .fork()
      .execute<{ event: OrderEvent; happened_at: Date }[]>(
        'SELECT event, happened_at FROM order_event WHERE order_id = ? ORDER BY id',
        [id],
      );
    return rows.map((row) => ({ event: row.event, dateTime: this.clock.toWire(row.happened_at) }));
  }
}
