import { z } from 'zod';
import { timeOf } from '../beijing-time.js';
import type { GatewayPayment } from '../pay-channel.js';

/** What an answer and a notification both tell of an order that exists; what comes only with a payment is optional. */
export const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().optional(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR']),
  success_time: z.string().optional(),
  /** fen. `total` is the order's amount; what the payer gave may be less by a coupon of WeChat's. */
  amount: z.object({ total: z.int().nonnegative(), currency: z.string() }).optional(),
});
export type Transaction = z.output<typeof transaction>;

export const isOurs = (of: Transaction, us: { appId: string; mchId: string }): boolean =>
  of.appid === us.appId && of.mchid === us.mchId;

/** Null for one that is not paid, or says so without a number or an amount. */
export function wechatPayment(of: Transaction): GatewayPayment | null {
  if (of.trade_state !== 'SUCCESS' || !of.transaction_id || !of.amount) return null;
  return {
    gateway: 'wechat',
    orderNo: of.out_trade_no,
    tradeNo: of.transaction_id,
    amount: of.amount.total,
    currency: of.amount.currency,
    paidAt: timeOf(of.success_time),
  };
}
