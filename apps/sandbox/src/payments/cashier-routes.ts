import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveBrowserModules } from '../server/browser-modules.js';
import { wantsPage } from '../server/language.js';
import { sendPage } from '../server/page.js';
import type { Site } from '../server/sandbox-module.js';
import { CashierRefused, type Cashier } from './cashier.js';
import { ORDER_PAGE, ORDERS_PAGE, UNCONNECTED_PAGE, usdtPage } from './cashier-pages.js';
import type { TradeStore } from './trade-store.js';
import type { CashierNotice, CashierRow } from './browser/cashier-row.js';
import { refunded, type Notification, type Trade } from './trade.js';

/** Orders listed, newest first. */
const MAX_LISTED = 200;

type OfOrder = FastifyRequest<{ Params: { orderNo: string } }>;

/** The pages that need no gateway: the USDT page, and the cashier that says that none stands here. */
export function staticPages(app: FastifyInstance, site: Site, connected: 'connected' | 'unconnected'): void {
  app.get('/usdt', (request, reply) => {
    const { search } = new URL(request.url, 'http://localhost');
    return sendPage(request, reply, { site, view: usdtPage(new URLSearchParams(search)) });
  });
  if (connected === 'connected') return;
  app.get('/cashier', (request, reply) => sendPage(request, reply, { site, view: UNCONNECTED_PAGE }));
}

/** Where a buyer pays (decisions §8): pages for browsers, JSON for everything else. */
export function cashierRoutes(
  app: FastifyInstance,
  { site, cashier, store }: { site: Site; cashier: Cashier; store: TradeStore },
): void {
  // A restarted sandbox counts from zero again; the random part keeps an old tag from matching new contents.
  const run = randomBytes(6).toString('hex');

  app.get('/cashier', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: ORDERS_PAGE });
    const tag = `"${run}-${store.version}"`;
    void reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Language' });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.send(
      store
        .list()
        .slice(0, MAX_LISTED)
        .map((trade) => cashierRow(trade, cashier)),
    );
  });
  app.get('/cashier/:orderNo', (request: OfOrder, reply) => {
    if (wantsPage(request.headers.accept)) {
      // The page looks again by itself: an order may still come.
      const status = store.list(request.params.orderNo).length > 0 ? 200 : 404;
      return sendPage(request, reply.code(status), { site, view: ORDER_PAGE });
    }
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
    return answered(reply, () => cashierRow(cashier.find(request.params.orderNo), cashier));
  });
  app.post('/cashier/:orderNo/pay', (request: OfOrder, reply) =>
    answered(reply, () => {
      const { orderNo } = request.params;
      const { notify } = request.query as { notify?: string };
      const trade = notify === '0' ? cashier.paySilently(orderNo) : cashier.pay(orderNo);
      return { orderNo, state: trade.state, tradeNo: trade.tradeNo, returnUrl: cashier.returnAddress(trade) };
    }),
  );
  serveBrowserModules(app, { path: '/payments/browser', folder: join(import.meta.dirname, 'browser') });
}

function answered(reply: FastifyReply, work: () => object) {
  try {
    return reply.send(work());
  } catch (error) {
    if (error instanceof CashierRefused) return reply.code(error.status).send({ error: error.message });
    throw error;
  }
}

const text = (time: number) => new Date(time).toISOString();
const textOrNull = (time: number | null) => (time === null ? null : text(time));

/** What the cashier shows of a trade. */
export function cashierRow(trade: Trade, cashier: Cashier): CashierRow {
  const { orderNo, gateway, wallet, subject, amount, state } = trade;
  return {
    orderNo,
    gateway,
    wallet,
    subject,
    amount,
    refunded: refunded(trade),
    state,
    createdAt: text(trade.createdAt),
    expiresAt: textOrNull(trade.expiresAt),
    paidAt: textOrNull(trade.paidAt),
    returnUrl: state === 'paid' ? cashier.returnAddress(trade) : null,
    notifications: trade.notifications.map(noticeRow),
  };
}

function noticeRow({ event, state, dueAt, tries }: Notification): CashierNotice {
  return {
    event,
    state,
    dueAt: textOrNull(dueAt),
    tries: tries.map(({ at, status, answer }) => ({ at: text(at), status, answer })),
  };
}
