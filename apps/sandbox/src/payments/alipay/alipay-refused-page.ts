import { escaped } from '../../shell/escaped.js';
import { BRIDGE, type PageView } from '../../shell/page.js';
import type { AlipayError } from './alipay-error.js';

const TITLE = { zh: '支付宝没有接受这笔付款', en: 'Alipay did not take this payment' };

/** What a buyer sees whose browser brought a form that the gateway refuses. */
export function refusedPage(error: AlipayError): PageView {
  return {
    path: '/gateway.do',
    title: TITLE,
    body: (language) => `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<div class="empty framed refused">
${BRIDGE}
<h2><code>${error.subCode}</code></h2>
<p lang="zh-CN">${escaped(error.message)}</p>
</div>
</main>`,
  };
}
