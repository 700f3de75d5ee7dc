import type { FastifyInstance, FastifyReply } from 'fastify';

import type { Bilingual } from '../shell/language.js';
import { BRIDGE, sendPage, type PageView } from '../shell/page.js';
import type { Site } from '../shell/part.js';
import { CashierRefused, type Cashier } from './cashier.js';
import type { TradeStore } from './trade-store.js';

const TITLE: Bilingual = { zh: '收银台', en: 'Cashier' };
const NOTHING: Bilingual = { zh: '没有等待付款的订单', en: 'No orders are waiting for payment' };
const WHY: Bilingual = {
  zh: '这里只列出送到沙箱支付网关的订单，目前一笔也没有。',
  en: 'Only orders sent to the payment gateways of this sandbox are listed here; so far there are none.',
};

const PAGE: PageView = {
  path: '/cashier',
  title: TITLE,
  body: (language) => `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<div class="empty framed">
${BRIDGE}
<h2>${NOTHING[language]}</h2>
<p>${WHY[language]}</p>
</div>
</main>`,
};

/** Where a buyer pays: pages for browsers, JSON for everything else. */
export function cashierRoutes(
  app: FastifyInstance,
  { site, cashier }: { site: Site; cashier: Cashier | null; store: TradeStore | null },
): void {
  app.get('/cashier', (request, reply) => sendPage(request, reply, { site, view: PAGE }));
  if (!cashier) return;
  app.post<{ Params: { orderNo: string } }>('/cashier/:orderNo/pay', (request, reply) =>
    answered(reply, () => {
      const { notify } = request.query as { notify?: string };
      const { orderNo } = request.params;
      const trade = notify === '0' ? cashier.paySilently(orderNo) : cashier.pay(orderNo);
      return { orderNo, state: trade.state, tradeNo: trade.tradeNo, returnUrl: cashier.returnAddress(trade) };
    }),
  );
}

function answered(reply: FastifyReply, work: () => object) {
  try {
    return work();
  } catch (error) {
    if (error instanceof CashierRefused) return reply.code(error.status).send({ error: error.message });
    throw error;
  }
}
