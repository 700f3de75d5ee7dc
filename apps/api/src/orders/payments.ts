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
  const [written] = await em.execute<{ id: number }[]>(
    `INSERT INTO payment (gateway, trade_no, order_id, family_id, amount, currency, paid_at, seen_by, verdict)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (gateway, trade_no) DO NOTHING RETURNING id`,
    [
      ...[payment.gateway, payment.tradeNo, order.id, order.familyId, payment.amount, payment.currency],
      ...[payment.paidAt, seenBy, verdict],
    ],
  );
  if (written) return Number(written.id);
  // The role of the application may not change what was paid: the function does, while the amount is a wrong one.
  const [corrected] = await em.execute<{ id: number | null }[]>(
    'SELECT correct_payment(?, ?, ?, ?, ?, ?::timestamptz, ?, ?) AS id',
    [order.id, payment.gateway, payment.tradeNo, payment.amount, payment.currency, payment.paidAt, seenBy, verdict],
  );
  return corrected?.id ? Number(corrected.id) : null;
}

/** What became of the payment `id` after all. */
export async function reviseVerdict(em: EntityManager, id: number, verdict: PaymentVerdict): Promise<void> {
  await em.execute('UPDATE payment SET verdict = ? WHERE id = ?', [verdict, id]);
}

/** How much of these payments went back, in fen. */
export async function refundedAmong(em: EntityManager, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<{ id: number; refunded: number }[]>(
    `SELECT id, ${REFUNDED} AS refunded FROM payment WHERE id = ANY (?::bigint[])`,
    [`{${ids.join(',')}}`],
  );
  return new Map(rows.map(({ id, refunded }) => [Number(id), Number(refunded)]));
}

/** Of a row of `payment`: fen that went back. */
export const REFUNDED = `refunded_before + CASE WHEN refund_state = 'done' THEN refund_amount ELSE 0 END`;
