import { randomInt } from 'node:crypto';

import { refunded, type Refund, type Trade } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { WechatError } from './wechat-error.js';
import { fen, isJson, readUrl, text, type Json } from './wechat-prepay.js';

/** What a refund request led to. `known`: the same request had been carried out before. */
export interface RefundOutcome {
  readonly trade: Trade;
  readonly refund: Refund;
  readonly known: boolean;
}

/** Carries a refund out once, however often it is asked for under the same number. Throws WechatError. */
export function refundOnce(body: Json, store: TradeStore): RefundOutcome {
  const no = text(body, 'out_refund_no', { most: 64, like: /^[\w\-|*@]{1,64}$/ });
  const reason = body['reason'] === undefined ? '' : text(body, 'reason', { most: 80 });
  const notifyUrl = body['notify_url'] === undefined ? null : readUrl(text(body, 'notify_url', { most: 255 }));
  const trade = tradeOf(body, store);
  const amount = readAmounts(body, trade);

  const before = trade.refunds.find((refund) => refund.no === no);
  if (before) {
    if (before.amount === amount) return { trade, refund: before, known: true };
    throw new WechatError('INVALID_REQUEST', { name: 'amount/refund', issue: '与之前请求的不一致' });
  }
  if (store.findRefund('wechat', no)) {
    throw new WechatError('INVALID_REQUEST', { name: 'out_refund_no', issue: '已用于其他订单' });
  }
  if (trade.state !== 'paid') throw new WechatError('INVALID_REQUEST', { name: 'out_trade_no', issue: '订单未支付' });
  if (refunded(trade) + amount > trade.amount) {
    throw new WechatError('INVALID_REQUEST', { name: 'amount/refund', issue: '超过可退金额' });
  }
  const refundNo = `50300${String(Date.now())}${String(randomInt(100_000, 1_000_000))}`;
  const refund = { no, refundNo, amount, reason, notifyUrl, at: Date.now() };
  return { trade: store.change(trade, ({ refunds }) => ({ refunds: [...refunds, refund] })), refund, known: false };
}

function tradeOf(body: Json, store: TradeStore): Trade {
  const byId = body['transaction_id'] !== undefined;
  const trade = byId
    ? store.findByTradeNo('wechat', text(body, 'transaction_id', { most: 32 }))
    : store.find('wechat', text(body, 'out_trade_no', { most: 32 }));
  if (!trade) throw new WechatError('RESOURCE_NOT_EXISTS');
  return trade;
}

function readAmounts(body: Json, trade: Trade): number {
  const { amount } = body;
  if (!isJson(amount)) throw new WechatError('PARAM_ERROR', { name: 'amount', issue: '必填' });
  if (amount['currency'] !== 'CNY')
    throw new WechatError('PARAM_ERROR', { name: 'amount/currency', issue: '只支持 CNY' });
  if (fen(amount, 'total') !== trade.amount) {
    throw new WechatError('INVALID_REQUEST', { name: 'amount/total', issue: '与订单金额不一致' });
  }
  return fen(amount, 'refund');
}
