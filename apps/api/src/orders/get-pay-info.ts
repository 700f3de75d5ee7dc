import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { OrderBook, standingOf, type OrderStanding } from './order-book.js';

export class GetPayInfo extends Query<OrderStanding> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** Reads our database alone: a browser asks every half second (decisions §5). Throws NOT_FOUND. */
@QueryHandler(GetPayInfo)
export class GetPayInfoHandler implements IQueryHandler<GetPayInfo> {
  constructor(private readonly book: OrderBook) {}

  async execute({ userId, orderId }: GetPayInfo): Promise<OrderStanding> {
    return standingOf(await this.book.mine(userId, orderId));
  }
}
