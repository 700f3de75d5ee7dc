import { escaped } from '../shell/escaped.js';
import type { PageView } from '../shell/page.js';

const TITLE = { zh: 'USDT 付款', en: 'Paying in USDT' };
const ABOUT = {
  zh: '这一页代替外部的 USDT 付款页，只照原样显示它收到的参数。',
  en: 'This page stands for the external USDT page. It shows what it was given, as text.',
};
const NOTHING = { zh: '没有参数。', en: 'It was given nothing.' };

/** Shows the query it was opened with. */
export function usdtPage(query: URLSearchParams): PageView {
  const rows = [...query].map(
    ([name, value]) => `<div><dt><code>${escaped(name)}</code></dt><dd>${escaped(value)}</dd></div>`,
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
