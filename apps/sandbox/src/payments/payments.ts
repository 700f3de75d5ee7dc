import type { Part } from '../shell/part.js';
import type { Bilingual } from '../shell/language.js';
import { BRIDGE, sendPage, type PageView } from '../shell/page.js';

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
