import type { FastifyReply } from 'fastify';
import type { SandboxConfig } from '../shell/config.js';
import type { Part } from '../shell/part.js';
import { alipayGateway } from './alipay/alipay.js';
import { Cashier } from './cashier.js';
import { cashierRoutes, pagesWithoutGateways } from './cashier-routes.js';
import type { PaymentGateway } from './gateway.js';
import { readGatewayKeys, type GatewayKeys } from './gateway-keys.js';
import { lianlianGateway } from './lianlian/lianlian.js';
import { Notifier } from './notifier.js';
import { PaymentFaults } from './payment-faults.js';
import { alipayStatement, wechatStatement } from './statements.js';
import { switchRoutes } from './switch-routes.js';
import { TradeFile } from './trade-file.js';
import { TradeStore } from './trade-store.js';
import { GATEWAYS, type GatewayName, type Trade } from './trade.js';
import { wechatGateway } from './wechat/wechat.js';

/** Bytes of a request to a gateway. */
const MOST_BYTES = 64 * 1024;

/** The payment gateways and their cashier. Without keys no order can reach them, and the cashier says so. */
export function paymentsPart(config: SandboxConfig): Part {
  const keys = readGatewayKeys(config.gatewaysFile);
  const world = keys && openWorld(config, keys);
  return {
    entry: {
      href: '/cashier',
      name: { zh: '收银台', en: 'Cashier' },
      purpose: { zh: '等待付款的订单', en: 'Orders waiting for payment' },
    },
    routes(app, site) {
      pagesWithoutGateways(app, site, world ? 'connected' : 'unconnected');
      if (!world) return;
      switchRoutes(app, world);
      void app.register((scope, _options, done) => {
        // What is signed are the bytes as they came; and whoever pays need not say anything.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, parsed) => {
          parsed(null, body);
        });
        for (const name of GATEWAYS) world.gateways[name].routes(scope, site);
        // What a merchant downloads from the pages of a gateway; of all orders, or of those that are named.
        const of = (name: GatewayName, query: unknown) => {
          const { orderNo } = query as { orderNo?: string | string[] };
          const isMeant = ({ gateway, ...trade }: Trade) =>
            gateway === name && (orderNo === undefined || [orderNo].flat().includes(trade.orderNo));
          return world.store.list().filter(isMeant);
        };
        const csv = (reply: FastifyReply, name: string, bytes: Buffer) =>
          reply.header('content-disposition', `attachment; filename="${name}.csv"`).type('text/csv').send(bytes);
        scope.get('/payments/alipay-statement', ({ query }, reply) =>
          csv(reply, 'alipay', alipayStatement(of('alipay', query), keys?.alipay.sellerId ?? '')),
        );
        scope.get('/payments/wechat-statement', ({ query }, reply) =>
          csv(reply, 'wechat', wechatStatement(of('wechat', query), keys?.wechat ?? { appId: '', mchId: '' })),
        );
        cashierRoutes(scope, { site, ...world });
        done();
      });
    },
    start: () => Promise.resolve(world?.notifier.start()),
    stop: () => world?.notifier.stop() ?? Promise.resolve(),
  };
}

function openWorld(config: SandboxConfig, keys: GatewayKeys) {
  const store = new TradeStore(config.dataDir === null ? null : new TradeFile(config.dataDir));
  const faults = new PaymentFaults();
  const around = { store, faults, notifier: (): Notifier => notifier };
  const gateways: Readonly<Record<GatewayName, PaymentGateway>> = {
    alipay: alipayGateway(keys.alipay, around),
    lianlian: lianlianGateway(keys.lianlian, around),
    wechat: wechatGateway(keys.wechat, around),
  };
  const notifier = new Notifier(store, gateways, faults);
  return { store, faults, gateways, notifier, cashier: new Cashier(store, notifier, gateways) };
}
