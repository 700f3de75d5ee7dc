import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { TIME_OUT_GRACE_MS } from '@yiqiao/domain/limits';
import { Clock } from '../platform/clock.js';
import { GatewayQuery } from './gateway-query.js';
import { OrderRepository, type RechargeOrder } from './order-repository.js';

export class TimeOutOrder extends Command<void> {
  constructor(readonly orderId: number) {
    super();
  }
}

/**
 * Ends an expired order: queries the gateway, closes it there, then sets T (decisions §5). Without an answer of the gateway this throws
 * GATEWAY_UNKNOWN, so that the job is retried; after an hour the order ends all the same.
 */
@CommandHandler(TimeOutOrder)
export class TimeOutOrderHandler implements ICommandHandler<TimeOutOrder> {
  constructor(
    private readonly orders: OrderRepository,
    private readonly gatewayQuery: GatewayQuery,
    private readonly clock: Clock,
  ) {}

  async execute({ orderId }: TimeOutOrder): Promise<void> {
    const order = await this.orders.find(orderId);
    if (order?.payStatus !== 'W') return;
    const closed = await this.#close(order);
    if (!closed && this.clock.now().getTime() < order.expiresAt.getTime() + TIME_OUT_GRACE_MS)
      throw new Refusal('GATEWAY_UNKNOWN');
    // Changes nothing when the query has settled a payment.
    await this.orders.end(orderId, 'T', closed ? ['timedOut'] : ['unanswered', 'timedOut']);
  }

  /** False when the gateway did not confirm that nobody can pay any more. */
  async #close(order: RechargeOrder): Promise<boolean> {
    try {
      const { state } = await this.gatewayQuery.query(order);
      if (state !== 'paid' && state !== 'closed' && state !== 'refunded') await this.gatewayQuery.close(order);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}
