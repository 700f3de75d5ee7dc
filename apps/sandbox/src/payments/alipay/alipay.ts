import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendPage } from '../../shell/page.js';
import type { Site } from '../../shell/part.js';
import { cashierAddress } from '../cashier-address.js';
import type { PaymentGateway } from '../gateway.js';
import type { AlipayKeys } from '../gateway-keys.js';
import type { Notifier } from '../notifier.js';
import type { Moment, PaymentFaults } from '../payment-faults.js';
import { fieldIn, type TradeStore } from '../trade-store.js';
import { nodeOf, signedAnswer } from './alipay-answer.js';
import { ALIPAY_CALLS } from './alipay-calls.js';
import { AlipayError } from './alipay-error.js';
import { alipayNotice, alipayReturn } from './alipay-notice.js';
import { pagePay } from './alipay-page-pay.js';
import { refusedPage } from './alipay-refused-page.js';
import { businessOf, checkParameters, readParameters, type ReadParameters } from './alipay-request.js';

/** 4m 10m 10m 1h 2h 6h 15h. */
const SCHEDULE = [240, 600, 600, 3600, 7200, 21_600, 54_000] as const;

const PAGE_PAY = 'alipay.trade.page.pay';

interface AlipayWorld {
  readonly keys: AlipayKeys;
  readonly store: TradeStore;
  readonly faults: PaymentFaults;
  readonly notifier: () => Notifier;
}

/** Alipay's open platform, gateway version 2: one address, the method is a parameter. */
export function alipayGateway(keys: AlipayKeys, around: Omit<AlipayWorld, 'keys'>): PaymentGateway {
  const world: AlipayWorld = { ...around, keys };
  return {
    name: 'alipay',
    schedule: SCHEDULE,
    routes(scope, site) {
      scope.route({
        method: ['GET', 'POST'],
        url: '/gateway.do',
        handler: async (request, reply) => {
          const asked = readAsked(request, world);
          if (world.faults.meet('error-5xx', asked.moment)) return brokenDown(reply);
          return asked.method === PAGE_PAY
            ? answerBuyer(reply, { asked, world, site })
            : answerMerchant(reply, { asked, world });
        },
      });
    },
    message: (trade, notification, disguise) => alipayNotice(trade, notification, { ...disguise, keys }),
    returnAddress: (trade) => alipayReturn(trade, keys),
    accepts: ({ status, body }) => status === 200 && body === 'success',
  };
}

interface Asked {
  readonly read: ReadParameters;
  readonly method: string;
  readonly moment: Moment;
}

function readAsked(request: FastifyRequest, { store }: AlipayWorld): Asked {
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
  return { read, method, moment: { gateway: 'alipay', call, orderNo } };
}

async function answerBuyer(
  reply: FastifyReply,
  { asked, world, site }: { asked: Asked; world: AlipayWorld; site: Site },
) {
  const { request } = reply;
  const send = () => {
    try {
      checkParameters(asked.read, world.keys);
      const { parameters } = asked.read;
      const trade = pagePay(businessOf(parameters), parameters, world.store);
      return () => reply.redirect(cashierAddress(request, trade.orderNo), 302);
    } catch (error) {
      if (!(error instanceof AlipayError)) throw error;
      return () => sendPage(request, reply.code(400), { site, view: refusedPage(error) });
    }
  };
  const sent = send();
  return (await world.faults.underway(asked.moment, reply)) ? sent() : reply;
}

async function answerMerchant(reply: FastifyReply, { asked, world }: { asked: Asked; world: AlipayWorld }) {
  const { method, moment, read } = asked;
  const node = nodeOf(() => {
    checkParameters(read, world.keys);
    const row = ALIPAY_CALLS[method];
    if (!row) throw new AlipayError('isv.invalid-method');
    const disguised = world.faults.meet('wrong-amount', moment) ? 1 : 0;
    const { store, notifier } = world;
    return row.work({ business: businessOf(read.parameters), disguised, store, notifier: notifier() });
  });
  if (!(await world.faults.underway(moment, reply))) return reply;
  const signature = world.faults.meet('bad-signature', moment) ? 'wrong' : 'right';
  const text = signedAnswer(node, { method, privateKey: world.keys.privateKey, signature });
  return reply.type('text/html;charset=utf-8').send(text);
}

function brokenDown(reply: FastifyReply) {
  return reply.code(502).type('text/html;charset=utf-8').send('<html><body><h1>502 Bad Gateway</h1></body></html>');
}
