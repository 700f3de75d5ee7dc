import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { cashierAddress } from '../cashier.js';
import type { LianlianKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { Call, PaymentFaults } from '../payment-faults.js';
import { tradeTime } from '../trade-clock.js';
import { isExpired, refunded, type Trade, type Refund } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { yuan } from '../yuan.js';
import { denseTime } from '../beijing-time.js';
import { LianlianError, type Fields } from './lianlian-request.js';

/** The dependencies of a call. */
export interface LianlianServices {
  readonly keys: LianlianKeys;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** A verified request. `amountError`: injected error of the amount, in fen. */
interface CallContext {
  readonly request: FastifyRequest;
  readonly fields: Fields;
  readonly amountError: number;
}

/** The gateway's API. `work` returns the fields besides ret_code and throws LianlianError. */
export const LIANLIAN_CALLS: readonly {
  readonly url: string;
  readonly call: Call;
  readonly work: (services: LianlianServices, context: CallContext) => object;
}[] = [
  { url: '/mch/v1/ipay/createpay', call: 'pay', work: create },
  { url: '/query/v1/ipay/orderquery', call: 'query', work: query },
  { url: '/mch/v1/ipay/close', call: 'close', work: close },
  { url: '/mch/v1/ipay/refund', call: 'refund', work: refund },
  { url: '/query/v1/ipay/refundquery', call: 'refund-query', work: queryRefund },
];

function create({ store }: LianlianServices, { request, fields }: CallContext) {
  const wanted = readPayment(fields);
  const known = store.find('lianlian', wanted.orderNo);
  if (known?.state === 'paid') throw new LianlianError('2007');
  if (known && (known.state === 'closed' || isExpired(known))) throw new LianlianError('2006');
  if (known && known.terms !== wanted.terms) throw new LianlianError('1002');
  const trade = known ?? store.add(wanted);
  return {
    txn_seqno: trade.orderNo,
    order_amount: yuan(trade.amount),
    platform_txno: trade.tradeNo,
    payload: cashierAddress(request, trade.orderNo),
  };
}

function query({ store, keys }: LianlianServices, { fields, amountError }: CallContext) {
  const trade = tradeOf(fields, store);
  return orderView(trade, { mchId: keys.mchId, amount: trade.amount + amountError });
}

function close({ store }: LianlianServices, { fields }: CallContext) {
  const trade = tradeOf(fields, store);
  if (trade.state === 'paid') throw new LianlianError('2007');
  if (trade.state === 'closed') throw new LianlianError('2006');
  store.change(trade, () => ({ state: 'closed', closedAt: tradeTime() }));
  return { txn_seqno: trade.orderNo, platform_txno: trade.tradeNo };
}

function refund({ store, notifier }: LianlianServices, { fields }: CallContext) {
  const no = fields.text('refund_seqno', 64);
  fields.time('refund_time');
  const amount = fields.amount('refund_amount');
  const notifyUrl = fields.has('notify_url') ? fields.url('notify_url') : null;
  const before = tradeOf(fields, store);
  const known = store.findRefund('lianlian', no);
  if (known && (known.refund.amount !== amount || known.trade.orderNo !== before.orderNo)) {
    throw new LianlianError('1002', 'refund_seqno');
  }
  if (before.state !== 'paid') throw new LianlianError('5008');
  if (!known && refunded(before) + amount > before.amount) throw new LianlianError('5003');
  const reason = fields.has('refund_reason') ? fields.text('refund_reason', 256) : '';
  const made = known?.refund ?? { no, refundNo: newPlatformNo(), amount, reason, notifyUrl, at: tradeTime() };
  if (!known) {
    const trade = store.change(before, ({ refunds }) => ({ refunds: [...refunds, made] }));
    if (notifyUrl !== null) notifier().notify(trade, 'refunded', made);
  }
  return { refund_seqno: no, platform_refundno: made.refundNo, txn_seqno: before.orderNo, refund_amount: yuan(amount) };
}

function queryRefund({ store, keys }: LianlianServices, { fields }: CallContext) {
  const found = store.findRefund('lianlian', fields.text('refund_seqno', 64));
  if (!found) throw new LianlianError('9901');
  return refundView(found.trade, { refund: found.refund, mchId: keys.mchId });
}

/** By the gateway's number or the merchant's. */
function tradeOf(fields: Fields, store: TradeStore): Trade {
  const trade = fields.has('platform_txno')
    ? store.findByTradeNo('lianlian', fields.text('platform_txno', 64))
    : store.find('lianlian', fields.text('txn_seqno', 64));
  if (!trade) throw new LianlianError('9901');
  return trade;
}

const MINUTE = 60_000;

/** Default lifetime of an order, in minutes. */
const DEFAULT_EXPIRY_MINUTES = 10_080;

const WALLETS = { ALIPAY_NATIVE: 'alipay', WECHAT_NATIVE: 'wechat' } as const;

/** A new gateway number: the date and ten random digits. */
export const newPlatformNo = (): string =>
  `${denseTime(tradeTime()).slice(0, 8)}${String(randomInt(10_000, 100_000))}${String(randomInt(10_000, 100_000))}`;

/** Parses a payment request into a trade. Throws LianlianError. */
export function readPayment(fields: Fields): Trade {
  const now = tradeTime();
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
  const minutes = fields.count('pay_expire') ?? DEFAULT_EXPIRY_MINUTES;
  return {
    gateway: 'lianlian',
    orderNo,
    tradeNo: newPlatformNo(),
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

/** An order as the gateway reports it. `amount`: the reported amount in fen. */
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
