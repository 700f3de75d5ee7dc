import type { FastifyReply, FastifyInstance } from 'fastify';
import type { SandboxConfig } from '../server/config.js';
import type { SandboxModule } from '../server/sandbox-module.js';
import { alipayGateway } from './alipay/alipay.js';
import { Cashier } from './cashier.js';
import { cashierRoutes, staticPages } from './cashier-routes.js';
import type { PaymentGateway } from './gateway.js';
import { readGatewayKeys, type GatewayKeys } from './gateway-keys.js';
import { lianlianGateway } from './lianlian/lianlian.js';
import { Notifier } from './notifier.js';
import { PaymentFaults, FAULT_BODY, type FaultSwitch } from './payment-faults.js';
import { alipayStatement, wechatStatement } from './statements.js';
import { TradeFile, TradeStore } from './trade-store.js';
import { GATEWAYS, type GatewayName, type Trade } from './trade.js';
import { wechatGateway } from './wechat/wechat.js';

/** Bytes of a request to a gateway. */
const MAX_BYTES = 64 * 1024;

/** The payment gateways and their cashier. Without keys no order can reach them, and the cashier says so. */
export function paymentsModule(config: SandboxConfig): SandboxModule {
  const keys = readGatewayKeys(config.gatewaysFile);
  const services = keys && openGateways(config, keys);
  return {
    entry: {
      href: '/cashier',
      name: { zh: '收银台', en: 'Cashier' },
      purpose: { zh: '等待付款的订单', en: 'Orders waiting for payment' },
    },
    routes(app, site) {
      staticPages(app, site, services ? 'connected' : 'unconnected');
      if (!services) return;
      switchRoutes(app, services);
      void app.register((scope, _options, done) => {
        // What is signed are the bytes as they came; and whoever pays need not say anything.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) => {
          parsed(null, body);
        });
        for (const name of GATEWAYS) services.gateways[name].routes(scope, site);
        // What a merchant downloads from the pages of a gateway; of all orders, or of those that are named.
        const of = (name: GatewayName, query: unknown) => {
          const { orderNo } = query as { orderNo?: string | string[] };
          const isMeant = ({ gateway, ...trade }: Trade) =>
            gateway === name && (orderNo === undefined || [orderNo].flat().includes(trade.orderNo));
          return services.store.list().filter(isMeant);
        };
        const csv = (reply: FastifyReply, name: string, bytes: Buffer) =>
          reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv').send(bytes);
        scope.get('/payments/alipay-statement', ({ query }, reply) =>
          csv(reply, 'alipay', alipayStatement(of('alipay', query), keys?.alipay.sellerId ?? '')),
        );
        scope.get('/payments/wechat-statement', ({ query }, reply) =>
          csv(reply, 'wechat', wechatStatement(of('wechat', query), keys?.wechat ?? { appId: '', mchId: '' })),
        );
        cashierRoutes(scope, { site, ...services });
        done();
      });
    },
    start: () => Promise.resolve(services?.notifier.start()),
    stop: () => services?.notifier.stop() ?? Promise.resolve(),
  };
}

function openGateways(config: SandboxConfig, keys: GatewayKeys) {
  const store = new TradeStore(config.dataDir === null ? null : new TradeFile(config.dataDir));
  const faults = new PaymentFaults();
  const shared = { store, faults, notifier: (): Notifier => notifier };
  const gateways: Readonly<Record<GatewayName, PaymentGateway>> = {
    alipay: alipayGateway(keys.alipay, shared),
    lianlian: lianlianGateway(keys.lianlian, shared),
    wechat: wechatGateway(keys.wechat, shared),
  };
  const notifier = new Notifier(store, gateways, faults);
  return { store, faults, gateways, notifier, cashier: new Cashier(store, notifier, gateways) };
}

/** Longest time that may be let pass at once, in seconds: a month. */
const LONGEST = 31 * 24 * 3600;

const FORWARD_BODY = {
  type: 'object',
  required: ['seconds'],
  additionalProperties: false,
  properties: {
    seconds: { type: 'integer', minimum: 0, maximum: LONGEST },
    expiry: { type: 'boolean' },
    orderNo: { type: 'string', minLength: 1, maxLength: 64 },
  },
} as const;

/** `expiry`: the end of what waits comes nearer too. `orderNo`: for this order only. */
interface Forward {
  readonly seconds: number;
  readonly expiry?: boolean;
  readonly orderNo?: string;
}

/** What tests turn and read: failures, time, and every trade with its notifications. */
export function switchRoutes(
  app: FastifyInstance,
  { store, faults, notifier }: { store: TradeStore; faults: PaymentFaults; notifier: Notifier },
): void {
  app.get('/payments/faults', () => faults.state);
  app.post<{ Body: FaultSwitch }>('/payments/faults', { schema: { body: FAULT_BODY } }, (request) =>
    faults.set(request.body),
  );
  app.post<{ Body: Forward }>(
    '/payments/forward',
    { schema: { body: FORWARD_BODY } },
    async ({ body: { seconds, expiry, orderNo } }) => {
      if (expiry) store.hasten(seconds * 1000, orderNo);
      return { sent: await notifier.forward(seconds * 1000, orderNo) };
    },
  );
  app.get('/payments/trades', (request) => {
    const { orderNo } = request.query as { orderNo?: string };
    return store.list(orderNo);
  });
}
