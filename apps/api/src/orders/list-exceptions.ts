import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import type { NotificationOutcome } from './notifications.js';

/**
 * What an operator has to look at: money that is to go back or went wrong, a refund that is not done, a message that changed nothing
 * (`waiting`: that was not worked on), an order that ended without its gateway's word (`unanswered`).
 */
export type PaymentException = {
  what:
    | Exclude<PaymentVerdict, 'credit'>
    | Extract<NotificationOutcome, 'forged' | 'stranger' | 'unknownOrder' | 'wrongOrder' | 'wrongAmount'>
    | ('refundStarted' | 'refundRefused' | 'waiting' | 'unanswered');
  at: Date;
  gateway: string;
  orderNo: string | null;
  paymentId: number | null;
  tradeNo: string | null;
  /** fen */
  amount: number | null;
  refundState: 'started' | 'refused' | null;
  /** Why the gateway refused the refund, in its own words. */
  why: string | null;
  /** How often it was received. */
  times: number;
};

export class ListExceptions extends Query<PaymentException[]> {}

/**
 * Newest first; of messages the newest only, so that forged ones do not bury what is owed. A message about a payment that we have stands
 * for itself no more: the payment says what is to be done.
 */
@QueryHandler(ListExceptions)
export class ListExceptionsHandler implements IQueryHandler<ListExceptions> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<PaymentException[]> {
    const rows = await this.em.fork().execute<PaymentException[]>(EXCEPTIONS);
    const number = (n: number | null): number | null => (n === null ? null : Number(n));
    return rows.map((row) => ({ ...row, paymentId: number(row.paymentId), amount: number(row.amount) }));
  }
}

const MESSAGES_MOST = 200;

const EXCEPTIONS = `
SELECT CASE p.refund_state WHEN 'started' THEN 'refundStarted' WHEN 'refused' THEN 'refundRefused' ELSE p.verdict END AS what,
  p.received_at AS at, p.gateway, o.no AS "orderNo", p.id AS "paymentId", p.trade_no AS "tradeNo",
  CASE WHEN p.refund_state = 'done' THEN p.amount - p.refunded_before - p.refund_amount
    ELSE coalesce(p.refund_amount, p.amount) END AS amount,
  p.refund_state AS "refundState", p.refund_answer AS why, 1 AS times
FROM payment p JOIN recharge_order o ON o.id = p.order_id
WHERE (p.verdict <> 'credit' OR p.refund_state IS NOT NULL)
  AND (p.refund_state IS DISTINCT FROM 'done' OR (p.verdict <> 'credit' AND p.refunded_before + p.refund_amount < p.amount))
UNION ALL
(SELECT coalesce(n.outcome, 'waiting'), n.last_at, n.gateway, n.order_no, NULL, n.payment->>'tradeNo', (n.payment->>'amount')::bigint,
  NULL, NULL, n.times
FROM pay_notification n
WHERE (n.outcome IN ('forged', 'stranger', 'unknownOrder', 'wrongOrder', 'wrongAmount')
    OR (n.outcome IS NULL AND n.last_at < now() - interval '1 minute'))
  AND NOT EXISTS (SELECT 1 FROM payment p
    WHERE n.outcome = 'wrongAmount' AND p.gateway = n.gateway AND p.trade_no = n.payment->>'tradeNo')
ORDER BY n.id DESC LIMIT ${MESSAGES_MOST})
UNION ALL
SELECT 'unanswered', e.happened_at, '', o.no, NULL, NULL, o.amount, NULL, NULL, 1
FROM order_event e JOIN recharge_order o ON o.id = e.order_id
WHERE e.event = 'unanswered' AND o.pay_status = 'T'
ORDER BY at DESC`;
