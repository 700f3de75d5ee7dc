/**
 * Loading times: public pages on a cheap phone (throttled network and processor), and the console's first page on a bad line. The built site
 * from the real API, nothing cached.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { prepare } from '../src/operator/prepare.js';
import { loadConfig } from '../src/platform/config.js';
import { startServer } from './child.js';
import { apiEnv, signIn, type SignedIn } from './sign-in.js';
import { median, overRounds, some, targetLine, type Report, type Settings, type Target } from './targets.js';
import type { EntryType, PerformanceEntry } from 'node:perf_hooks';

/** A page in one language, with its visits. */
type PageVisits = { name: string; path: string; language: Language; visits: Visit[] };

const PAGES = ['/home', '/price'].flatMap((page) =>
  (['zh', 'en'] as const).map((language) => ({ name: `${page} ${language}`, path: page, language })),
);
/** The console's first page, opened by the demo member in one language, with its visits. */
type ConsoleVisits = { name: string; language: Language; visits: ConsoleVisit[] };
const CONSOLE = '/UserCenterIndex';
const CONSOLES = (['zh', 'en'] as const).map((language) => ({ name: `${CONSOLE} ${language}`, language }));
const WEB_DIR = path.resolve(import.meta.dirname, '../../../console/dist');
const LEAST_ROUNDS = 5;

const GATES = [
  { name: 'largest paint', of: (visit: Visit) => visit.paint, gate: 2_000, unit: ' ms' },
  { name: 'layout shift', of: (visit: Visit) => visit.shift, gate: 0.02, unit: '' },
  { name: 'main thread blocked', of: (visit: Visit) => visit.blocked, gate: 150, unit: ' ms' },
] as const;

const CONSOLE_GATES = [
  { name: 'skeleton', of: (visit: ConsoleVisit) => visit.skeleton, kind: 'below', gate: 2_000, unit: ' ms' },
  { name: 'usable', of: (visit: ConsoleVisit) => visit.usable, kind: 'at most', gate: 8_000, unit: ' ms' },
  { name: 'requests', of: (visit: ConsoleVisit) => visit.requests, kind: 'at most', gate: 25, unit: '' },
  {
    name: 'over the wire',
    of: (visit: ConsoleVisit) => totalOf(visit) / 1_000,
    kind: 'at most',
    gate: 450,
    unit: ' kB',
  },
] as const;

/** Needs REDIS_URL, the built site and CHROMIUM_PATH. Without a browser nothing is measured, and the report says so. */
export async function benchSite({ server, rounds, scale, log }: Settings): Promise<Report> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const pages = PAGES.slice(0, some(PAGES.length, scale)).map((page): PageVisits => ({ ...page, visits: [] }));
  const consoles = CONSOLES.slice(0, some(CONSOLES.length, scale)).map((one): ConsoleVisits => ({
    ...one,
    visits: [],
  }));
  if (executablePath)
    await onSite(server, async (url, member) => {
      const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
      try {
        await visitAll({ browser, url, pages, rounds: Math.max(rounds, some(LEAST_ROUNDS, scale)), scale, log });
        await visitConsoles({ browser, url, member, consoles, rounds, scale, log });
      } finally {
        await browser.close();
      }
    });
  else log('no Chromium (CHROMIUM_PATH): nothing was measured');
  return report(pages, consoles);
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

type Consoles = Omit<Visits, 'pages'> & { member: SignedIn; consoles: ConsoleVisits[] };

async function visitConsoles({ browser, url, member, consoles, rounds, scale, log }: Consoles): Promise<void> {
  for (let round = 0; round <= rounds; round++)
    for (const { name, language, visits } of consoles) {
      const found = await openConsole(browser, url, { member, language, settle: scale });
      if (round === 0) continue;
      visits.push(found);
      const [skeleton, usable] = [Math.round(found.skeleton), Math.round(found.usable)];
      log(
        `round ${round}, ${name}: skeleton ${skeleton} ms · usable ${usable} ms · ${found.requests} requests · ${kB(totalOf(found))}`,
      );
    }
}

/** Runs the API on a new database with the product's seed data and the demo member signed in. */
async function onSite(server: string, use: (url: string, member: SignedIn) => Promise<void>): Promise<void> {
  const name = `bench_site_${randomUUID().replaceAll('-', '')}`;
  const database = new URL(server);
  database.pathname = `/${name}`;
  const env = apiEnv(database.href, { WEB_DIR, LOG_LEVEL: 'warn' });
  await prepare(loadConfig(env), { demo: true, history: false });
  const api = await startServer('http-server', env, ['vendors']);
  try {
    await use(api.url, await demoMember(database.href));
  } finally {
    await api.stop();
    const admin = new MikroORM(
      defineConfig({ clientUrl: server, entities: [], discovery: { warnWhenNoEntities: false } }),
    );
    await admin.schema.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.close(true);
  }
}

async function demoMember(databaseUrl: string): Promise<SignedIn> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      "SELECT user_id AS id FROM identity WHERE kind = 'username' AND unique_key = 'demo'",
    );
    const [member] = await signIn(owner, [Number(rows[0]?.id)]);
    if (!member) throw new Error('no demo member');
    return member;
  } finally {
    await owner.end();
  }
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function report(pages: readonly PageVisits[], consoles: readonly ConsoleVisits[]): Report {
  const targets = pages.flatMap(({ name, visits }) =>
    GATES.map(({ name: figure, of, gate, unit }): Target =>
      overRounds(visits.map(of), { name: `${name}, ${figure}`, kind: 'below', gate, unit }),
    ),
  );
  const ofConsole = consoles.flatMap(({ name, visits }) =>
    CONSOLE_GATES.map(({ name: figure, of, ...gate }): Target =>
      overRounds(visits.map(of), { name: `${name}, ${figure}`, ...gate }),
    ),
  );
  const weights = [...pages, ...consoles].map(({ name, visits }) => ({ name, bytes: weightOf(visits) }));
  const text = [
    '',
    'slow 4G (150 ms, 1.6 Mbit/s down, 0.75 up), a processor 4 times slower, nothing cached, medians',
    ...targets.map(targetLine),
    '',
    'a bad line (400 ms, 400 kbit/s both ways), signed in, nothing cached, medians',
    ...ofConsole.map(targetLine),
    '',
    'over the wire',
    ...weights.map(
      ({ name, bytes }) =>
        `  ${name.padEnd(20)}${Object.entries(bytes)
          .map(([kind, size]) => `  ${kind} ${kB(size)}`)
          .join('')}`,
    ),
  ].join('\n');
  return { text, json: { pages, consoles, weights }, targets: [...targets, ...ofConsole] };
}

/** Medians by kind, and of the sum. */
function weightOf(visits: readonly Weighed[]): Record<string, number> {
  const kinds = [...new Set(visits.flatMap(({ bytes }) => Object.keys(bytes)))].toSorted();
  const all = visits.map(totalOf);
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, median(visits.map(({ bytes }) => bytes[kind] ?? 0))])),
    ...(visits.length > 0 ? { all: median(all) } : {}),
  };
}

/**
 * `paint`: the largest contentful paint, ms after the click. `shift`: the sum of all layout shifts. `blocked`: the time beyond
 * 50 ms of each long task after the first paint ("total blocking time").
 */
type Visit = Weighed & { paint: number; shift: number; blocked: number };
type Weighed = { bytes: Readonly<Record<string, number>> };
/** `skeleton`: the first paint; `usable`: the page with its figures, nothing in the first screen waits any more; ms. */
type ConsoleVisit = Weighed & { skeleton: number; usable: number; requests: number };
const totalOf = ({ bytes }: Weighed): number => Object.values(bytes).reduce((sum, size) => sum + size, 0);

type Language = 'zh' | 'en';

/** Slow 4G as browser tools define it: bytes per second, and latency in ms. */
const NETWORK = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** A bad line: 400 kbit/s. */
const BAD_LINE = { latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
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

/** Opens the console with the session in the tab's storage, as after signing in. */
async function openConsole(
  browser: Browser,
  url: string,
  { member, language, settle }: { member: SignedIn; language: Language; settle: number },
): Promise<ConsoleVisit> {
  const person = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true });
  try {
    await person.addCookies([{ name: 'language', value: language, url }]);
    const page = await person.newPage();
    const session = await person.newCDPSession(page);
    let requests = 0;
    session.on('Network.requestWillBeSent', () => requests++);
    const bytes = await countBytes(session);
    await session.send('Network.emulateNetworkConditions', { offline: false, ...BAD_LINE });
    await page.addInitScript(watch);
    await page.addInitScript(({ sk, userId }) => {
      sessionStorage.setItem('sk', sk);
      sessionStorage.setItem('userId', String(userId));
    }, member);
    await page.goto(url + CONSOLE, { waitUntil: 'commit', timeout: TIMEOUT_MS });
    const usable = await page.waitForFunction(usableAt, undefined, { timeout: TIMEOUT_MS });
    const at = await usable.jsonValue();
    await page.waitForTimeout(SETTLE_MS * settle);
    const { first } = await seenOn(page);
    return { skeleton: first, usable: Number(at), requests, bytes: Object.fromEntries(bytes) };
  } finally {
    await person.close();
  }
}

type Part = { getBoundingClientRect: () => { top: number } };
type Screen = {
  innerHeight: number;
  document: { querySelector: (part: string) => Part | null; querySelectorAll: (part: string) => Iterable<Part> };
};

/** Runs in the page: the moment at which the overview has its heading and figures, and no skeleton within the first screen. */
function usableAt(): number | false {
  const { document, innerHeight } = globalThis as unknown as Screen;
  const waits = [...document.querySelectorAll('.skeleton')].some(
    (one) => one.getBoundingClientRect().top < innerHeight,
  );
  return document.querySelector('main h1') !== null && !waits && performance.now();
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
