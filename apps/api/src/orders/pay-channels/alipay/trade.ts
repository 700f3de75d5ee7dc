import { fenOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { timeOf } from '../beijing-time.js';
import type { GatewayPayment } from '../pay-channel.js';

/** What an answer and a notification both tell of a trade. */
export const trade = z.object({
  trade_no: z.string().min(1),
  out_trade_no: z.string().min(1),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: z.string(),
  /** Only where it is not the yuan. */
  trans_currency: z.string().optional(),
});

/** TRADE_FINISHED: paid, and too long ago for a refund. */
export const isPaid = ({ trade_status }: z.output<typeof trade>): boolean =>
  trade_status === 'TRADE_SUCCESS' || trade_status === 'TRADE_FINISHED';

/** `paidAt`: in Alipay's writing. Null when the amount is no amount. */
export function alipayPayment(of: z.output<typeof trade>, paidAt: string | undefined): GatewayPayment | null {
  const amount = fenOf(of.total_amount);
  return amount === null
    ? null
    : {
        gateway: 'alipay',
        orderNo: of.out_trade_no,
        tradeNo: of.trade_no,
        amount,
        currency: of.trans_currency ?? 'CNY',
        paidAt: timeOf(paidAt),
      };
}
