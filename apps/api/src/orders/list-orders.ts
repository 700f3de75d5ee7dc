import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listOrders } from '@yiqiao/contracts/orders';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { Clock } from '../platform/clock.js';
import { refundedAmong } from './payments.js';
import { RechargeOrder } from './recharge-order.entity.js';

type Page = Answer<typeof listOrders>;

export class ListOrders extends Query<Page> {
  constructor(
    readonly userId: number,
    readonly input: Input<typeof listOrders>,
  ) {
    super();
  }
}

/** The caller's own orders, newest first. */
@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, input: { pageNum, pageSize } }: ListOrders): Promise<Page> {
    const em = this.em.fork();
    const [orders, total] = await em.findAndCount(
      RechargeOrder,
      { userId },
      { orderBy: { id: 'desc' }, limit: pageSize, offset: (pageNum - 1) * pageSize },
    );
    const refunded = await refundedAmong(
      em,
      orders.flatMap(({ paidBy }) => paidBy ?? []),
    );
    const rows = orders.map((order) => ({
      ...{ id: order.id, no: order.no, payChannel: order.payChannel, payStatus: order.payStatus },
      ...{ memberGroupName: order.groupName, memberGroupEnName: order.groupEnName, tranChannelId: order.tranChannelId },
      translationBillingMode: billingModeOf(order.billingMode) ?? 'char',
      ...{ num: order.num * order.salesNum, salesNum: order.salesNum, amount: order.amount },
      createDateTime: this.clock.toWire(order.createdAt),
      payDateTime: order.paidAt && this.clock.toWire(order.paidAt),
      expireDateTime: this.clock.toWire(order.expiresAt),
      refunded: order.paidBy !== null && refunded.has(order.paidBy),
    }));
    return { rows, total };
  }
}
