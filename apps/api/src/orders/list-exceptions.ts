import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import type { NotificationOutcome } from './notifications.js';

/**
 * Something for an operator to check: a payment to refund or with a wrong amount, an unfinished refund, a message without effect
 * (`waiting`: not processed yet), an order that ended without an answer of its gateway (`unanswered`).
 */
export type PaymentException = {
  what:
    | Exclude<PaymentVerdict, 'credit'>
    | Extract<NotificationOutcome, 'forged' | 'stranger' | 'unknownOrder' | 'wrongOrder' | 'wrongAmount'>
    | ('refundStarted' | 'refundRefused' | 'waiting' | 'unanswered');
  at: Date;
  /** Under which it is closed by hand. */
  key: string;
  gateway: string;
  orderNo: string | null;
  /** fen, of the order. */
  due: number | null;
  userId: number | null;
  /** Of the member; null after log-off. */
  member: string | null;
  paymentId: number | null;
  tradeNo: string | null;
  /** fen */
  amount: number | null;
  refundState: 'started' | 'refused' | null;
  /** The gateway's reason for refusing the refund. */
  why: string | null;
  /** Number of deliveries. */
  times: number;
};

export class ListExceptions extends Query<PaymentException[]> {}

/**
 * Newest first. Only the newest messages, so that forged ones do not bury payments to refund; messages about a payment that is listed
 * itself are left out.
 */
@QueryHandler(ListExceptions)
export class ListExceptionsHandler implements IQueryHandler<ListExceptions> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<PaymentException[]> {
    const rows = await this.em.fork().execute<PaymentException[]>(EXCEPTIONS);
    const number = (n: number | null): number | null => (n === null ? null : Number(n));
    return rows.map((row) => ({
      ...row,
      paymentId: number(row.paymentId),
      amount: number(row.amount),
      due: number(row.due),
      userId: number(row.userId),
    }));
  }
}

const MESSAGES_MAX = 200;

// Raw SQL: a report over several tables. What was closed by hand is listed again if it happens again.
const EXCEPTIONS = `
SELECT x.*, o.amount AS due, o.user_id AS "userId", m.nickname AS member FROM (
SELECT CASE p.refund_state WHEN 'started' THEN 'refundStarted' WHEN 'refused' THEN 'refundRefused' ELSE p.verdict END AS what,
  p.received_at AS at, concat_ws(':', 'payment', p.id, p.verdict, p.refund_state, p.refund_cmd) AS key,
  p.gateway, o.no AS "orderNo", p.id AS "paymentId", p.trade_no AS "tradeNo",
  CASE WHEN p.refund_state = 'done' THEN p.amount - p.refunded_before - p.refund_amount
    ELSE coalesce(p.refund_amount, p.amount) END AS amount,
  p.refund_state AS "refundState", p.refund_answer AS why, 1 AS times
FROM payment p JOIN recharge_order o ON o.id = p.order_id
WHERE (p.verdict <> 'credit' OR p.refund_state IS NOT NULL)
  AND (p.refund_state IS DISTINCT FROM 'done' OR (p.verdict <> 'credit' AND p.refunded_before + p.refund_amount < p.amount))
UNION ALL
(SELECT coalesce(n.outcome, 'waiting'), n.last_at, 'message:' || n.id, n.gateway, n.order_no, NULL, n.payment->>'tradeNo',
  (n.payment->>'amount')::bigint, NULL, NULL, n.times
FROM pay_notification n
WHERE (n.outcome IN ('forged', 'stranger', 'unknownOrder', 'wrongOrder', 'wrongAmount')
    OR (n.outcome IS NULL AND n.last_at < now() - interval '1 minute'))
  AND NOT EXISTS (SELECT 1 FROM payment p
    WHERE n.outcome = 'wrongAmount' AND p.gateway = n.gateway AND p.trade_no = n.payment->>'tradeNo')
ORDER BY n.id DESC LIMIT ${MESSAGES_MAX})
UNION ALL
SELECT 'unanswered', e.happened_at, 'order:' || o.id, '', o.no, NULL, NULL, o.amount, NULL, NULL, 1
FROM order_event e JOIN recharge_order o ON o.id = e.order_id
WHERE e.event = 'unanswered' AND o.pay_status = 'T') AS x
LEFT JOIN recharge_order o ON o.no = x."orderNo" LEFT JOIN member m ON m.id = o.user_id
WHERE NOT EXISTS (SELECT FROM payment_exception_closing c WHERE c.key = x.key AND c.closed_at >= x.at)
ORDER BY x.at DESC`;
