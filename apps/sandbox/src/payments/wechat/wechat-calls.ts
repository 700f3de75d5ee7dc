import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { cashierAddress } from '../cashier.js';
import { zonedTime, readZonedTime } from '../beijing-time.js';
import type { WechatKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { Call, PaymentFaults } from '../payment-faults.js';
import { tradeTime } from '../trade-clock.js';
import { isExpired, type Trade, refunded, type Refund } from '../trade.js';
import type { TradeStore } from '../trade-store.js';
import type { PlatformCertificate } from './wechat-certificate.js';
import { WechatError } from './wechat-error.js';
import { encrypt, refundView, transactionView } from './wechat-views.js';

/** The dependencies of a call. */
export interface WechatServices {
  readonly keys: WechatKeys;
  readonly certificate: PlatformCertificate;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** A verified request. `amountError`: injected error of the amount, in fen; `serial`: the key that signs the response. */
interface CallContext {
  readonly request: FastifyRequest;
  readonly body: Json;
  readonly amountError: number;
  readonly serial: string;
}

/** `body` null: headers only. */
export interface WechatAnswer {
  readonly status: number;
  readonly body: object | null;
}

export interface WechatCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly call: Call;
  /** Throws WechatError. */
  readonly work: (services: WechatServices, context: CallContext) => WechatAnswer;
}

/** The gateway's API. */
export const WECHAT_CALLS: readonly WechatCall[] = [
  { method: 'POST', url: '/v3/pay/transactions/native', call: 'pay', work: prepay },
  { method: 'GET', url: '/v3/pay/transactions/out-trade-no/:no', call: 'query', work: query },
  { method: 'GET', url: '/v3/pay/transactions/id/:id', call: 'query', work: query },
  { method: 'POST', url: '/v3/pay/transactions/out-trade-no/:no/close', call: 'close', work: close },
  { method: 'POST', url: '/v3/refund/domestic/refunds', call: 'refund', work: refund },
  { method: 'GET', url: '/v3/refund/domestic/refunds/:refund', call: 'refund-query', work: queryRefund },
  { method: 'GET', url: '/v3/certificates', call: 'certificates', work: certificates },
];

function prepay({ store, keys }: WechatServices, { request, body, serial }: CallContext): WechatAnswer {
  const wanted = readPrepay(body, keys);
  const known = store.find('wechat', wanted.orderNo);
  if (known && known.terms !== wanted.terms) throw new WechatError('OUT_TRADE_NO_USED');
  if (known?.state === 'paid') throw new WechatError('ORDERPAID');
  if (known && (known.state === 'closed' || isExpired(known))) throw new WechatError('ORDER_CLOSED');
  if (!known) store.add({ ...wanted, echo: { ...wanted.echo, serial } });
  return { status: 200, body: { code_url: cashierAddress(request, wanted.orderNo) } };
}

function query({ store, keys }: WechatServices, { request, amountError }: CallContext): WechatAnswer {
  const { no, id } = request.params as { no?: string; id?: string };
  checkMerchant(request.query as Json, keys);
  const trade = no === undefined ? store.findByTradeNo('wechat', id ?? '') : store.find('wechat', no);
  // An unpaid trade has no gateway number yet.
  if (!trade || (no === undefined && trade.state !== 'paid')) throw new WechatError('ORDER_NOT_EXIST');
  return { status: 200, body: transactionView(trade, { keys, amount: trade.amount + amountError }) };
}

function close({ store, keys }: WechatServices, { request, body }: CallContext): WechatAnswer {
  checkMerchant(body, keys);
  const trade = requireTrade(store.find('wechat', (request.params as { no: string }).no));
  if (trade.state === 'paid') throw new WechatError('ORDERPAID');
  if (trade.state === 'closed') throw new WechatError('ORDER_CLOSED');
  store.change(trade, () => ({ state: 'closed', closedAt: tradeTime() }));
  return { status: 204, body: null };
}

function refund({ store, notifier }: WechatServices, { body }: CallContext): WechatAnswer {
  const { trade, refund: made, known } = refundOnce(body, store);
  if (!known && made.notifyUrl !== null) notifier().notify(trade, 'refunded', made);
  return { status: 200, body: refundView(trade, { refund: made, status: known ? 'SUCCESS' : 'PROCESSING' }) };
}

function queryRefund({ store }: WechatServices, { request }: CallContext): WechatAnswer {
  const found = store.findRefund('wechat', (request.params as { refund: string }).refund);
  if (!found) throw new WechatError('RESOURCE_NOT_EXISTS');
  return { status: 200, body: refundView(found.trade, { refund: found.refund, status: 'SUCCESS' }) };
}

function certificates({ keys, certificate }: WechatServices): WechatAnswer {
  const row = {
    serial_no: certificate.serial,
    effective_time: zonedTime(certificate.effectiveAt),
    expire_time: zonedTime(certificate.expiresAt),
    encrypt_certificate: encrypt(certificate.pem, { key: keys.v3Key, associated: 'certificate' }),
  };
  return { status: 200, body: { data: [row] } };
}

function checkMerchant(fields: Json, keys: WechatKeys): void {
  if (text(fields, 'mchid', { most: 32 }) !== keys.mchId) throw new WechatError('NO_AUTH');
}

function requireTrade(trade: Trade | null): Trade {
  if (!trade) throw new WechatError('ORDER_NOT_EXIST');
  return trade;
}

export type Json = Readonly<Record<string, unknown>>;

const MINUTE = 60_000;

/** Lifetime of a trade without `time_expire`: seven days. */
const DEFAULT_LIFETIME_MS = 7 * 24 * 60 * MINUTE;

/** Parses a prepay request into a trade. Throws WechatError naming the invalid field. */
export function readPrepay(body: Json, keys: WechatKeys): Trade {
  const now = tradeTime();
  const mchid = text(body, 'mchid', { most: 32 });
  const appid = text(body, 'appid', { most: 32 });
  const subject = text(body, 'description', { most: 127 });
  const orderNo = text(body, 'out_trade_no', { most: 32, like: /^[\w\-|*]{6,32}$/ });
  const notifyUrl = readUrl(text(body, 'notify_url', { most: 255 }));
  const attach = body['attach'] === undefined ? '' : text(body, 'attach', { most: 128 });
  const amount = readAmount(body['amount']);
  if (mchid !== keys.mchId) throw new WechatError('MCH_NOT_EXISTS');
  if (appid !== keys.appId) throw new WechatError('APPID_MCHID_NOT_MATCH');
  return {
    gateway: 'wechat',
    orderNo,
    tradeNo: `42000${String(randomInt(100_000, 1_000_000))}${String(now)}${String(randomInt(1000, 10_000))}`,
    wallet: 'wechat',
    subject,
    amount,
    notifyUrl,
    returnUrl: null,
    createdAt: now,
    expiresAt: readExpiry(body, now),
    state: 'waiting',
    paidAt: null,
    closedAt: null,
    terms: JSON.stringify([appid, subject, notifyUrl, attach, amount]),
    echo: { attach },
    refunds: [],
    notifications: [],
  };
}

/** A required string field of the body. */
export function text(body: Json, name: string, { most, like }: { most: number; like?: RegExp }): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw new WechatError('PARAM_ERROR', { name, issue: '必填' });
  if (value.length > most) throw new WechatError('PARAM_ERROR', { name, issue: `长度超过 ${most}` });
  if (like && !like.test(value)) throw new WechatError('PARAM_ERROR', { name, issue: '格式错误' });
  return value;
}

function readAmount(value: unknown): number {
  if (!isJson(value)) throw new WechatError('PARAM_ERROR', { name: 'amount', issue: '必填' });
  if (value['currency'] !== undefined && value['currency'] !== 'CNY') {
    throw new WechatError('PARAM_ERROR', { name: 'amount/currency', issue: '只支持 CNY' });
  }
  return fen(value, 'total');
}

/** A positive amount in fen. */
export function fen(amount: Json, name: string): number {
  const value = amount[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw new WechatError('PARAM_ERROR', { name: `amount/${name}`, issue: '必须是大于 0 的整数，单位为分' });
  }
  return value;
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An absolute URL without query. The real gateway requires https; here the merchant runs on the same machine. */
export function readUrl(value: string): string {
  const url = URL.parse(value);
  const issue = '必须是不带参数的完整网址';
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new WechatError('PARAM_ERROR', { name: 'notify_url', issue });
  }
  return value;
}

function readExpiry(body: Json, now: number): number {
  if (body['time_expire'] === undefined) return now + DEFAULT_LIFETIME_MS;
  const time = readZonedTime(text(body, 'time_expire', { most: 64 }));
  if (time === null) throw new WechatError('PARAM_ERROR', { name: 'time_expire', issue: '不是 RFC3339 时间' });
  if (time < now + MINUTE) throw new WechatError('PARAM_ERROR', { name: 'time_expire', issue: '距现在不足 1 分钟' });
  return time;
}

/** The outcome of a refund request. `known`: the same request was executed before. */
export interface RefundOutcome {
  readonly trade: Trade;
  readonly refund: Refund;
  readonly known: boolean;
}

/** Executes a refund idempotently by its number. Throws WechatError. */
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
  const refundNo = `50300${String(tradeTime())}${String(randomInt(100_000, 1_000_000))}`;
  const refund = { no, refundNo, amount, reason, notifyUrl, at: tradeTime() };
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
