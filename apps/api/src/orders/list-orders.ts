import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listOrders } from '@yiqiao/contracts/orders';
import { billingModeOf, ENTRY_TYPES } from '@yiqiao/domain/ledger';
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

  async execute({ userId, input: { pageNum, pageSize, payStatus } }: ListOrders): Promise<Page> {
    const em = this.em.fork();
    const [orders, total] = await em.findAndCount(
      RechargeOrder,
      { userId, ...(payStatus && { payStatus }) },
      { orderBy: { id: 'desc' }, limit: pageSize, offset: (pageNum - 1) * pageSize },
    );
    const refunded = await refundedAmong(
      em,
      orders.flatMap(({ paidBy }) => paidBy ?? []),
    );
    const credited = await creditedByOrder(
      em,
      orders.filter(({ payStatus }) => payStatus === 'P').map(({ id }) => id),
    );
    const rows = orders.map((order) => ({
      id: order.id,
      no: order.no,
      payChannel: order.payChannel,
      payStatus: order.payStatus,
      memberGroupName: order.groupName,
      memberGroupEnName: order.groupEnName,
      tranChannelId: order.tranChannelId,
      translationBillingMode: billingModeOf(order.billingMode) ?? 'char',
      num: order.num * order.salesNum,
      salesNum: order.salesNum,
      amount: order.amount,
      referenceChannelId: order.referenceChannelId,
      creditedNum: credited.get(order.id) ?? null,
      createDateTime: this.clock.toWire(order.createdAt),
      payDateTime: order.paidAt && this.clock.toWire(order.paidAt),
      expireDateTime: this.clock.toWire(order.expiresAt),
      ...refundOf(order, order.paidBy === null ? 0 : (refunded.get(order.paidBy) ?? 0)),
    }));
    return { rows, total };
  }
}

/** Characters or minutes credited by each order. Raw SQL: `account_log` belongs to the ledger and has no entity. */
async function creditedByOrder(em: EntityManager, orderIds: number[]): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await em.execute<{ id: string; num: string }[]>(
    `SELECT order_id AS id, char_change + min_change AS num FROM account_log
     WHERE order_id = ANY (?::bigint[]) AND log_type = ${ENTRY_TYPES.RECHARGE_ORDER_BY_MEMBER_GROUP.code}`,
    [`{${orderIds.join(',')}}`],
  );
  return new Map(rows.map(({ id, num }) => [Number(id), Number(num)]));
}

const refundOf = ({ amount }: RechargeOrder, refundedAmount: number) => ({
  refunded: refundedAmount === amount,
  refundedAmount,
});
