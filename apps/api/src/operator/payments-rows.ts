import type { EntityManager } from '@mikro-orm/postgresql';
import type { Gateway, OrderChannel, PaymentVerdict, PayStatus } from '@yiqiao/domain/orders';
import { REFUNDED } from '../orders/payments.js';
import { CommandError } from '../platform/cli-messages.js';

/** Amounts in fen. */
export type Order = {
  id: number;
  no: string;
  userId: number;
  payChannel: OrderChannel;
  payStatus: PayStatus;
  groupName: string;
  groupEnName: string;
  salesNum: number;
  amount: number;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
};

export type PaymentRow = {
  id: number;
  gateway: Gateway;
  tradeNo: string;
  amount: number;
  currency: string;
  paidAt: Date | null;
  seenBy: 'notification' | 'query';
  verdict: PaymentVerdict;
  refundState: 'started' | 'done' | 'refused' | null;
  refundNo: string | null;
  refundReason: string | null;
  /** fen: of the last refund, and all that went back. */
  refundAmount: number | null;
  refunded: number;
};

/** Throws when nobody has such an order. */
export async function findOrder(em: EntityManager, no: string): Promise<Order> {
  const [order] = await em.execute<Order[]>(
    `SELECT id, no, user_id AS "userId", pay_channel AS "payChannel", pay_status AS "payStatus", group_name AS "groupName",
       group_en_name AS "groupEnName", sales_num AS "salesNum", amount, created_at AS "createdAt", expires_at AS "expiresAt",
       paid_at AS "paidAt"
     FROM recharge_order WHERE no = ?`,
    [no],
  );
  if (!order) throw new CommandError({ zh: `没有订单 ${no}`, en: `There is no order ${no}.` });
  return { ...order, id: Number(order.id), userId: Number(order.userId), amount: Number(order.amount) };
}

/** All that was paid for an order, oldest first. */
export async function paymentsOf(em: EntityManager, orderId: number): Promise<PaymentRow[]> {
  const rows = await em.execute<PaymentRow[]>(
    `SELECT id, gateway, trade_no AS "tradeNo", amount, currency, paid_at AS "paidAt", seen_by AS "seenBy", verdict,
       refund_state AS "refundState", refund_no AS "refundNo", refund_reason AS "refundReason",
       refund_amount AS "refundAmount", ${REFUNDED} AS refunded
     FROM payment WHERE order_id = ? ORDER BY id`,
    [orderId],
  );
  return rows.map((row) => ({
    ...row,
    ...{ id: Number(row.id), amount: Number(row.amount), refunded: Number(row.refunded) },
    refundAmount: row.refundAmount === null ? null : Number(row.refundAmount),
  }));
}
