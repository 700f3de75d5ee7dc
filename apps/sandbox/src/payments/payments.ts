import type { Part } from '../part.js';
import type { Bilingual } from '../site/language.js';
import { sendPage, type PageView } from '../site/page.js';

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
<svg viewBox="0 0 160 64" fill="none" aria-hidden="true"><path d="M24 40a56 34 0 0 1 112 0M8 40h144"/><path class="water" d="M0 48h160"/></svg>
<h2>${NOTHING[language]}</h2>
<p>${WHY[language]}</p>
</div>
</main>`,
};

/** The payment gateways and their cashier. No gateway stands here yet, so no order can reach it and the page says so. */
export function paymentsPart(): Part {
  return {
    entry: {
      href: '/cashier',
      name: TITLE,
      purpose: { zh: '等待付款的订单', en: 'Orders waiting for payment' },
    },
    routes(app, site) {
      app.get('/cashier', (request, reply) => sendPage(request, reply, { site, view: PAGE }));
    },
  };
}
