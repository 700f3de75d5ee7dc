import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../platform/clock.js';
import { GatewayQuery } from './gateway-query.js';
import { OrderRepository } from './order-repository.js';

/** `queryCount`: scheduled queries of this order so far. */
export class PollGateway extends Command<void> {
  constructor(
    readonly orderId: number,
    readonly queryCount: number,
  ) {
    super();
  }
}

/** Queries the gateway about an open order, because its notification may be lost, and schedules the next query (decisions §5). */
@CommandHandler(PollGateway)
export class PollGatewayHandler implements ICommandHandler<PollGateway> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly gatewayQuery: GatewayQuery,
    private readonly clock: Clock,
  ) {}

  async execute({ orderId, queryCount }: PollGateway): Promise<void> {
    const order = await this.orders.find(orderId);
    if (order?.payStatus !== 'W' || order.queryCount !== queryCount) return;
    // Without an answer the next scheduled query tries again.
    await this.gatewayQuery.query(order).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    await this.orders.reschedulePolling(order, queryCount + 1, this.clock.now());
  }
}
