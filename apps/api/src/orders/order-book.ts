import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { askAgainAfterSeconds, type OrderEvent } from '@yiqiao/domain/orders';
import { Outbox } from '../platform/outbox.js';
import { RechargeOrder } from './recharge-order.entity.js';

export type { RechargeOrder } from './recharge-order.entity.js';

/** Where an order stands, as the wire tells it. */
export type OrderStanding = Pick<RechargeOrder, 'id' | 'no' | 'payStatus'>;

export const standingOf = ({ id, no, payStatus }: OrderStanding): OrderStanding => ({ id, no, payStatus });

/** The refusal for whoever wants something of an order that only one that waits can do. */
export const notOpen = (order: OrderStanding): Refusal => new Refusal('ORDER_NOT_OPEN', { data: standingOf(order) });

/** The orders, and what happened to them. */
@Injectable()
export class OrderBook {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
  ) {}

  find(id: number): Promise<RechargeOrder | null> {
    return this.em.fork().findOne(RechargeOrder, { id });
  }

  /** Throws NOT_FOUND, also for an order of somebody else. */
  async mine(userId: number, id: number): Promise<RechargeOrder> {
    const order = await this.em.fork().findOne(RechargeOrder, { id, userId });
    if (!order) throw new Refusal('NOT_FOUND');
    return order;
  }

  /** The order as it is now, locked until the caller's transaction ends. It is locked before its member, and that before the accounts. */
  lock(em: EntityManager, which: { id: number } | { no: string }): Promise<RechargeOrder | null> {
    return em.findOne(RechargeOrder, which, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /** Writes down what happened, and the fact that tells the member's browser; in the caller's transaction. */
  async tell(em: EntityManager, order: { id: number; familyId: number }, events: readonly OrderEvent[]): Promise<void> {
    for (const event of events)
      // Not the transaction's time: it may have waited long for its lock, and events are read in the order in which they happened.
      await em.execute(
        'INSERT INTO order_event (order_id, family_id, event, happened_at) VALUES (?, ?, ?, clock_timestamp())',
        [order.id, order.familyId, event],
      );
    await this.outbox.record(em, { type: 'OrderChanged', orderId: order.id, familyId: order.familyId });
  }

  /** Has a new order asked about until it is paid, and ended at its time; in the caller's transaction. */
  async watch(em: EntityManager, { id, createdAt, expiresAt }: RechargeOrder): Promise<void> {
    const askAt = createdAt.getTime() + askAgainAfterSeconds(0) * 1000;
    await this.outbox.record(em, { type: 'OrderPlaced', orderId: id, askAt, expiresAt: expiresAt.getTime() });
  }

  /**
   * The gateway was asked for the `asked`-th time, and the order is not paid: it is asked again later, unless its time is up by then.
   * Of two runs of the same job the second changes nothing.
   */
  async watchOn(order: RechargeOrder, asked: number, now: Date): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const counted = await em.nativeUpdate(
        RechargeOrder,
        { id: order.id, asked: asked - 1, payStatus: 'W' },
        { asked },
      );
      const askAt = now.getTime() + askAgainAfterSeconds(asked) * 1000;
      if (counted === 0 || askAt >= order.expiresAt.getTime()) return;
      await this.outbox.record(em, { type: 'OrderStillUnpaid', orderId: order.id, asked, askAt });
    });
  }

  /** Ends an order that still waits; answers it as it is then, which is something else when something else came first. */
  end(id: number, payStatus: 'T' | 'C', events: readonly OrderEvent[]): Promise<RechargeOrder> {
    return this.em.fork().transactional(async (em) => {
      const order = await this.lock(em, { id });
      if (!order) throw new Refusal('NOT_FOUND');
      if (order.payStatus !== 'W') return order;
      order.payStatus = payStatus;
      await em.flush();
      await this.tell(em, order, events);
      return order;
    });
  }
}
