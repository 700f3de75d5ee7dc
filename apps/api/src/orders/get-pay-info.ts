import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { OrderRepository, statusOf, type OrderStatus } from './order-repository.js';

export class GetPayInfo extends Query<OrderStatus> {
  constructor(
    readonly userId: number,
    readonly orderId: number,
  ) {
    super();
  }
}

/** Reads only the database, because browsers poll twice a second (decisions §5). Throws NOT_FOUND. */
@QueryHandler(GetPayInfo)
export class GetPayInfoHandler implements IQueryHandler<GetPayInfo> {
  constructor(private readonly orders: OrderRepository) {}

  async execute({ userId, orderId }: GetPayInfo): Promise<OrderStatus> {
    return statusOf(await this.orders.findOwn(userId, orderId));
  }
}
