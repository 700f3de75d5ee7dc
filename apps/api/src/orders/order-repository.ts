import { EntityManager, LockMode, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { askAgainAfterSeconds, type OrderEvent } from '@yiqiao/domain/orders';
import { Outbox } from '../platform/outbox.js';
import { OrderEventRecord, RechargeOrder } from './recharge-order.entity.js';

export type { RechargeOrder } from './recharge-order.entity.js';

/** An order's status in the shape of the contract. */
export type OrderStatus = Pick<RechargeOrder, 'id' | 'no' | 'payStatus'>;

export const statusOf = ({ id, no, payStatus }: OrderStatus): OrderStatus => ({ id, no, payStatus });

/** The refusal for an operation that needs an open order. */
export const notOpen = (order: OrderStatus): Refusal => new Refusal('ORDER_NOT_OPEN', { data: statusOf(order) });

/** Orders and their timelines. */
@Injectable()
export class OrderRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: Outbox,
  ) {}

  find(id: number): Promise<RechargeOrder | null> {
    return this.em.fork().findOne(RechargeOrder, { id });
  }

  /** Throws NOT_FOUND, also for an order of another member. */
  async findOwn(userId: number, id: number): Promise<RechargeOrder> {
    const order = await this.em.fork().findOne(RechargeOrder, { id, userId });
    if (!order) throw new Refusal('NOT_FOUND');
    return order;
  }

  /** Locks the order until the caller's transaction ends. Lock order: order, member, accounts. */
  lock(em: EntityManager, which: { id: number } | { no: string }): Promise<RechargeOrder | null> {
    return em.findOne(RechargeOrder, which, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /** Records events of an order, and the domain event that updates the member's browser; in the caller's transaction. */
  async recordEvents(
    em: EntityManager,
    order: { id: number; familyId: number },
    events: readonly OrderEvent[],
  ): Promise<void> {
    const { id: orderId, familyId } = order;
    for (const event of events)
      // Not the transaction's time: it may have waited long for its lock, and the timeline must show the real order.
      await em.insert(OrderEventRecord, { orderId, familyId, event, happenedAt: raw('clock_timestamp()') });
    await this.outbox.record(em, { type: 'OrderChanged', orderId, familyId });
  }

  /** Schedules polling of a new order and its expiry; in the caller's transaction. */
  async schedulePolling(em: EntityManager, { id, createdAt, expiresAt }: RechargeOrder): Promise<void> {
    const askAt = createdAt.getTime() + askAgainAfterSeconds(0) * 1000;
    await this.outbox.record(em, { type: 'OrderPlaced', orderId: id, askAt, expiresAt: expiresAt.getTime() });
  }

  /**
   * Schedules the next query after the `queryCount`-th left the order unpaid, unless the order expires before. The second run of the same
   * job changes nothing.
   */
  async reschedulePolling(order: RechargeOrder, queryCount: number, now: Date): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const counted = await em.nativeUpdate(
        RechargeOrder,
        { id: order.id, queryCount: queryCount - 1, payStatus: 'W' },
        { queryCount },
      );
      const askAt = now.getTime() + askAgainAfterSeconds(queryCount) * 1000;
      if (counted === 0 || askAt >= order.expiresAt.getTime()) return;
      await this.outbox.record(em, { type: 'OrderStillUnpaid', orderId: order.id, asked: queryCount, askAt });
    });
  }

  /** Ends an open order and returns it as it is then: unchanged when a concurrent change was faster. */
  end(id: number, payStatus: 'T' | 'C', events: readonly OrderEvent[]): Promise<RechargeOrder> {
    return this.em.fork().transactional(async (em) => {
      const order = await this.lock(em, { id });
      if (!order) throw new Refusal('NOT_FOUND');
      if (order.payStatus !== 'W') return order;
      order.payStatus = payStatus;
      await em.flush();
      await this.recordEvents(em, order, events);
      return order;
    });
  }
}
