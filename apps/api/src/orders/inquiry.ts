import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { failpoint } from '../platform/failpoint.js';
import { OrderBook, type RechargeOrder } from './order-book.js';
import type { GatewayOrder, Standing } from './pay-channels/pay-channel.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { SettlePayment } from './settle-payment.js';

/** What a gateway is told of an order. */
export const gatewayOrderOf = (order: RechargeOrder): GatewayOrder => ({
  ...{ id: order.id, no: order.no, payChannel: order.payChannel, userId: order.userId, amount: order.amount },
  ...{ createdAt: order.createdAt, expiresAt: order.expiresAt },
});

/**
 * Asks the gateway where an order stands, or ends it there, and settles what it says was paid. Never within a transaction. Throws
 * GATEWAY_UNKNOWN, GATEWAY_REFUSED, PAY_CHANNEL_UNAVAILABLE.
 */
@Injectable()
export class Inquiry {
  constructor(
    private readonly book: OrderBook,
    private readonly channels: PayChannels,
    private readonly commands: CommandBus,
  ) {}

  /** An order that waits and that the gateway has closed is T from now on: nobody can pay it (decisions §5). */
  async query(order: RechargeOrder): Promise<Standing> {
    const standing = await this.channels.channel(order.payChannel).query(gatewayOrderOf(order));
    failpoint('after-query');
    if (standing.state === 'closed') await this.book.end(order.id, 'T', ['timedOut']);
    return this.#settled(standing);
  }

  /** What becomes of the order is the caller's: it was asked to end it. */
  async close(order: RechargeOrder): Promise<Standing> {
    const standing = await this.channels.channel(order.payChannel).close(gatewayOrderOf(order));
    failpoint('after-close');
    return this.#settled(standing);
  }

  async #settled(standing: Standing): Promise<Standing> {
    if (standing.state === 'paid') await this.commands.execute(new SettlePayment(standing.payment, 'query'));
    return standing;
  }
}
