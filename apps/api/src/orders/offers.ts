import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { payOrder } from '@yiqiao/contracts/orders';
import type { Answer } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import { PAY_CHANNELS } from '@yiqiao/domain/orders';
import { failpoint } from '../platform/failpoint.js';
import { gatewayOrderOf, Inquiry } from './inquiry.js';
import { notOpen, OrderBook, type RechargeOrder } from './order-book.js';
import { PayChannels } from './pay-channels/pay-channels.js';

export type Payable = Answer<typeof payOrder>;

/** Makes orders payable at their gateway and shows what to pay with. */
@Injectable()
export class Offers {
  constructor(
    private readonly em: EntityManager,
    private readonly book: OrderBook,
    private readonly channels: PayChannels,
    private readonly inquiry: Inquiry,
  ) {}

  /**
   * What an order that waits is paid with: asked of the gateway the first time, the same QR code afterwards; a form is signed anew.
   * Throws ORDER_NOT_OPEN; GATEWAY_REFUSED, and then the order is cancelled; GATEWAY_UNKNOWN, and then it waits as before, named in
   * the refusal's data.
   */
  async show(order: RechargeOrder): Promise<Payable> {
    if (order.payStatus !== 'W') throw notOpen(order);
    const offer = order.offer ?? (await this.#ask(order));
    return { orderId: order.id, orderNo: order.no, scanQRCodeUrl: offer };
  }

  async #ask(order: RechargeOrder): Promise<string> {
    let offer: string;
    try {
      offer = await this.channels.channel(order.payChannel).offer(gatewayOrderOf(order));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const data = { orderId: order.id, orderNo: order.no };
      if (error.code === 'GATEWAY_REFUSED') await this.#giveUp(order);
      throw new Refusal(error.code, { ...error.details, data });
    }
    failpoint('after-offer');
    await this.#keep(order, offer);
    return offer;
  }

  /** A gateway also says no to an order that is paid already: it is asked once more before the order ends. */
  async #giveUp(order: RechargeOrder): Promise<void> {
    // Should it stay silent now, a payment will be honoured when it comes.
    await this.inquiry.query(order).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    const ended = await this.book.end(order.id, 'C', ['failed']);
    if (ended.payStatus !== 'C') throw notOpen(ended);
  }

  /** The QR code is kept: whoever continues gets the same. A form carries its signature and its time, and is made when it is needed. */
  #keep(order: RechargeOrder, offer: string): Promise<void> {
    return this.em.fork().transactional(async (em) => {
      const now = await this.book.lock(em, { id: order.id });
      if (!now) throw new Refusal('NOT_FOUND');
      if (now.payStatus !== 'W') throw notOpen(now);
      if (PAY_CHANNELS[now.payChannel].kind === 'qr') {
        now.offer = offer;
        await em.flush();
      }
      const shown = await em.execute<unknown[]>(
        `SELECT 1 FROM order_event WHERE order_id = ? AND event = 'shown' LIMIT 1`,
        [now.id],
      );
      if (shown.length === 0) await this.book.tell(em, now, ['shown']);
    });
  }
}
