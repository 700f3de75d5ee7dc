import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { serveBrowserModules } from '../server/browser-modules.js';
import { type Bilingual, type Language, wantsPage } from '../server/language.js';
import { BRIDGE, escapeHtml, type PageView, sendPage } from '../server/page.js';
import type { Site } from '../server/sandbox-module.js';
import type { CashierNotice, CashierRow } from './browser/cashier-row.js';
import { CASHIER_TEXTS } from './browser/cashier-texts.js';
import { type Cashier, CashierError } from './cashier.js';
import type { TradeStore } from './trade-store.js';
import { type Notification, refunded, type Trade } from './trade.js';

/** Orders listed, newest first. */
const MAX_LISTED = 200;

type OrderRequest = FastifyRequest<{ Params: { orderNo: string } }>;

/** The pages that need no gateway: the USDT page, and the cashier without gateways. */
export function staticPages(app: FastifyInstance, site: Site, connected: 'connected' | 'unconnected'): void {
  app.get('/usdt', (request, reply) => {
    const { search } = new URL(request.url, 'http://localhost');
    return sendPage(request, reply, { site, view: usdtPage(new URLSearchParams(search)) });
  });
  if (connected === 'connected') return;
  app.get('/cashier', (request, reply) => sendPage(request, reply, { site, view: UNCONNECTED_PAGE }));
}

/** The cashier (decisions §8): pages for browsers, JSON for other clients. */
export function cashierRoutes(
  app: FastifyInstance,
  { site, cashier, store }: { site: Site; cashier: Cashier; store: TradeStore },
): void {
  // A restarted sandbox counts from zero again; the random part keeps an old ETag from matching new contents.
  const runId = randomBytes(6).toString('hex');

  app.get('/cashier', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: ORDERS_PAGE });
    const tag = `"${runId}-${store.version}"`;
    void reply.headers({ etag: tag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Language' });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.send(
      store
        .list()
        .slice(0, MAX_LISTED)
        .map((trade) => cashierRow(trade, cashier)),
    );
  });
  app.get('/cashier/:orderNo', (request: OrderRequest, reply) => {
    if (wantsPage(request.headers.accept)) {
      // The page polls, because the order may still arrive.
      const status = store.list(request.params.orderNo).length > 0 ? 200 : 404;
      return sendPage(request, reply.code(status), { site, view: ORDER_PAGE });
    }
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
    return sendOrError(reply, () => cashierRow(cashier.find(request.params.orderNo), cashier));
  });
  app.post('/cashier/:orderNo/pay', (request: OrderRequest, reply) =>
    sendOrError(reply, () => {
      const { orderNo } = request.params;
      const { notify } = request.query as { notify?: string };
      const trade = notify === '0' ? cashier.paySilently(orderNo) : cashier.pay(orderNo);
      return { orderNo, state: trade.state, tradeNo: trade.tradeNo, returnUrl: cashier.returnAddress(trade) };
    }),
  );
  serveBrowserModules(app, { path: '/payments/browser', folder: join(import.meta.dirname, 'browser') });
}

function sendOrError(reply: FastifyReply, work: () => object) {
  try {
    return reply.send(work());
  } catch (error) {
    if (error instanceof CashierError) return reply.code(error.status).send({ error: error.message });
    throw error;
  }
}

const text = (time: number) => new Date(time).toISOString();
const textOrNull = (time: number | null) => (time === null ? null : text(time));

/** A trade as the cashier shows it. */
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

const script = (name: string) => `<script type="module" src="/payments/browser/${name}.js"></script>`;
const inBothLanguages = (name: 'title' | 'orderTitle'): Bilingual => ({
  zh: CASHIER_TEXTS.zh[name],
  en: CASHIER_TEXTS.en[name],
});

/** The shell of the order list; browser modules fetch the orders and render them. */
export const ORDERS_PAGE: PageView = {
  path: '/cashier',
  title: inBothLanguages('title'),
  head: script('cashier-list'),
  body: (language) => {
    const texts = CASHIER_TEXTS[language];
    return `<main id="main" class="reading cashier">
<div class="cashier-head"><div><h1>${texts.title}</h1><p class="lead">${texts.about}</p></div><p class="live" id="live" role="status"></p></div>
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<p id="faults" class="framed faults" hidden><span>${texts.faults}</span><code id="fault-names"></code><button id="faults-off" type="button" class="quiet">${texts.faultsOff}</button></p>
<section id="waiting" hidden><h2>${texts.waiting}</h2><ul class="orders"></ul></section>
<section id="done" hidden><h2>${texts.done}</h2><ul class="orders"></ul><p class="more" hidden>${texts.doneMore}</p></section>
<div id="none" hidden>${empty(texts.empty, texts.emptyWhy)}</div>
</main>`;
  },
};

/** The shell of one order; its number is in the URL. */
export const ORDER_PAGE: PageView = {
  path: '/cashier',
  title: inBothLanguages('orderTitle'),
  head: script('cashier-order'),
  body: (language) => {
    const texts = CASHIER_TEXTS[language];
    const row = (id: string, name: string, value: string) =>
      `<div id="${id}-row"><dt>${name}</dt><dd>${value}</dd></div>`;
    return `<main id="main" class="reading pay">
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<section id="order" hidden>
<p class="pay-state" id="state"></p>
<h1 id="amount"></h1>
<dl class="facts">
${row('door', texts.gateway, '<span id="door"></span>')}
${row('merchant', texts.merchant, texts.merchantName)}
${row('order-no', texts.orderNo, '<code id="order-no"></code>')}
${row('subject', texts.subject, '<span id="subject"></span>')}
${row('left', texts.left, '<span id="left"></span>')}
</dl>
<p class="pay-said" id="said" role="status"></p>
<div class="actions">
<button id="pay" type="button" class="primary">${texts.pay}</button>
<button id="silently" type="button" class="quiet">${texts.paySilently}</button>
<a id="back" class="primary" hidden>${texts.back}</a>
<a id="leave" class="leave" href="/cashier">${texts.cancel}</a>
</div>
<section id="notices" class="notices" hidden><h2>${texts.notices}</h2><ul id="notice-list"></ul></section>
</section>
<div id="unknown" hidden>${empty(texts.unknown, texts.unknownWhy)}</div>
</main>`;
  },
};

/** Shown when the gateways have no keys. */
export const UNCONNECTED_PAGE: PageView = {
  path: '/cashier',
  title: inBothLanguages('title'),
  body: (language: Language) => {
    const texts = CASHIER_TEXTS[language];
    return `<main id="main" class="reading">
<h1>${texts.title}</h1>
${empty(texts.unconnected, texts.unconnectedWhy)}
</main>`;
  },
};

function empty(title: string, why: string): string {
  return `<div class="empty framed">${BRIDGE}<h2>${title}</h2><p>${why}</p></div>`;
}

const TITLE = { zh: 'USDT 付款', en: 'Paying in USDT' };
const ABOUT = {
  zh: '这一页代替外部的 USDT 付款页，只照原样显示它收到的参数。',
  en: 'This page stands for the external USDT page. It shows what it was given, as text.',
};
const NOTHING = { zh: '没有参数。', en: 'It was given nothing.' };

/** Shows its query parameters. */
export function usdtPage(query: URLSearchParams): PageView {
  const rows = [...query].map(
    ([name, value]) => `<div><dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return {
    path: '/usdt',
    title: TITLE,
    body: (language) => `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<p class="lead">${ABOUT[language]}</p>
${rows.length > 0 ? `<dl class="calls">${rows.join('')}</dl>` : `<p>${NOTHING[language]}</p>`}
</main>`,
  };
}
