import { randomInt } from 'node:crypto';

import { denseTime } from '../beijing-time.js';
import { isExpired, type Refund, type Trade } from '../trade.js';
import { yuan } from '../yuan.js';
import { LianlianError } from './lianlian-error.js';
import type { Fields } from './lianlian-fields.js';

const MINUTE = 60_000;

/** How long an order may be paid when nothing is said, in minutes. */
const LONGEST = 10_080;

const WALLETS = { ALIPAY_NATIVE: 'alipay', WECHAT_NATIVE: 'wechat' } as const;

/** A number of the gateway's own: the day and ten digits that none had before. */
export const platformNo = (): string =>
  `${denseTime(Date.now()).slice(0, 8)}${String(randomInt(10_000, 100_000))}${String(randomInt(10_000, 100_000))}`;

/** Reads what a payment asks for into the trade it makes. Throws LianlianError. */
export function readPayment(fields: Fields): Trade {
  const now = Date.now();
  const orderNo = fields.text('txn_seqno', 64);
  const subject = fields.text('order_info', 255);
  const user = fields.text('user_id', 64);
  const amount = fields.amount('order_amount');
  const notifyUrl = fields.url('notify_url');
  fields.text('busi_type', 8);
  fields.time('txn_time');
  const [method, ...others] = fields.rows('pay_method_infos');
  const type = method?.text('pay_type', 32) ?? '';
  if (!isPayType(type) || others.length > 0) throw new LianlianError('1004', 'pay_method_infos');
  if (method?.amount('amount') !== amount) throw new LianlianError('7017', 'pay_method_infos.amount');
  const payees = fields.rows('payee_infos').map((row) => row.amount('payee_amount'));
  if (payees.reduce((sum, one) => sum + one, 0) !== amount) throw new LianlianError('7017', 'payee_infos.payee_amount');
  const minutes = fields.count('pay_expire') ?? LONGEST;
  return {
    gateway: 'lianlian',
    orderNo,
    tradeNo: platformNo(),
    wallet: WALLETS[type],
    subject,
    amount,
    notifyUrl,
    returnUrl: null,
    createdAt: now,
    expiresAt: now + minutes * MINUTE,
    state: 'waiting',
    paidAt: null,
    closedAt: null,
    terms: JSON.stringify([user, subject, amount, notifyUrl, type]),
    echo: { pay_type: type, chnl_txno: `42000${String(now)}${String(randomInt(100_000, 1_000_000))}` },
    refunds: [],
    notifications: [],
  };
}

const isPayType = (type: string): type is keyof typeof WALLETS => Object.hasOwn(WALLETS, type);

/** An order as the gateway reports it. `amount`: what it says was paid, in fen. */
export function orderView(trade: Trade, { mchId, amount }: { mchId: string; amount: number }) {
  const paid = trade.paidAt === null ? null : trade.paidAt;
  const closed = trade.state === 'closed' || isExpired(trade);
  return {
    mch_id: mchId,
    txn_seqno: trade.orderNo,
    platform_txno: trade.tradeNo,
    order_amount: yuan(amount),
    txn_status: paid !== null ? 'SUCCESS' : closed ? 'CLOSED' : 'WAITING',
    ...(paid === null ? null : { success_time: denseTime(paid), chnl_txno: trade.echo['chnl_txno'] }),
    pay_method_infos: [{ pay_type: trade.echo['pay_type'], amount: yuan(amount) }],
  };
}

/** A refund as the gateway reports it. */
export function refundView(trade: Trade, { refund, mchId }: { refund: Refund; mchId: string }) {
  return {
    mch_id: mchId,
    refund_seqno: refund.no,
    platform_refundno: refund.refundNo,
    txn_seqno: trade.orderNo,
    refund_amount: yuan(refund.amount),
    refund_status: 'SUCCESS',
    success_time: denseTime(refund.at),
  };
}
