import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { failpoint } from '../platform/failpoint.js';
import type { Author } from '../platform/manager-actions.js';
import { OrderRepository, type RechargeOrder } from './order-repository.js';
import type { GatewayOrder, TradeState } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { SettlePayment } from './settle-payment.js';

/** The fields of an order that gateways need. */
export const gatewayOrderOf = (order: RechargeOrder): GatewayOrder => ({
  id: order.id,
  no: order.no,
  payChannel: order.payChannel,
  userId: order.userId,
  amount: order.amount,
  createdAt: order.createdAt,
  expiresAt: order.expiresAt,
});

/**
 * Queries or closes an order at its gateway and settles a payment that the gateway reports. Never within a transaction. Throws
 * GATEWAY_UNKNOWN, GATEWAY_REFUSED, PAY_CHANNEL_UNAVAILABLE.
 */
@Injectable()
export class GatewayQuery {
  constructor(
    private readonly orders: OrderRepository,
    private readonly channels: PayChannels,
    private readonly commands: CommandBus,
  ) {}

  /** An open order that the gateway has closed becomes T, because nobody can pay it (decisions §5). */
  async query(order: RechargeOrder, log?: Author['log']): Promise<TradeState> {
    const trade = await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    failpoint('after-query');
    if (trade.state === 'closed') await this.orders.end(order.id, 'T', ['timedOut']);
    return this.#settle(trade, log);
  }

  /** Closes the order at the gateway only; the caller changes its status. */
  async close(order: RechargeOrder, log?: Author['log']): Promise<TradeState> {
    const trade = await this.channels.channel(order.payChannel).close(gatewayOrderOf(order));
    failpoint('after-close');
    return this.#settle(trade, log);
  }

  async #settle(trade: TradeState, log: Author['log']): Promise<TradeState> {
    if (trade.state === 'paid') await this.commands.execute(new SettlePayment(trade.payment, 'query', log));
    return trade;
  }
}
