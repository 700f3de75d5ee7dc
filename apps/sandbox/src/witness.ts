import type { FastifyInstance } from 'fastify';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxConfig } from './server/config.js';
import { wantsPage } from './server/language.js';
import { type PageView, sendPage } from './server/page.js';
import type { SandboxModule } from './server/sandbox-module.js';

/** A close of the ledger, as it was posted. */
type Posted = {
  readonly number: number;
  readonly date: string;
  readonly root: string;
  readonly [field: string]: unknown;
};

const CLOSE = {
  type: 'object',
  required: ['number', 'date', 'root'],
  properties: { number: { type: 'integer', minimum: 1 }, date: { type: 'string' }, root: { type: 'string' } },
} as const;

/** An outside witness of the ledger's daily closes: keeps the first copy of each and never another. */
export function witnessModule(config: SandboxConfig): SandboxModule {
  const file = config.dataDir === null ? null : join(config.dataDir, 'witness.jsonl');
  const closes = new Map<number, Posted>();
  return {
    entry: {
      href: '/witness',
      name: { zh: '见证人', en: 'Witness' },
      purpose: { zh: '账本每日日结的外部副本', en: 'Outside copies of the ledger’s daily closes' },
    },
    routes: (app, site) => routes(app, { closes, file, page: { site, view: page(closes) } }),
    start: async () => {
      const text = file === null ? '' : await readFile(file, 'utf8').catch(() => '');
      for (const line of text.split('\n').filter(Boolean)) {
        const close = JSON.parse(line) as Posted;
        closes.set(close.number, close);
      }
    },
  };
}

type Kept = {
  readonly closes: Map<number, Posted>;
  readonly file: string | null;
  readonly page: { readonly site: Parameters<SandboxModule['routes']>[1]; readonly view: PageView };
};

function routes(app: FastifyInstance, { closes, file, page: shown }: Kept): void {
  app.get('/witness', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, shown);
    return reply.send([...closes.values()]);
  });
  app.post<{ Body: Posted }>('/witness', { schema: { body: CLOSE } }, async (request, reply) => {
    const known = closes.get(request.body.number);
    if (known) return reply.code(isSame(known, request.body) ? 200 : 409).send(known);
    closes.set(request.body.number, request.body);
    if (file !== null) await appendFile(file, `${JSON.stringify(request.body)}\n`, { mode: 0o600 });
    return reply.code(201).send(request.body);
  });
}

const isSame = (one: Posted, other: Posted): boolean => JSON.stringify(one) === JSON.stringify(other);

const TEXTS = {
  zh: {
    title: '见证人',
    about: '收到的第一份副本，此后不再改变。',
    none: '还没有日结。',
    date: '日期',
    root: 'Merkle 根',
  },
  en: {
    title: 'Witness',
    about: 'The first copy of each close that arrived. It never changes.',
    none: 'No close yet.',
    date: 'Date',
    root: 'Merkle root',
  },
} as const;

/** Posted by anybody, so only what looks like a date and a hash is shown. */
const cell = (value: unknown, pattern: RegExp): string => (pattern.test(String(value)) ? String(value) : '–');

function page(closes: ReadonlyMap<number, Posted>): PageView {
  return {
    path: '/witness',
    title: { zh: TEXTS.zh.title, en: TEXTS.en.title },
    head: '',
    body: (language) => {
      const texts = TEXTS[language];
      const rows = [...closes.values()]
        .toReversed()
        .map(
          ({ number, date, root }) =>
            `<tr><td>${cell(number, /^\d{1,9}$/)}</td><td>${cell(date, /^[\d-]{10}$/)}</td><td><code>${cell(root, /^[\da-f]{64}$/)}</code></td></tr>`,
        );
      const table = `<table class="framed"><thead><tr><th>#</th><th>${texts.date}</th><th>${texts.root}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
      return `<main id="main"><h1>${texts.title}</h1><p>${texts.about}</p>${rows.length === 0 ? `<p>${texts.none}</p>` : table}</main>`;
    },
  };
}
