import type { EntityManager } from '@mikro-orm/postgresql';
import type { PaymentVerdict } from '@yiqiao/domain/orders';
import type { GatewayPayment } from './pay-channels/pay-channel.js';
import { Payment, type SeenBy } from './payment.entity.js';
import type { RechargeOrder } from './recharge-order.entity.js';

export { Payment, type SeenBy } from './payment.entity.js';

/** The payment with this number of its gateway; on the connection of `em`. */
export const findPayment = (
  em: EntityManager,
  { gateway, tradeNo }: Pick<GatewayPayment, 'gateway' | 'tradeNo'>,
): Promise<Payment | null> => em.findOne(Payment, { gateway, tradeNo }, { disableIdentityMap: true });

/** The gateway's number of the payment `id`. */
export async function tradeNoOf(em: EntityManager, id: number): Promise<string | null> {
  const payment = await em.findOne(Payment, { id }, { disableIdentityMap: true });
  return payment?.tradeNo ?? null;
}

/**
 * Records a payment with its verdict and returns its id. Corrects one that was reported with a wrong amount before. Null when another
 * transaction has just recorded it for another order.
 */
export async function recordPayment(
  em: EntityManager,
  order: RechargeOrder,
  paid: { payment: GatewayPayment; seenBy: SeenBy; verdict: PaymentVerdict },
): Promise<number | null> {
  const { payment, seenBy, verdict } = paid;
  const inserted = await em
    .createQueryBuilder(Payment)
    .insert({
      gateway: payment.gateway,
      tradeNo: payment.tradeNo,
      orderId: order.id,
      familyId: order.familyId,
      amount: payment.amount,
      currency: payment.currency,
      paidAt: payment.paidAt,
      seenBy,
      verdict,
    })
    .onConflict(['gateway', 'tradeNo'])
    .ignore()
    .returning('id')
    .execute<{ id: number } | undefined>('get');
  if (inserted) return Number(inserted.id);
  // Raw SQL: the application's role may not update these columns, only this function may, while the amount is a wrong one.
  const [corrected] = await em.execute<{ id: number | null }[]>(
    'SELECT correct_payment(?, ?, ?, ?, ?, ?::timestamptz, ?, ?) AS id',
    [order.id, payment.gateway, payment.tradeNo, payment.amount, payment.currency, payment.paidAt, seenBy, verdict],
  );
  return corrected?.id ? Number(corrected.id) : null;
}

/** Changes the verdict of the payment `id`. */
export async function reviseVerdict(em: EntityManager, id: number, verdict: PaymentVerdict): Promise<void> {
  await em.nativeUpdate(Payment, { id }, { verdict });
}

/** fen refunded of each of these payments. */
export async function refundedAmong(em: EntityManager, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const payments = await em.find(Payment, { id: { $in: [...ids] } });
  return new Map(payments.map((payment) => [payment.id, refundedOf(payment)]));
}

/** fen refunded. */
export const refundedOf = ({ refundState, refundAmount, refundedBefore }: Payment): number =>
  refundedBefore + (refundState === 'done' ? (refundAmount ?? 0) : 0);

/** The same in SQL, for a row of `payment`. */
export const REFUNDED = `refunded_before + CASE WHEN refund_state = 'done' THEN refund_amount ELSE 0 END`;
