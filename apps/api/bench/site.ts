/** Loading times on a cheap phone: the built site from the real API, in a browser with throttled network and processor. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { prepare } from '../src/operator/prepare.js';
import { loadConfig } from '../src/platform/config.js';
import { startServer } from './child.js';
import { apiEnv } from './sign-in.js';
import { median, overRounds, some, targetLine, type Report, type Settings, type Target } from './targets.js';
import type { EntryType, PerformanceEntry } from 'node:perf_hooks';

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

/**
 * `paint`: the largest contentful paint, ms after the click. `shift`: the sum of all layout shifts. `blocked`: the time beyond
 * 50 ms of each long task after the first paint ("total blocking time").
 */
type Visit = { paint: number; shift: number; blocked: number; bytes: Readonly<Record<string, number>> };
type Language = 'zh' | 'en';

/** Slow 4G as browser tools define it: bytes per second, and latency in ms. */
const NETWORK = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const PHONE = { width: 412, height: 823 };
/** How long after loading the page is measured. */
const SETTLE_MS = 4_000;
const TIMEOUT_MS = 60_000;
const LONG_MS = 50;

type Task = { startTime: number; duration: number };
type Seen = { first: number; paint: number; shift: number; tasks: Task[] };

/** Runs in the page before its own scripts. */
function watch(): void {
  const seen: Seen = { first: Infinity, paint: 0, shift: 0, tasks: [] };
  Object.assign(globalThis, { seen });
  const on = (type: string, each: (entry: PerformanceEntry & { value: number }) => void): void =>
    new PerformanceObserver((list) =>
      list.getEntries().forEach((entry) => each(entry as Parameters<typeof each>[0])),
    ).observe({ type: type as EntryType, buffered: true });
  on('paint', ({ startTime }) => (seen.first = Math.min(seen.first, startTime)));
  on('largest-contentful-paint', ({ startTime }) => (seen.paint = startTime));
  on('layout-shift', ({ value }) => (seen.shift += value));
  on('longtask', ({ startTime, duration }) => seen.tasks.push({ startTime, duration }));
}

/** `settle`: the share of SETTLE_MS to wait. */
async function visit(
  browser: Browser,
  url: string,
  { language, settle }: { language: Language; settle: number },
): Promise<Visit> {
  const phone = { viewport: PHONE, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
  const person = await browser.newContext({ ...phone, locale: language === 'zh' ? 'zh-CN' : 'en-US' });
  try {
    await person.addCookies([{ name: 'language', value: language, url }]);
    const page = await person.newPage();
    const session = await person.newCDPSession(page);
    const bytes = await countBytes(session);
    await session.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK });
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: 'load', timeout: TIMEOUT_MS });
    await page.waitForTimeout(SETTLE_MS * settle);
    const { paint, shift, ...seen } = await seenOn(page);
    return { paint, shift, blocked: blockedBy(seen), bytes: Object.fromEntries(bytes) };
  } finally {
    await person.close();
  }
}

/** Tasks before the first paint do not count: they delay the paint itself. */
const blockedBy = ({ first, tasks }: Pick<Seen, 'first' | 'tasks'>): number =>
  tasks
    .map(({ startTime, duration }) => Math.min(duration, startTime + duration - first))
    .reduce((sum, duration) => sum + Math.max(0, duration - LONG_MS), 0);

const seenOn = (page: Page): Promise<Seen> => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);

/** Transferred bytes by resource type, headers included. */
async function countBytes(session: CDPSession): Promise<Map<string, number>> {
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'other';
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await session.send('Network.enable');
  return bytes;
}
