import type { FastifyRequest } from 'fastify';

import { cashierAddress } from '../cashier-address.js';
import type { LianlianKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { Call, PaymentFaults } from '../payment-faults.js';
import { isExpired, refunded, type Trade } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import { yuan } from '../yuan.js';
import { LianlianError } from './lianlian-error.js';
import type { Fields } from './lianlian-fields.js';
import { orderView, platformNo, readPayment, refundView } from './lianlian-trade.js';

/** All that a call may need. */
export interface LianlianWorld {
  readonly keys: LianlianKeys;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** A verified request. `disguised`: fen by which its answer lies. */
interface Asked {
  readonly request: FastifyRequest;
  readonly fields: Fields;
  readonly disguised: number;
}

/** What the gateway can be asked. The work answers the fields besides ret_code and throws LianlianError. */
export const LIANLIAN_CALLS: readonly {
  readonly url: string;
  readonly call: Call;
  readonly work: (world: LianlianWorld, asked: Asked) => object;
}[] = [
  { url: '/mch/v1/ipay/createpay', call: 'pay', work: create },
  { url: '/query/v1/ipay/orderquery', call: 'query', work: query },
  { url: '/mch/v1/ipay/close', call: 'close', work: close },
  { url: '/mch/v1/ipay/refund', call: 'refund', work: refund },
  { url: '/query/v1/ipay/refundquery', call: 'refund-query', work: queryRefund },
];

function create({ store }: LianlianWorld, { request, fields }: Asked) {
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

function query({ store, keys }: LianlianWorld, { fields, disguised }: Asked) {
  const trade = tradeOf(fields, store);
  return orderView(trade, { mchId: keys.mchId, amount: trade.amount + disguised });
}

function close({ store }: LianlianWorld, { fields }: Asked) {
  const trade = tradeOf(fields, store);
  if (trade.state === 'paid') throw new LianlianError('2007');
  if (trade.state === 'closed') throw new LianlianError('2006');
  store.change(trade, () => ({ state: 'closed', closedAt: Date.now() }));
  return { txn_seqno: trade.orderNo, platform_txno: trade.tradeNo };
}

function refund({ store, notifier }: LianlianWorld, { fields }: Asked) {
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
  const made = known?.refund ?? { no, refundNo: platformNo(), amount, reason, notifyUrl, at: Date.now() };
  if (!known) {
    const trade = store.change(before, ({ refunds }) => ({ refunds: [...refunds, made] }));
    if (notifyUrl !== null) notifier().announce(trade, 'refunded', made);
  }
  return { refund_seqno: no, platform_refundno: made.refundNo, txn_seqno: before.orderNo, refund_amount: yuan(amount) };
}

function queryRefund({ store, keys }: LianlianWorld, { fields }: Asked) {
  const found = store.findRefund('lianlian', fields.text('refund_seqno', 64));
  if (!found) throw new LianlianError('9901');
  return refundView(found.trade, { refund: found.refund, mchId: keys.mchId });
}

/** By the gateway's number or by the merchant's. */
function tradeOf(fields: Fields, store: TradeStore): Trade {
  const trade = fields.has('platform_txno')
    ? store.findByTradeNo('lianlian', fields.text('platform_txno', 64))
    : store.find('lianlian', fields.text('txn_seqno', 64));
  if (!trade) throw new LianlianError('9901');
  return trade;
}
