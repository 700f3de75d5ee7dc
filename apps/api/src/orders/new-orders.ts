import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Refusal } from '@yiqiao/domain/errors';
import { OPEN_ORDERS_MAX } from '@yiqiao/domain/limits';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { failpoint } from '../platform/failpoint.js';
import { OrderBook } from './order-book.js';
import { numberAt } from './order-number.js';
import { rechargeOf } from './order-recharge.js';
import type { Quotation } from './quotations.js';
import { RechargeOrder } from './recharge-order.entity.js';

export type Buyer = { userId: number; familyId: number; payCmd: string };

/** Writes new orders down, with the fact that has them watched. */
@Injectable()
export class NewOrders {
  readonly #lifeMs: number;

  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly book: OrderBook,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.#lifeMs = config.env.ORDER_LIFE_SECONDS * 1000;
  }

  /** The order that this command placed before it was repeated. */
  placedBy({ payCmd, userId }: Buyer): Promise<RechargeOrder | null> {
    return this.em.fork().findOne(RechargeOrder, { payCmd, userId });
  }

  /** Throws QUOTA_TOO_LARGE when the accounts could not hold what is bought, TOO_MANY_OPEN_ORDERS, NOT_FOUND after log-off. */
  async place(quotation: Quotation, buyer: Buyer): Promise<RechargeOrder> {
    const createdAt = this.clock.now();
    const snapshot = { ...quotation, ...buyer, no: numberAt(this.clock.toWire(createdAt)) };
    await this.members.requireRoom(rechargeOf({ ...snapshot, id: null }));
    const order = await this.em.fork().transactional(async (em) => {
      // Under the member's lock, so that orders placed at the same time count each other.
      if (!(await this.members.lock(em, buyer.userId))) throw new Refusal('NOT_FOUND');
      const earlier = await em.findOne(RechargeOrder, { payCmd: buyer.payCmd });
      if (earlier) return earlier;
      if ((await em.count(RechargeOrder, { userId: buyer.userId, payStatus: 'W' })) >= OPEN_ORDERS_MAX)
        throw new Refusal('TOO_MANY_OPEN_ORDERS');
      const expiresAt = new Date(createdAt.getTime() + this.#lifeMs);
      const id = await em.insert(RechargeOrder, {
        ...snapshot,
        ...{ payStatus: 'W', offer: null, asked: 0, paidBy: null, groupBefore: null, paidAt: null },
        ...{ createdAt, expiresAt },
      });
      const placed = await em.findOneOrFail(RechargeOrder, { id: Number(id) });
      await this.book.tell(em, placed, ['created']);
      await this.book.watch(em, placed);
      return placed;
    });
    failpoint('after-order-commit');
    return order;
  }
}
