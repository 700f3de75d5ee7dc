import type { FastifyRequest } from 'fastify';

import { cashierAddress } from '../cashier-address.js';
import { zonedTime } from '../beijing-time.js';
import type { WechatKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { Call, PaymentFaults } from '../payment-faults.js';
import { isExpired, type Trade } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import type { PlatformCertificate } from './wechat-certificate.js';
import { WechatError } from './wechat-error.js';
import { sealed } from './wechat-notice.js';
import { readPrepay, text, type Json } from './wechat-prepay.js';
import { refundOnce } from './wechat-refund.js';
import { refundView, transactionView } from './wechat-views.js';

/** All that a call may need. */
export interface WechatWorld {
  readonly keys: WechatKeys;
  readonly certificate: PlatformCertificate;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** A verified request. `disguised`: fen by which its answer lies; `serial`: the key that its answer is signed with. */
interface Asked {
  readonly request: FastifyRequest;
  readonly body: Json;
  readonly disguised: number;
  readonly serial: string;
}

/** `body` null: nothing but the headers. */
export interface WechatAnswer {
  readonly status: number;
  readonly body: object | null;
}

export interface WechatCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly call: Call;
  /** Throws WechatError. */
  readonly work: (world: WechatWorld, asked: Asked) => WechatAnswer;
}

/** What the gateway can be asked. */
export const WECHAT_CALLS: readonly WechatCall[] = [
  { method: 'POST', url: '/v3/pay/transactions/native', call: 'pay', work: prepay },
  { method: 'GET', url: '/v3/pay/transactions/out-trade-no/:no', call: 'query', work: query },
  { method: 'GET', url: '/v3/pay/transactions/id/:id', call: 'query', work: query },
  { method: 'POST', url: '/v3/pay/transactions/out-trade-no/:no/close', call: 'close', work: close },
  { method: 'POST', url: '/v3/refund/domestic/refunds', call: 'refund', work: refund },
  { method: 'GET', url: '/v3/refund/domestic/refunds/:refund', call: 'refund-query', work: queryRefund },
  { method: 'GET', url: '/v3/certificates', call: 'certificates', work: certificates },
];

function prepay({ store, keys }: WechatWorld, { request, body, serial }: Asked): WechatAnswer {
  const wanted = readPrepay(body, keys);
  const known = store.find('wechat', wanted.orderNo);
  if (known && known.terms !== wanted.terms) throw new WechatError('OUT_TRADE_NO_USED');
  if (known?.state === 'paid') throw new WechatError('ORDERPAID');
  if (known && (known.state === 'closed' || isExpired(known))) throw new WechatError('ORDER_CLOSED');
  if (!known) store.add({ ...wanted, echo: { ...wanted.echo, serial } });
  return { status: 200, body: { code_url: cashierAddress(request, wanted.orderNo) } };
}

function query({ store, keys }: WechatWorld, { request, disguised }: Asked): WechatAnswer {
  const { no, id } = request.params as { no?: string; id?: string };
  mustBeOwn(request.query as Json, keys);
  const trade = no === undefined ? store.findByTradeNo('wechat', id ?? '') : store.find('wechat', no);
  // An unpaid trade has no number of the gateway's yet.
  if (!trade || (no === undefined && trade.state !== 'paid')) throw new WechatError('ORDER_NOT_EXIST');
  return { status: 200, body: transactionView(trade, { keys, amount: trade.amount + disguised }) };
}

function close({ store, keys }: WechatWorld, { request, body }: Asked): WechatAnswer {
  mustBeOwn(body, keys);
  const trade = existing(store.find('wechat', (request.params as { no: string }).no));
  if (trade.state === 'paid') throw new WechatError('ORDERPAID');
  if (trade.state === 'closed') throw new WechatError('ORDER_CLOSED');
  store.change(trade, () => ({ state: 'closed', closedAt: Date.now() }));
  return { status: 204, body: null };
}

function refund({ store, notifier }: WechatWorld, { body }: Asked): WechatAnswer {
  const { trade, refund: made, known } = refundOnce(body, store);
  if (!known && made.notifyUrl !== null) notifier().announce(trade, 'refunded', made);
  return { status: 200, body: refundView(trade, { refund: made, status: known ? 'SUCCESS' : 'PROCESSING' }) };
}

function queryRefund({ store }: WechatWorld, { request }: Asked): WechatAnswer {
  const found = store.findRefund('wechat', (request.params as { refund: string }).refund);
  if (!found) throw new WechatError('RESOURCE_NOT_EXISTS');
  return { status: 200, body: refundView(found.trade, { refund: found.refund, status: 'SUCCESS' }) };
}

function certificates({ keys, certificate }: WechatWorld): WechatAnswer {
  const row = {
    serial_no: certificate.serial,
    effective_time: zonedTime(certificate.effectiveAt),
    expire_time: zonedTime(certificate.expiresAt),
    encrypt_certificate: sealed(certificate.pem, { key: keys.v3Key, associated: 'certificate' }),
  };
  return { status: 200, body: { data: [row] } };
}

function mustBeOwn(fields: Json, keys: WechatKeys): void {
  if (text(fields, 'mchid', { most: 32 }) !== keys.mchId) throw new WechatError('NO_AUTH');
}

function existing(trade: Trade | null): Trade {
  if (!trade) throw new WechatError('ORDER_NOT_EXIST');
  return trade;
}
