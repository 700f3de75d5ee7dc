/** One visit of a page with a cheap phone on slow 4G: empty cache, 150 ms per request, a quarter of the processor speed. */
import type { EntryType, PerformanceEntry } from 'node:perf_hooks';
import type { Browser, CDPSession, Page } from 'playwright-core';

/**
 * `paint`: the largest contentful paint, ms after the click. `shift`: the sum of all layout shifts. `blocked`: the time beyond
 * 50 ms of each long task after the first paint ("total blocking time").
 */
export type Visit = { paint: number; shift: number; blocked: number; bytes: Readonly<Record<string, number>> };
export type Language = 'zh' | 'en';

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
export async function visit(
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
