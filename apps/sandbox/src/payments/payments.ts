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
import { setTradeTime } from './trade-clock.js';
import { TradeFile, TradeStore } from './trade-store.js';
import { GATEWAYS, type GatewayName, type Trade } from './trade.js';
import { wechatGateway } from './wechat/wechat.js';

/** Maximum body size of a request. */
const MAX_BYTES = 64 * 1024;

/** The payment gateways and their cashier. Without keys only a notice is served. */
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
        // Signatures need the raw bytes, and paying needs no body.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) => {
          parsed(null, body);
        });
        for (const name of GATEWAYS) services.gateways[name].routes(scope, site);
        // Statements that a merchant downloads from a gateway, of all or of selected orders.
        const tradesOf = (name: GatewayName, query: unknown) => {
          const { orderNo } = query as { orderNo?: string | string[] };
          const isSelected = ({ gateway, ...trade }: Trade) =>
            gateway === name && (orderNo === undefined || [orderNo].flat().includes(trade.orderNo));
          return services.store.list().filter(isSelected);
        };
        const csv = (reply: FastifyReply, name: string, bytes: Buffer) =>
          reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv').send(bytes);
        scope.get('/payments/alipay-statement', ({ query }, reply) =>
          csv(reply, 'alipay', alipayStatement(tradesOf('alipay', query), keys?.alipay.sellerId ?? '')),
        );
        scope.get('/payments/wechat-statement', ({ query }, reply) =>
          csv(reply, 'wechat', wechatStatement(tradesOf('wechat', query), keys?.wechat ?? { appId: '', mchId: '' })),
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

/** Maximum step of time, in seconds: a month. */
const MAX_FORWARD_SECONDS = 31 * 24 * 3600;

const FORWARD_BODY = {
  type: 'object',
  required: ['seconds'],
  additionalProperties: false,
  properties: {
    seconds: { type: 'integer', minimum: 0, maximum: MAX_FORWARD_SECONDS },
    expiry: { type: 'boolean' },
    orderNo: { type: 'string', minLength: 1, maxLength: 64 },
  },
} as const;

/** `expiry`: also bring the expiry of waiting orders forward. `orderNo`: for this order only. */
interface Forward {
  readonly seconds: number;
  readonly expiry?: boolean;
  readonly orderNo?: string;
}

const CLOCK_BODY = {
  type: 'object',
  required: ['at'],
  additionalProperties: false,
  properties: { at: { type: ['integer', 'null'], minimum: 0 } },
} as const;

/** Test controls: faults, time, and every trade with its notifications. */
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
      if (expiry) store.bringExpiryForward(seconds * 1000, orderNo);
      return { sent: await notifier.forward(seconds * 1000, orderNo) };
    },
  );
  app.post<{ Body: { at: number | null } }>('/payments/clock', { schema: { body: CLOCK_BODY } }, ({ body: { at } }) => {
    setTradeTime(at);
    return { at };
  });
  app.get('/payments/trades', (request) => {
    const { orderNo } = request.query as { orderNo?: string };
    return store.list(orderNo);
  });
}
