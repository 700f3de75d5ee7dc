import type { FastifyReply, FastifyRequest } from 'fastify';

import { BRIDGE, escapeHtml, type PageView, sendPage } from '../../server/page.js';
import type { Site } from '../../server/sandbox-module.js';
import { spacedTime } from '../beijing-time.js';
import { cashierAddress } from '../cashier.js';
import type { AlipayKeys } from '../gateway-keys.js';
import type { NotificationMessage, PaymentGateway, Tampering } from '../gateway.js';
import type { Notifier } from '../notifier.js';
import type { FaultPoint, PaymentFaults } from '../payment-faults.js';
import { sign, tamperedSignature } from '../rsa.js';
import { fieldIn, type TradeStore } from '../trade-store.js';
import { type Notification, refunded, type Trade } from '../trade.js';
import { yuan } from '../yuan.js';
import { ALIPAY_CALLS, BUYER, pagePay } from './alipay-calls.js';
import { AlipayError } from './alipay-error.js';
import { businessOf, checkParameters, readParameters, type ReadParameters } from './alipay-request.js';

/** 4m 10m 10m 1h 2h 6h 15h. */
const SCHEDULE = [240, 600, 600, 3600, 7200, 21_600, 54_000] as const;

const PAGE_PAY = 'alipay.trade.page.pay';

interface AlipayServices {
  readonly keys: AlipayKeys;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** Alipay's open platform, gateway version 2: one URL, the method is a parameter. */
export function alipayGateway(keys: AlipayKeys, shared: Omit<AlipayServices, 'keys'>): PaymentGateway {
  const services: AlipayServices = { ...shared, keys };
  return {
    name: 'alipay',
    schedule: SCHEDULE,
    routes(scope, site) {
      scope.route({
        method: ['GET', 'POST'],
        url: '/gateway.do',
        handler: async (request, reply) => {
          const call = readRequest(request, services);
          if (services.faults.take('error-5xx', call.faultPoint)) return badGateway(reply);
          return call.method === PAGE_PAY
            ? serveBuyer(reply, { call, services, site })
            : serveMerchant(reply, { call, services });
        },
      });
    },
    message: (trade, notification, tampering) => alipayNotification(trade, notification, { ...tampering, keys }),
    returnAddress: (trade) => alipayReturn(trade, keys),
    accepts: ({ status, body }) => status === 200 && body === 'success',
  };
}

interface GatewayRequest {
  readonly read: ReadParameters;
  readonly method: string;
  readonly faultPoint: FaultPoint;
}

function readRequest(request: FastifyRequest, { store }: AlipayServices): GatewayRequest {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const [, query = ''] = /\?(.*)/s.exec(request.raw.url ?? '') ?? [];
  const read = readParameters(query, body);
  const method = read.parameters.get('method')?.toString('utf8') ?? '';
  const business = read.parameters.get('biz_content')?.toString('utf8') ?? '';
  const orderNo = store.orderNoOf('alipay', {
    orderNo: fieldIn(business, 'out_trade_no'),
    tradeNo: fieldIn(business, 'trade_no'),
  });
  const call = method === PAGE_PAY ? 'pay' : (ALIPAY_CALLS[method]?.call ?? 'query');
  return { read, method, faultPoint: { gateway: 'alipay', call, orderNo } };
}

async function serveBuyer(
  reply: FastifyReply,
  { call, services, site }: { call: GatewayRequest; services: AlipayServices; site: Site },
) {
  const { request } = reply;
  const send = () => {
    try {
      checkParameters(call.read, services.keys);
      const { parameters } = call.read;
      const trade = pagePay(businessOf(parameters), parameters, services.store);
      return () => reply.redirect(cashierAddress(request, trade.orderNo), 302);
    } catch (error) {
      if (!(error instanceof AlipayError)) throw error;
      return () => sendPage(request, reply.code(400), { site, view: errorPage(error) });
    }
  };
  const sent = send();
  return (await services.faults.delayOrDrop(call.faultPoint, reply)) ? sent() : reply;
}

async function serveMerchant(
  reply: FastifyReply,
  { call, services }: { call: GatewayRequest; services: AlipayServices },
) {
  const { method, faultPoint, read } = call;
  const node = resultNode(() => {
    checkParameters(read, services.keys);
    const row = ALIPAY_CALLS[method];
    if (!row) throw new AlipayError('isv.invalid-method');
    const amountError = services.faults.take('wrong-amount', faultPoint) ? 1 : 0;
    const { store, notifier } = services;
    return row.work({ business: businessOf(read.parameters), amountError, store, notifier: notifier() });
  });
  if (!(await services.faults.delayOrDrop(faultPoint, reply))) return reply;
  const signature = services.faults.take('bad-signature', faultPoint) ? 'wrong' : 'right';
  const text = signedResponse(node, { method, privateKey: services.keys.privateKey, signature });
  return reply.type('text/html;charset=utf-8').send(text);
}

function badGateway(reply: FastifyReply) {
  return reply.code(502).type('text/html;charset=utf-8').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
}

type Node = Readonly<Record<string, string>>;

/** The result of a call, or its error; both with HTTP 200. */
export function resultNode(work: () => Node): Node {
  try {
    return { code: '10000', msg: 'Success', ...work() };
  } catch (error) {
    if (error instanceof AlipayError) return error.node;
    throw error;
  }
}

/**
 * The response with its node, signed over the bytes of the node. Slashes are escaped as `\/`, as by the real gateway: verifying
 * re-serialised JSON fails.
 */
export function signedResponse(
  node: Node,
  { method, privateKey, signature }: { method: string; privateKey: string; signature: 'right' | 'wrong' },
): string {
  const bytes = JSON.stringify(node).replaceAll('/', String.raw`\/`);
  const right = sign('RSA-SHA256', bytes, privateKey);
  const name = /^[\w.]{1,64}$/.test(method) ? `${method.replaceAll('.', '_')}_response` : 'error_response';
  return `{"${name}":${bytes},"sign":"${signature === 'wrong' ? tamperedSignature(right) : right}"}`;
}

const TITLE = { zh: '支付宝没有接受这笔付款', en: 'Alipay did not take this payment' };

/** The error page shown to a buyer whose form was refused. */
export function errorPage(error: AlipayError): PageView {
  return {
    path: '/gateway.do',
    title: TITLE,
    body: (language) => `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<div class="empty framed refused">
${BRIDGE}
<h2><code>${error.subCode}</code></h2>
<p lang="zh-CN">${escapeHtml(error.message)}</p>
</div>
</main>`,
  };
}

/** The signed notification of an event, as a form. */
export function alipayNotification(
  trade: Trade,
  notification: Notification,
  { keys, amount, signature }: Tampering & { keys: AlipayKeys },
): NotificationMessage {
  const refund = trade.refunds.find(({ no }) => no === notification.refund);
  const total = yuan(amount);
  const fields: Record<string, string> = {
    gmt_create: spacedTime(trade.createdAt),
    charset: 'utf-8',
    gmt_payment: spacedTime(trade.paidAt ?? trade.createdAt),
    notify_time: spacedTime(Date.now()),
    subject: trade.subject,
    buyer_id: BUYER.id,
    invoice_amount: total,
    version: '1.0',
    notify_id: notification.id.replaceAll('-', ''),
    fund_bill_list: JSON.stringify([{ amount: total, fundChannel: 'ALIPAYACCOUNT' }]),
    notify_type: 'trade_status_sync',
    out_trade_no: trade.orderNo,
    total_amount: total,
    trade_status: refund && refunded(trade) === trade.amount ? 'TRADE_CLOSED' : 'TRADE_SUCCESS',
    trade_no: trade.tradeNo,
    auth_app_id: keys.appId,
    receipt_amount: total,
    point_amount: '0.00',
    buyer_pay_amount: total,
    app_id: keys.appId,
    seller_id: keys.sellerId,
    ...trade.echo,
  };
  if (refund) {
    fields['gmt_refund'] = `${spacedTime(refund.at)}.000`;
    fields['refund_fee'] = yuan(refunded(trade));
    fields['out_biz_no'] = refund.no;
  }
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'user-agent': 'Mozilla/4.0' },
    body: new URLSearchParams(signedFields(fields, { keys, signature })).toString(),
  };
}

/** The buyer's return URL with the gateway's signed parameters. It does not prove payment. */
export function alipayReturn(trade: Trade, keys: AlipayKeys): string | null {
  if (trade.returnUrl === null) return null;
  const fields = {
    charset: 'utf-8',
    out_trade_no: trade.orderNo,
    method: 'alipay.trade.page.pay.return',
    total_amount: yuan(trade.amount),
    trade_no: trade.tradeNo,
    auth_app_id: keys.appId,
    version: '1.0',
    app_id: keys.appId,
    seller_id: keys.sellerId,
    timestamp: spacedTime(Date.now()),
  };
  const url = new URL(trade.returnUrl);
  const all = signedFields(fields, { keys, signature: 'right' });
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url.href;
}

function signedFields(
  fields: Readonly<Record<string, string>>,
  { keys, signature }: Pick<Tampering, 'signature'> & { keys: AlipayKeys },
): Record<string, string> {
  const joined = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name] ?? ''}`)
    .join('&');
  const right = sign('RSA-SHA256', joined, keys.privateKey);
  return { ...fields, sign_type: 'RSA2', sign: signature === 'wrong' ? tamperedSignature(right) : right };
}
