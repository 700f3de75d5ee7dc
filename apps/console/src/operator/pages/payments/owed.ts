import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';

type Order = Response<typeof getPaymentOrder>;
type Payment = Order['payments'][number];

/** What is left of a payment that was never credited, in fen. */
const restOf = ({ verdict, amount, refundedAmount }: Payment): number =>
  verdict === 'credit' ? 0 : amount - refundedAmount;

/** What has to be given back to the payers of an order, in fen. */
export const owedOf = ({ payments }: Order): number => payments.reduce((sum, payment) => sum + restOf(payment), 0);

/** The first payment that has to be given back and is not on its way; null without one. */
export const nextToRefund = ({ payments }: Order): Payment | null =>
  payments.find((payment) => restOf(payment) > 0 && payment.refundState !== 'started') ?? null;
