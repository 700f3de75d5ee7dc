import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { escapeHtml, type PageView, sendPage } from './page.js';
import type { Site } from './sandbox-module.js';
import type { Language } from './language.js';
import { serveBrowserModules } from './browser-modules.js';

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
  {
    call: 'POST /cashier/<orderNo>/pay',
    text: {
      zh: '像扫码付了款一样，网关发出签了名的通知；?notify=0 只付款不通知。没有这个订单 404，已付或已关闭 409',
      en: 'As if the code was scanned and paid: the gateway sends its signed notification; ?notify=0 pays without it. 404 for no such order, 409 when it is paid or closed',
    },
  },
  {
    call: 'GET /cashier',
    text: {
      zh: '支付网关收到的订单，最新的在前；GET /cashier/<orderNo> 只看一笔',
      en: 'Orders that the payment gateways know, newest first; GET /cashier/<orderNo> for one of them',
    },
  },
  {
    call: 'GET /payments/trades?orderNo=<orderNo>',
    text: {
      zh: '网关记下的交易：状态、退款、每一次通知和得到的应答',
      en: 'The trade as its gateway keeps it: state, refunds, every notification with the answers it got',
    },
  },
  {
    call: 'POST /payments/forward {"seconds": 240}',
    text: {
      zh: '让重发通知的时间过去这么多秒，其间该发的都发完才应答；加 "expiry": true 时订单也离超时更近，加 "orderNo" 只管一笔订单',
      en: 'Lets so many seconds pass for the notifications and answers when all that were due have been sent; with "expiry": true orders come nearer to their end as well, with "orderNo" it is for that order alone',
    },
  },
  {
    call: 'POST /payments/faults {"mode": "never-notify", "gateway": "wechat", "count": 1}',
    text: {
      zh: 'mode 可为 none、never-notify、notify-twice、notify-late、wrong-amount、bad-signature、error-5xx、slow、hang、close-connection；gateway、call（pay、query、close、refund、refund-query、certificates）、orderNo 限定范围，count 限定次数，delayMs 是延迟，in（notifications、answers、both）说明错的金额或签名出在哪里。GET 看正在生效的和命中次数',
      en: 'mode is none, never-notify, notify-twice, notify-late, wrong-amount, bad-signature, error-5xx, slow, hang or close-connection; gateway, call (pay, query, close, refund, refund-query, certificates) and orderNo narrow it, count limits it, delayMs is the delay, in (notifications, answers, both) says where the wrong amount or signature stands. GET shows those in force and their hits',
    },
  },
  {
    call: 'POST /vendors/switches {"account": "sandbox-google-1", "fault": {"kind": "error", "times": 2}}',
    text: {
      zh: '让一个翻译账号接下来的译文出错。kind 可为 delay、pace、hang、drop、rate、quota、auth、error、block、empty、count、echo、script、lose、lines、malformed、cut；times 限定次数，ms、status、perSecond 见文档。GET 看全部，DELETE ?account= 关闭',
      en: 'Makes the next translations of one account fail. kind is delay, pace, hang, drop, rate, quota, auth, error, block, empty, count, echo, script, lose, lines, malformed or cut; times limits it, for ms, status and perSecond see the documentation. GET lists them, DELETE ?account= switches off',
    },
  },
  {
    call: 'GET /vendors/calls?account=<account>',
    text: {
      zh: '一个翻译账号收到的请求，最新的在前；DELETE 重新计数',
      en: 'What a translation account was asked, newest first; DELETE counts anew',
    },
  },
  {
    call: 'GET /usdt',
    text: {
      zh: '代替外部的 USDT 付款页，显示收到的参数',
      en: 'Stands for the external USDT page and shows the query it was given',
    },
  },
  {
    call: 'GET /authenticator?name=owner',
    text: {
      zh: '一位演示操作员的密码和此刻的动态码',
      en: 'The password of a demo operator, and its code now',
    },
  },
  { call: 'GET /health', text: { zh: '在运行时回答 {"status":"ok"}', en: 'Answers {"status":"ok"} while running' } },
];

/** The home page: what the sandbox is, with a link to each module. */
export function homePage(site: Site): PageView {
  return { path: '/', title: TITLE, body: (language) => body(site, language) };
}

function body(site: Site, language: Language): string {
  const parts = site.entries.map(
    ({ href, name, purpose }) =>
      `<li><a href="${href}"><b>${name[language]}</b><span>${purpose[language]}</span></a></li>`,
  );
  const calls = CALLS.map(
    ({ call, text }) => `<div><dt><code>${escapeHtml(call)}</code></dt><dd>${escapeHtml(text[language])}</dd></div>`,
  );
  return `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<p class="lead">${LEAD[language]}</p>
<ul class="parts">${parts.join('')}</ul>
<h2>${FOR_TESTS[language]}</h2>
<dl class="calls">${calls.join('')}</dl>
</main>`;
}

/** The style sheets lie beside src and dist, so that one path works for both. They are served concatenated, in this order. */
const STYLES = ['tokens', 'layout', 'buttons', 'reading', 'inbox', 'mail', 'cashier', 'vendors'].map((name) =>
  join(import.meta.dirname, '../../style', `${name}.css`),
);

/** Health check, home page and shared style sheet. */
export function homeRoutes(app: FastifyInstance, site: Site): void {
  const style = STYLES.map((path) => readFileSync(path, 'utf8')).join('');
  serveBrowserModules(app, { path: '/server/browser', folder: join(import.meta.dirname, 'browser') });
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/', (request, reply) => sendPage(request, reply, { site, view: homePage(site) }));
  app.get('/style/sandbox.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style),
  );
}
