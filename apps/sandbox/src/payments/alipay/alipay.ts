import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage, escapeHtml, BRIDGE, type PageView } from '../../server/page.js';
import type { Site } from '../../server/sandbox-module.js';
import { cashierAddress } from '../cashier.js';
import type { PaymentGateway } from '../gateway.js';
import type { AlipayKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { FaultPoint, PaymentFaults } from '../payment-faults.js';
import { fieldIn, type TradeStore } from '../trade-store.js';
import { sign, tamperedSignature } from '../rsa.js';
import { ALIPAY_CALLS, pagePay } from './alipay-calls.js';
import { AlipayError } from './alipay-error.js';
import { alipayNotification, alipayReturn } from './alipay-notifications.js';
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

/** Alipay's open platform, gateway version 2: one address, the method is a parameter. */
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
          const asked = readAsked(request, services);
          if (services.faults.meet('error-5xx', asked.faultPoint)) return brokenDown(reply);
          return asked.method === PAGE_PAY
            ? answerBuyer(reply, { asked, services, site })
            : answerMerchant(reply, { asked, services });
        },
      });
    },
    message: (trade, notification, tampering) => alipayNotification(trade, notification, { ...tampering, keys }),
    returnAddress: (trade) => alipayReturn(trade, keys),
    accepts: ({ status, body }) => status === 200 && body === 'success',
  };
}

interface Asked {
  readonly read: ReadParameters;
  readonly method: string;
  readonly faultPoint: FaultPoint;
}

function readAsked(request: FastifyRequest, { store }: AlipayServices): Asked {
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

async function answerBuyer(
  reply: FastifyReply,
  { asked, services, site }: { asked: Asked; services: AlipayServices; site: Site },
) {
  const { request } = reply;
  const send = () => {
    try {
      checkParameters(asked.read, services.keys);
      const { parameters } = asked.read;
      const trade = pagePay(businessOf(parameters), parameters, services.store);
      return () => reply.redirect(cashierAddress(request, trade.orderNo), 302);
    } catch (error) {
      if (!(error instanceof AlipayError)) throw error;
      return () => sendPage(request, reply.code(400), { site, view: refusedPage(error) });
    }
  };
  const sent = send();
  return (await services.faults.underway(asked.faultPoint, reply)) ? sent() : reply;
}

async function answerMerchant(reply: FastifyReply, { asked, services }: { asked: Asked; services: AlipayServices }) {
  const { method, faultPoint, read } = asked;
  const node = nodeOf(() => {
    checkParameters(read, services.keys);
    const row = ALIPAY_CALLS[method];
    if (!row) throw new AlipayError('isv.invalid-method');
    const amountError = services.faults.meet('wrong-amount', faultPoint) ? 1 : 0;
    const { store, notifier } = services;
    return row.work({ business: businessOf(read.parameters), amountError, store, notifier: notifier() });
  });
  if (!(await services.faults.underway(faultPoint, reply))) return reply;
  const signature = services.faults.meet('bad-signature', faultPoint) ? 'wrong' : 'right';
  const text = signedAnswer(node, { method, privateKey: services.keys.privateKey, signature });
  return reply.type('text/html;charset=utf-8').send(text);
}

function brokenDown(reply: FastifyReply) {
  return reply.code(502).type('text/html;charset=utf-8').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
}

type Node = Readonly<Record<string, string>>;

/** What the work answers, or why it was refused: both are answered with HTTP 200. */
export function nodeOf(work: () => Node): Node {
  try {
    return { code: '10000', msg: 'Success', ...work() };
  } catch (error) {
    if (error instanceof AlipayError) return error.node;
    throw error;
  }
}

/**
 * The answer around its node, signed over the very bytes of the node. Slashes are written `\/`, as the real gateway does: whoever
 * verifies what a parser wrote anew will fail.
 */
export function signedAnswer(
  node: Node,
  { method, privateKey, signature }: { method: string; privateKey: string; signature: 'right' | 'wrong' },
): string {
  const bytes = JSON.stringify(node).replaceAll('/', String.raw`\/`);
  const right = sign('RSA-SHA256', bytes, privateKey);
  const name = /^[\w.]{1,64}$/.test(method) ? `${method.replaceAll('.', '_')}_response` : 'error_response';
  return `{"${name}":${bytes},"sign":"${signature === 'wrong' ? tamperedSignature(right) : right}"}`;
}

const TITLE = { zh: '支付宝没有接受这笔付款', en: 'Alipay did not take this payment' };

/** What a buyer sees whose browser brought a form that the gateway refuses. */
export function refusedPage(error: AlipayError): PageView {
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
