import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import type { GatewayPayment } from './pay-channels/pay-channel.js';
import type { RechargeOrder } from './recharge-order.entity.js';

/** By which way we learnt of it. */
export type SeenBy = 'notification' | 'query';

/** A payment that is known already. `amount` in fen. */
export type KnownPayment = {
  id: number;
  orderId: number;
  tradeNo: string;
  amount: number;
  currency: string;
  verdict: PaymentVerdict;
  refundState: 'started' | 'done' | 'refused' | null;
};

const COLUMNS = `id, order_id AS "orderId", trade_no AS "tradeNo", amount, currency, verdict, refund_state AS "refundState"`;

const numbered = ({ id, orderId, amount, ...row }: KnownPayment): KnownPayment => ({
  ...row,
  ...{ id: Number(id), orderId: Number(orderId), amount: Number(amount) },
});

/** The payment with this number of its gateway; on the connection of `em`. */
export async function findPayment(
  em: EntityManager,
  { gateway, tradeNo }: Pick<GatewayPayment, 'gateway' | 'tradeNo'>,
): Promise<KnownPayment | null> {
  const [row] = await em.execute<KnownPayment[]>(`SELECT ${COLUMNS} FROM payment WHERE gateway = ? AND trade_no = ?`, [
    gateway,
    tradeNo,
  ]);
  return row ? numbered(row) : null;
}

/** The number that the gateway gave the payment `id`. */
export async function tradeNoOf(em: EntityManager, id: number): Promise<string | null> {
  const [row] = await em.execute<{ trade_no: string }[]>('SELECT trade_no FROM payment WHERE id = ?', [id]);
  return row?.trade_no ?? null;
}

/**
 * Writes a payment down with what is to become of it, and answers its id. One that was reported with a wrong amount before is corrected.
 * Null when another transaction has just written it down for another order.
 */
export async function recordPayment(
  em: EntityManager,
  order: RechargeOrder,
  paid: { payment: GatewayPayment; seenBy: SeenBy; verdict: PaymentVerdict },
): Promise<number | null> {
  const { payment, seenBy, verdict } = paid;
  const [row] = await em.execute<{ id: number }[]>(
    `INSERT INTO payment AS p (gateway, trade_no, order_id, family_id, amount, currency, paid_at, seen_by, verdict)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (gateway, trade_no) DO UPDATE SET amount = excluded.amount, currency = excluded.currency,
       paid_at = excluded.paid_at, seen_by = excluded.seen_by, verdict = excluded.verdict
     WHERE p.order_id = excluded.order_id
     RETURNING id`,
    [
      ...[payment.gateway, payment.tradeNo, order.id, order.familyId, payment.amount, payment.currency],
      ...[payment.paidAt, seenBy, verdict],
    ],
  );
  return row ? Number(row.id) : null;
}

/** What became of the payment `id` after all. */
export async function reviseVerdict(em: EntityManager, id: number, verdict: PaymentVerdict): Promise<void> {
  await em.execute('UPDATE payment SET verdict = ? WHERE id = ?', [verdict, id]);
}

/** Which of these payments went back. */
export async function refundedAmong(em: EntityManager, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await em.execute<{ id: number }[]>(
    `SELECT id FROM payment WHERE id = ANY (?::bigint[]) AND refund_state = 'done'`,
    [`{${ids.join(',')}}`],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}
