/** Loading times on a cheap phone: the built site from the real API, in a browser with throttled network and processor. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { chromium, type Browser } from 'playwright-core';
import { prepare } from '../src/operator/prepare.js';
import { loadConfig } from '../src/platform/config.js';
import { startServer } from './child.js';
import { apiEnv } from './sign-in.js';
import { visit, type Language, type Visit } from './site-visit.js';
import { median, overRounds, some, targetLine, type Report, type Settings, type Target } from './targets.js';

/** A page in one language, with its visits. */
type PageVisits = { name: string; path: string; language: Language; visits: Visit[] };

const PAGES = ['/home', '/price'].flatMap((page) =>
  (['zh', 'en'] as const).map((language) => ({ name: `${page} ${language}`, path: page, language })),
);
const WEB_DIR = path.resolve(import.meta.dirname, '../../../console/dist');
const LEAST_ROUNDS = 5;

const GATES = [
  { name: 'largest paint', of: (visit: Visit) => visit.paint, gate: 2_000, unit: ' ms' },
  { name: 'layout shift', of: (visit: Visit) => visit.shift, gate: 0.02, unit: '' },
  { name: 'main thread blocked', of: (visit: Visit) => visit.blocked, gate: 150, unit: ' ms' },
] as const;

/** Needs REDIS_URL, the built site and CHROMIUM_PATH. Without a browser nothing is measured, and the report says so. */
export async function benchSite({ server, rounds, scale, log }: Settings): Promise<Report> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const pages = PAGES.slice(0, some(PAGES.length, scale)).map((page): PageVisits => ({ ...page, visits: [] }));
  if (executablePath)
    await onSite(server, async (url) => {
      const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
      try {
        await visitAll({ browser, url, pages, rounds: Math.max(rounds, some(LEAST_ROUNDS, scale)), scale, log });
      } finally {
        await browser.close();
      }
    });
  else log('no Chromium (CHROMIUM_PATH): nothing was measured');
  return report(pages);
}

type Visits = {
  browser: Browser;
  url: string;
  pages: PageVisits[];
  rounds: number;
  scale: number;
  log: Settings['log'];
};

/** The first round is not counted: it warms up browser and API. */
async function visitAll({ browser, url, pages, rounds, scale, log }: Visits): Promise<void> {
  for (let round = 0; round <= rounds; round++)
    for (const page of pages) {
      const found = await visit(browser, url + page.path, { language: page.language, settle: scale });
      if (round === 0) continue;
      page.visits.push(found);
      const { paint, shift, blocked } = found;
      log(
        `round ${round}, ${page.name}: paint ${Math.round(paint)} ms · shift ${shift.toFixed(4)} · blocked ${Math.round(blocked)} ms`,
      );
    }
}

/** Runs the API on a new database with the product's seed data. */
async function onSite(server: string, use: (url: string) => Promise<void>): Promise<void> {
  const name = `bench_site_${randomUUID().replaceAll('-', '')}`;
  const database = new URL(server);
  database.pathname = `/${name}`;
  const env = apiEnv(database.href, { WEB_DIR, LOG_LEVEL: 'warn' });
  await prepare(loadConfig(env), false);
  const api = await startServer('http-server', env, ['vendors']);
  try {
    await use(api.url);
  } finally {
    await api.stop();
    const admin = new MikroORM(
      defineConfig({ clientUrl: server, entities: [], discovery: { warnWhenNoEntities: false } }),
    );
    await admin.schema.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.close(true);
  }
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function report(pages: readonly PageVisits[]): Report {
  const targets = pages.flatMap(({ name, visits }) =>
    GATES.map(({ name: figure, of, gate, unit }): Target =>
      overRounds(visits.map(of), { name: `${name}, ${figure}`, kind: 'below', gate, unit }),
    ),
  );
  const weights = pages.map(({ name, visits }) => ({ name, bytes: weightOf(visits) }));
  const text = [
    '',
    'slow 4G (150 ms, 1.6 Mbit/s down, 0.75 up), a processor 4 times slower, nothing cached, medians',
    ...targets.map(targetLine),
    '',
    'over the wire',
    ...weights.map(
      ({ name, bytes }) =>
        `  ${name.padEnd(12)}${Object.entries(bytes)
          .map(([kind, size]) => `  ${kind} ${kB(size)}`)
          .join('')}`,
    ),
  ].join('\n');
  return { text, json: { pages, weights }, targets };
}

/** Medians by kind, and of the sum. */
function weightOf(visits: readonly Visit[]): Record<string, number> {
  const kinds = [...new Set(visits.flatMap(({ bytes }) => Object.keys(bytes)))].toSorted();
  const all = visits.map(({ bytes }) => Object.values(bytes).reduce((sum, size) => sum + size, 0));
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, median(visits.map(({ bytes }) => bytes[kind] ?? 0))])),
    ...(visits.length > 0 ? { all: median(all) } : {}),
  };
}
