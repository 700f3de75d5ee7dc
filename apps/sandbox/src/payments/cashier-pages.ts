import type { Bilingual, Language } from '../server/language.js';
import { BRIDGE, type PageView, escapeHtml } from '../server/page.js';
import { CASHIER_TEXTS } from './browser/cashier-texts.js';

const script = (name: string) => `<script type="module" src="/payments/browser/${name}.js"></script>`;
const both = (name: 'title' | 'orderTitle'): Bilingual => ({ zh: CASHIER_TEXTS.zh[name], en: CASHIER_TEXTS.en[name] });

/** The frame of the orders. No order is in it: the browser modules fetch them and build every node themselves. */
export const ORDERS_PAGE: PageView = {
  path: '/cashier',
  title: both('title'),
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

/** The frame of one order; its number is in the address. */
export const ORDER_PAGE: PageView = {
  path: '/cashier',
  title: both('orderTitle'),
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

/** Without keys no gateway stands here. */
export const UNCONNECTED_PAGE: PageView = {
  path: '/cashier',
  title: both('title'),
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

/** Shows the query it was opened with. */
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
