import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { payOrder } from '@yiqiao/contracts/orders';
import type { Answer } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
import { gatewayOrderOf, GatewayQuery } from './gateway-query.js';
import { notOpen, OrderRepository, type RechargeOrder } from './order-repository.js';
import { PayChannels } from './pay-channels/pay-channels.js';
import { OrderEventRecord } from './recharge-order.entity.js';

export type Payable = Answer<typeof payOrder>;

/** Creates payments at the gateways and returns their form or QR code. */
@Injectable()
export class Checkout {
  constructor(
    private readonly em: EntityManager,
    private readonly orders: OrderRepository,
    private readonly channels: PayChannels,
    private readonly gatewayQuery: GatewayQuery,
  ) {}

  /**
   * The form or QR code of an open order: a QR code is requested from the gateway once, a form is signed each time. Throws
   * ORDER_NOT_OPEN; GATEWAY_REFUSED after cancelling the order; GATEWAY_UNKNOWN with the order, which stays open, in its data.
   */
  async show(order: RechargeOrder): Promise<Payable> {
    if (order.payStatus !== 'W') throw notOpen(order);
    const scanQRCodeUrl = order.qrCode ?? (await this.#create(order));
    return { orderId: order.id, orderNo: order.no, scanQRCodeUrl };
  }

  async #create(order: RechargeOrder): Promise<string> {
    let content: string;
    try {
      content = await this.channels.channel(order.payChannel).createPayment(gatewayOrderOf(order));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const data = { orderId: order.id, orderNo: order.no };
      if (error.code === 'GATEWAY_REFUSED') await this.#cancelRefused(order);
      throw new Refusal(error.code, { ...error.details, data });
    }
    failpoint('after-offer');
    await this.#save(order, content);
    return content;
  }

  /** A gateway also refuses an order that is paid already, so it is queried before the order is cancelled. */
  async #cancelRefused(order: RechargeOrder): Promise<void> {
    // Without an answer the order is cancelled; a late payment is still honoured.
    await this.gatewayQuery.query(order).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    const ended = await this.orders.end(order.id, 'C', ['failed']);
    if (ended.payStatus !== 'C') throw notOpen(ended);
  }

  /** Saves a QR code, so that continuing the order shows the same one. Forms are signed with a time and never saved. */
  #save(order: RechargeOrder, content: string): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const now = await this.orders.lock(em, { id: order.id });
      if (!now) throw new Refusal('NOT_FOUND');
      if (now.payStatus !== 'W') throw notOpen(now);
      if (PAY_CHANNELS[now.payChannel].kind === 'qr') {
        now.qrCode = content;
        await em.flush();
      }
      if ((await em.count(OrderEventRecord, { orderId: now.id, event: 'shown' })) === 0)
        await this.orders.recordEvents(em, now, ['shown']);
    });
  }
}
