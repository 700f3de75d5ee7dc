import { randomUUID, randomInt } from 'node:crypto';
import { spacedTime, readSpacedTime } from '../beijing-time.js';
import type { Notifier } from '../notifier.js';
import type { Call } from '../payment-faults.js';
import { tradeTime } from '../trade-clock.js';
import { refunded, type Trade, isExpired } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { yuan, readYuan } from '../yuan.js';
import { AlipayError } from './alipay-error.js';
import type { Business, Parameters } from './alipay-request.js';

export const BUYER = { id: '2088000000000001', logon: 'san***@example.com' } as const;

/** The context of a call. `amountError`: injected error of the amount, in fen. */
interface CallContext {
  readonly business: Business;
  readonly amountError: number;
  readonly store: TradeStore;
  readonly notifier: Notifier;
}

/** The content of a response, besides code and message. */
type Node = Readonly<Record<string, string>>;

/** The calls that return a signed node; the page payment is served separately. Each throws AlipayError. */
export const ALIPAY_CALLS: Readonly<Record<string, { call: Call; work: (context: CallContext) => Node }>> = {
  'alipay.trade.query': { call: 'query', work: query },
  'alipay.trade.close': { call: 'close', work: close },
  'alipay.trade.refund': { call: 'refund', work: refund },
  'alipay.trade.fastpay.refund.query': { call: 'refund-query', work: queryRefund },
};

function query({ business, amountError, store }: CallContext): Node {
  const trade = tradeOf(business, store);
  const amount = yuan(trade.amount + amountError);
  return {
    buyer_logon_id: BUYER.logon,
    buyer_pay_amount: trade.paidAt === null ? '0.00' : amount,
    buyer_user_id: BUYER.id,
    invoice_amount: trade.paidAt === null ? '0.00' : amount,
    out_trade_no: trade.orderNo,
    point_amount: '0.00',
    receipt_amount: trade.paidAt === null ? '0.00' : amount,
    ...(trade.paidAt === null ? null : { send_pay_date: spacedTime(trade.paidAt) }),
    total_amount: amount,
    trade_no: trade.tradeNo,
    trade_status: tradeStatus(trade),
  };
}

function close({ business, store }: CallContext): Node {
  const trade = tradeOf(business, store);
  if (tradeStatus(trade) !== 'WAIT_BUYER_PAY') throw new AlipayError('ACQ.TRADE_STATUS_ERROR');
  store.change(trade, () => ({ state: 'closed', closedAt: tradeTime() }));
  return { out_trade_no: trade.orderNo, trade_no: trade.tradeNo };
}

function refund({ business, store, notifier }: CallContext): Node {
  const before = tradeOf(business, store);
  const amount = payable(business.amount('refund_amount'));
  const no = refundNo(business, { trade: before, amount });
  const known = before.refunds.find((one) => one.no === no);
  if (known && known.amount !== amount) throw new AlipayError('ACQ.DISCORDANT_REPEAT_REQUEST');
  if (!known && tradeStatus(before) !== 'TRADE_SUCCESS') throw new AlipayError('ACQ.TRADE_STATUS_ERROR');
  if (!known && refunded(before) + amount > before.amount) throw new AlipayError('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
  const reason = business.text('refund_reason', 256);
  const made = known ?? { no, refundNo: randomUUID(), amount, reason, notifyUrl: null, at: tradeTime() };
  const trade = known ? before : store.change(before, ({ refunds }) => ({ refunds: [...refunds, made] }));
  if (!known) notifier.notify(trade, 'refunded', made);
  return {
    buyer_logon_id: BUYER.logon,
    buyer_user_id: BUYER.id,
    fund_change: known ? 'N' : 'Y',
    gmt_refund_pay: spacedTime(made.at),
    out_trade_no: trade.orderNo,
    refund_fee: yuan(refunded(trade)),
    send_back_fee: yuan(made.amount),
    trade_no: trade.tradeNo,
  };
}

/** A refund without a number is a full refund under the trade's number. */
function refundNo(business: Business, { trade, amount }: { trade: Trade; amount: number }): string {
  const no = business.text('out_request_no', 64);
  if (no !== '') return no;
  if (amount !== trade.amount) throw new AlipayError('ACQ.INVALID_PARAMETER', '部分退款缺少 out_request_no');
  return trade.orderNo;
}

/** An unknown refund returns code 10000 without fields, as the real gateway does. */
function queryRefund({ business, store }: CallContext): Node {
  const trade = tradeOf(business, store);
  const no = business.required('out_request_no', /^.{1,64}$/);
  const found = trade.refunds.find((one) => one.no === no);
  if (!found) return {};
  return {
    gmt_refund_pay: spacedTime(found.at),
    out_request_no: no,
    out_trade_no: trade.orderNo,
    ...(found.reason === '' ? null : { refund_reason: found.reason }),
    refund_amount: yuan(found.amount),
    refund_status: 'REFUND_SUCCESS',
    total_amount: yuan(trade.amount),
    trade_no: trade.tradeNo,
  };
}

/** The gateway's number takes precedence. */
function tradeOf(business: Business, store: TradeStore): Trade {
  const [tradeNo, orderNo] = [business.text('trade_no', 64), business.text('out_trade_no', 64)];
  if (tradeNo === '' && orderNo === '') throw new AlipayError('ACQ.INVALID_PARAMETER', '缺少 out_trade_no');
  const trade = tradeNo === '' ? store.find('alipay', orderNo) : store.findByTradeNo('alipay', tradeNo);
  if (!trade) throw new AlipayError('ACQ.TRADE_NOT_EXIST');
  return trade;
}

const MINUTE = 60_000;
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const;

/** Default lifetime of a trade. */
const MAX_LIFETIME_MS = 15 * UNITS.d;

/** A hundred million yuan, in fen. */
const MAX_AMOUNT = 10_000_000_000;

/** Parses a page payment into a trade. Throws AlipayError. */
export function readPagePay(business: Business, parameters: Parameters): Trade {
  const now = tradeTime();
  const orderNo = business.required('out_trade_no', /^\w{1,64}$/);
  const subject = business.required('subject', /^[^/=&]{1,256}$/);
  business.required('product_code', /^FAST_INSTANT_TRADE_PAY$/);
  const amount = payable(business.amount('total_amount'));
  const notifyUrl = address(parameters, 'notify_url');
  const returnUrl = address(parameters, 'return_url');
  const body = business.text('body', 128);
  const passback = business.text('passback_params', 512);
  return {
    gateway: 'alipay',
    orderNo,
    tradeNo: `${spacedTime(now).replaceAll(/\D/g, '').slice(0, 8)}2200${String(now)}${String(randomInt(1000, 10_000))}`,
    wallet: 'alipay',
    subject,
    amount,
    notifyUrl,
    returnUrl,
    createdAt: now,
    expiresAt: expiry(business, now),
    state: 'waiting',
    paidAt: null,
    closedAt: null,
    terms: JSON.stringify([subject, amount, body]),
    echo: { ...(body && { body }), ...(passback && { passback_params: passback }) },
    refunds: [],
    notifications: [],
  };
}

/** Parses an amount into fen. Throws AlipayError when it is invalid or out of range. */
export function payable(text: string): number {
  const fen = readYuan(text);
  if (fen === null) throw new AlipayError('ACQ.INVALID_PARAMETER', `金额 ${text}`);
  if (fen < 1 || fen > MAX_AMOUNT) throw new AlipayError('ACQ.TOTAL_FEE_EXCEED');
  return fen;
}

function address(parameters: Parameters, name: string): string | null {
  const value = parameters.get(name)?.toString('utf8') ?? '';
  if (value === '') return null;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new AlipayError('isv.invalid-parameter', name);
  return value;
}

/** `time_expire` takes precedence over the older `timeout_express`. */
function expiry(business: Business, now: number): number {
  const [end, span] = [business.text('time_expire', 32), business.text('timeout_express', 6)];
  if (end !== '') {
    const time = readSpacedTime(end);
    if (time === null || time <= now) throw new AlipayError('ACQ.INVALID_PARAMETER', `time_expire ${end}`);
    return time;
  }
  if (span === '') return now + MAX_LIFETIME_MS;
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(span) ?? [];
  if (unit === '') throw new AlipayError('ACQ.INVALID_PARAMETER', `timeout_express ${span}`);
  return now + Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Expired and fully refunded trades are closed. */
export function tradeStatus(trade: Trade): 'WAIT_BUYER_PAY' | 'TRADE_CLOSED' | 'TRADE_SUCCESS' {
  if (trade.state === 'closed' || isExpired(trade)) return 'TRADE_CLOSED';
  if (trade.state === 'waiting') return 'WAIT_BUYER_PAY';
  return refunded(trade) === trade.amount ? 'TRADE_CLOSED' : 'TRADE_SUCCESS';
}

/**
 * Creates the trade when the browser posts the merchant's form. Posting the same form again returns the same trade; different
 * terms under the same number are refused. Throws AlipayError.
 */
export function pagePay(business: Business, parameters: Parameters, store: TradeStore): Trade {
  const wanted = readPagePay(business, parameters);
  const known = store.find('alipay', wanted.orderNo);
  if (!known) return store.add(wanted);
  if (known.terms !== wanted.terms) throw new AlipayError('ACQ.CONTEXT_INCONSISTENT');
  if (known.state === 'paid') throw new AlipayError('ACQ.TRADE_HAS_SUCCESS');
  if (known.state === 'closed' || isExpired(known)) throw new AlipayError('ACQ.TRADE_HAS_CLOSE');
  return known;
}
