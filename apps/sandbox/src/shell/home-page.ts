import type { Site } from './part.js';
import type { Language } from './language.js';
import type { PageView } from './page.js';

const TITLE = { zh: '外面的世界', en: 'The outside world' };
const LEAD = {
  zh: '产品向外发出的一切，在开发时都到这里为止：走真实的协议，不离开这台机器。',
  en: 'Whatever the product sends out stops here during development: real protocols, and nothing leaves this machine.',
};
const FOR_TESTS = { zh: '给测试用的接口', en: 'For tests' };

const CALLS: readonly { call: string; text: Record<Language, string> }[] = [
  {
    call: 'GET /mail?to=<address>',
    text: {
      zh: '收到的邮件，最新的在前；浏览器打开是收件箱页面，其他客户端得到 JSON',
      en: 'Mails received, newest first; a page in a browser, JSON for everything else',
    },
  },
  {
    call: 'DELETE /mail',
    text: { zh: '清空收件箱；加 ?to= 只清一个地址', en: 'Empties the inbox; with ?to= only one address' },
  },
  {
    call: 'POST /mail/faults {"mode": "refuse", "count": 2}',
    text: {
      zh: '接下来两封信被暂时拒收。mode 可为 none、refuse、slow（delayMs 毫秒后才应答）',
      en: 'The next two mails are refused for now. mode is none, refuse or slow (answers after delayMs)',
    },
  },
  { call: 'GET /health', text: { zh: '在运行时回答 {"status":"ok"}', en: 'Answers {"status":"ok"} while running' } },
];

/** The first page: what the sandbox is, and a way to each of its parts. */
export function homePage(site: Site): PageView {
  return { path: '/', title: TITLE, body: (language) => body(site, language) };
}

function body(site: Site, language: Language): string {
  const parts = site.entries.map(
    ({ href, name, purpose }) =>
      `<li><a href="${href}"><b>${name[language]}</b><span>${purpose[language]}</span></a></li>`,
  );
  const calls = CALLS.map(
    ({ call, text }) => `<div><dt><code>${call.replace('<', '&lt;')}</code></dt><dd>${text[language]}</dd></div>`,
  );
  return `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<p class="lead">${LEAD[language]}</p>
<ul class="parts">${parts.join('')}</ul>
<h2>${FOR_TESTS[language]}</h2>
<dl class="calls">${calls.join('')}</dl>
</main>`;
}
