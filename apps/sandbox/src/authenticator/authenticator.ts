import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Language, wantsPage } from '../server/language.js';
import { escapeHtml, type PageView, sendPage } from '../server/page.js';
import type { SandboxModule } from '../server/sandbox-module.js';

const PERIOD_SECONDS = 30;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A demo operator: what a person would know and what their authenticator app would hold. */
type DemoOperator = { name: string; password: string; secret: string };

const TITLE = { zh: '验证器', en: 'Authenticator' };
const TEXTS = {
  zh: {
    lead: '运营台的演示操作员：密码，以及他们的验证器此刻显示的动态码。每个动态码只能用一次。',
    columns: ['操作员', '密码', '动态码', '剩余'],
    seconds: '秒',
    none: '没有演示操作员：它们由 npm start 创建。',
  },
  en: {
    lead: 'The demo operators: their passwords, and the codes that their authenticator apps show now. Each code works once.',
    columns: ['Operator', 'Password', 'Code', 'Left'],
    seconds: 's',
    none: 'There are no demo operators: npm start creates them.',
  },
};

/** Plays the phones of the demo operators (operators §1): their passwords and current one-time codes. */
export function authenticatorModule(file: string | null): SandboxModule {
  const operators = file === null ? [] : (JSON.parse(readFileSync(file, 'utf8')) as DemoOperator[]);
  return {
    entry: {
      href: '/authenticator',
      name: TITLE,
      purpose: { zh: '演示操作员的密码和动态码', en: 'Passwords and codes of the demo operators' },
    },
    routes: (app, site) => {
      app.get('/authenticator', (request, reply) => {
        void reply.header('cache-control', 'no-store');
        if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: page(operators) });
        const { name } = request.query as { name?: string };
        const found = operators.find((operator) => operator.name === name);
        if (!found) return reply.code(404).send({ error: `no demo operator ${String(name)}` });
        return reply.send(shown(found));
      });
    },
  };
}

type Shown = { name: string; password: string; code: string; secondsLeft: number };

function shown({ name, password, secret }: DemoOperator): Shown {
  const seconds = Math.floor(Date.now() / 1000);
  return { name, password, code: totp(secret, seconds), secondsLeft: PERIOD_SECONDS - (seconds % PERIOD_SECONDS) };
}

/** The one-time code of a base32 secret (RFC 6238, SHA-1, six digits). `seconds`: since 1970. */
export function totp(secret: string, seconds: number): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / PERIOD_SECONDS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const page = (operators: readonly DemoOperator[]): PageView => ({
  path: '/authenticator',
  title: TITLE,
  // Codes change every half minute.
  head: '<meta http-equiv="refresh" content="5">',
  body: (language) => body(operators.map(shown), language),
});

function body(rows: readonly Shown[], language: Language): string {
  const { lead, columns, seconds, none } = TEXTS[language];
  const head = columns.map((name) => `<th scope="col">${name}</th>`).join('');
  const lines = rows.map(
    ({ name, password, code, secondsLeft }) =>
      `<tr><th scope="row">${escapeHtml(name)}</th><td><code>${escapeHtml(password)}</code></td><td><code>${code}</code></td><td>${secondsLeft} ${seconds}</td></tr>`,
  );
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
  return `<main id="main" class="reading">
<h1>${TITLE[language]}</h1>
<p class="lead">${lead}</p>
${rows.length === 0 ? `<p>${none}</p>` : table}
</main>`;
}
