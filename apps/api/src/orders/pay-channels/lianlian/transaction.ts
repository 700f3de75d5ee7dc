import { fenOf } from '@yiqiao/domain/orders';
import { z } from 'zod';
import { timeOf } from '../beijing-time.js';
import type { GatewayPayment } from '../pay-channel.js';

/** What an answer and a notification both tell of an order. LianLian writes yuan as a text or as a number. */
export const transaction = z.object({
  txn_seqno: z.string().min(1),
  txn_status: z.string(),
  platform_txno: z.string().default(''),
  order_amount: z.union([z.string(), z.number()]).transform((yuan) => fenOf(String(yuan))),
  success_time: z.string().optional(),
});
export type Transaction = z.output<typeof transaction>;

export const isPaid = (of: Transaction): boolean => of.txn_status === 'SUCCESS';

/** The words of LianLian's several products for an order that can no longer be paid; its documents list none for this one. */
export const isClosed = (of: Transaction): boolean =>
  ['CLOSE', 'CLOSED', 'TRADE_CLOSE', 'CANCEL', 'FAIL', 'FAILURE', 'REFUND'].includes(of.txn_status);

/** Null without a number or an amount. */
export const lianlianPayment = (of: Transaction): GatewayPayment | null =>
  of.order_amount === null || of.platform_txno === ''
    ? null
    : {
        gateway: 'lianlian',
        orderNo: of.txn_seqno,
        tradeNo: of.platform_txno,
        amount: of.order_amount,
        currency: 'CNY',
        paidAt: timeOf(of.success_time),
      };
