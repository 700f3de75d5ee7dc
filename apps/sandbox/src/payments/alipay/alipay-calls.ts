import { randomUUID } from 'node:crypto';

import { spacedTime } from '../beijing-time.js';
import type { Notifier } from '../notifier.js';
import type { Call } from '../payment-faults.js';
import { refunded, type Trade } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { yuan } from '../yuan.js';
import { AlipayError } from './alipay-error.js';
import type { Business } from './alipay-request.js';
import { payable, tradeStatus } from './alipay-trade.js';

export const BUYER = { id: '2088000000000001', logon: 'san***@example.com' } as const;

/** What a call has before it. `disguised`: fen by which its answer lies. */
interface Asked {
  readonly business: Business;
  readonly disguised: number;
  readonly store: TradeStore;
  readonly notifier: Notifier;
}

/** The content of an answer, besides code and message. */
type Node = Readonly<Record<string, string>>;

/** What the gateway answers by a signed node; the page payment is a page and stands beside. Each throws AlipayError. */
export const ALIPAY_CALLS: Readonly<Record<string, { call: Call; work: (asked: Asked) => Node }>> = {
  'alipay.trade.query': { call: 'query', work: query },
  'alipay.trade.close': { call: 'close', work: close },
  'alipay.trade.refund': { call: 'refund', work: refund },
  'alipay.trade.fastpay.refund.query': { call: 'refund-query', work: queryRefund },
};

function query({ business, disguised, store }: Asked): Node {
  const trade = tradeOf(business, store);
  const amount = yuan(trade.amount + disguised);
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

function close({ business, store }: Asked): Node {
  const trade = tradeOf(business, store);
  if (tradeStatus(trade) !== 'WAIT_BUYER_PAY') throw new AlipayError('ACQ.TRADE_STATUS_ERROR');
  store.change(trade, () => ({ state: 'closed', closedAt: Date.now() }));
  return { out_trade_no: trade.orderNo, trade_no: trade.tradeNo };
}

function refund({ business, store, notifier }: Asked): Node {
  const before = tradeOf(business, store);
  const amount = payable(business.amount('refund_amount'));
  const no = refundNo(business, { trade: before, amount });
  const known = before.refunds.find((one) => one.no === no);
  if (known && known.amount !== amount) throw new AlipayError('ACQ.DISCORDANT_REPEAT_REQUEST');
  if (!known && tradeStatus(before) !== 'TRADE_SUCCESS') throw new AlipayError('ACQ.TRADE_STATUS_ERROR');
  if (!known && refunded(before) + amount > before.amount) throw new AlipayError('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
  const reason = business.text('refund_reason', 256);
  const made = known ?? { no, refundNo: randomUUID(), amount, reason, notifyUrl: null, at: Date.now() };
  const trade = known ? before : store.change(before, ({ refunds }) => ({ refunds: [...refunds, made] }));
  if (!known) notifier.announce(trade, 'refunded', made);
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

/** Without a number of its own a refund is one of everything, under the number of its trade. */
function refundNo(business: Business, { trade, amount }: { trade: Trade; amount: number }): string {
  const no = business.text('out_request_no', 64);
  if (no !== '') return no;
  if (amount !== trade.amount) throw new AlipayError('ACQ.INVALID_PARAMETER', '部分退款缺少 out_request_no');
  return trade.orderNo;
}

/** A refund that does not exist is answered with nothing but success: code 10000 alone means nothing. */
function queryRefund({ business, store }: Asked): Node {
  const trade = tradeOf(business, store);
  const no = business.needed('out_request_no', /^.{1,64}$/);
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

/** The gateway's own number wins. */
function tradeOf(business: Business, store: TradeStore): Trade {
  const [tradeNo, orderNo] = [business.text('trade_no', 64), business.text('out_trade_no', 64)];
  if (tradeNo === '' && orderNo === '') throw new AlipayError('ACQ.INVALID_PARAMETER', '缺少 out_trade_no');
  const trade = tradeNo === '' ? store.find('alipay', orderNo) : store.findByTradeNo('alipay', tradeNo);
  if (!trade) throw new AlipayError('ACQ.TRADE_NOT_EXIST');
  return trade;
}
