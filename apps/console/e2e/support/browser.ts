import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Disposable, type Page } from 'playwright-core';
import { BASE_URL, CHROMIUM, OPERATORS_URL } from './environment.js';

declare global {
  interface Window {
    reportViolation?: (line: string) => void;
    /** Whether a public page has begun to work. */
    isHydrated?: true;
  }
}

/** Runs in every document, including frames and new tabs, before its first byte. */
function listen(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) =>
    window.reportViolation?.([location.pathname, violatedDirective, blockedURI, sourceFile, sample].join(' · ')),
  );
  document.addEventListener('hydrated', () => (window.isHydrated = true));
}

/** Reports content security policy violations of all pages of a browser context. */
async function watchPolicy(context: BrowserContext, report: (line: string) => void): Promise<void> {
  await context.exposeBinding('reportViolation', (_, line: string) => report(line));
  await context.addInitScript(listen);
}

export type Language = 'zh' | 'en';
type Visitor = { context: BrowserContext; page: Page };
type Clearable = Visitor & {
  /** Undoes what is added to every document. */
  undo: Disposable[];
  /** What a test cannot take back: another test needs another page. */
  isSpent: boolean;
};

let browser: Browser | undefined;
/** Pages of the current test. */
let used: Clearable[] = [];
/** Cleared pages: loading a document where one of the same origin was before takes half the time of a new page. */
let idle: Clearable[] = [];
/** Content security policy violations in any page: they fail the test, whatever it is about. */
let violations: string[] = [];

/**
 * A document lives for seconds: optimizing its scripts takes longer than it saves (loading a page takes 20 % less of the processor's time without,
 * axe on it 30 %), and a heap that begins large enough is seldom collected (5 %).
 */
const SHORT_LIVED = '--no-opt --no-maglev --min-semi-space-size=64 --max-semi-space-size=64 --initial-heap-size=512';

/** Long enough for a machine ten times slower than an idle one. */
const TIMEOUT_MS = 40_000;

/** Gives a file or `describe` a browser; the suites of a bundle share one (close-browser.ts closes it). */
export function withBrowser(): void {
  let usedByHooks: Clearable[] = [];
  beforeAll(async () => {
    if (!CHROMIUM || browser?.isConnected()) return;
    idle = [];
    // As root, Chromium refuses to start with its sandbox.
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [`--js-flags=${SHORT_LIVED}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
  });
  beforeEach(() => {
    usedByHooks = [...usedByHooks, ...used];
    used = [];
    violations = [];
  });
  afterEach(async () => {
    await Promise.all(used.splice(0).map(putBack));
    expect(violations).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(usedByHooks.map(putBack));
  });
}

export const closeBrowser = async (): Promise<void> => browser?.close();

/** Hides the first few hundred notices, as if the user had ticked "not again today". */
const NO_NOTICES = { name: 'notices', value: Array.from({ length: 400 }, (_, n) => n + 1).join('.'), url: BASE_URL };

/** Shows notices from the next page load on. */
export const showNotices = (context: BrowserContext): Promise<void> => context.clearCookies({ name: NO_NOTICES.name });

const VIEWPORT = { width: 1440, height: 900 };

/**
 * A page with empty storage in `language`; it resolves paths against BASE_URL. It prefers reduced motion (tested in e2e/motion.e2e.ts), so
 * nothing is clicked while it moves, and hides notices, because journeys run in parallel against one system. After the test it is cleared
 * or closed.
 */
export async function newVisitor(language: Language = 'zh'): Promise<Visitor> {
  const visitor = idle.pop() ?? (await openPage());
  used.push(visitor);
  const { context, page } = visitor;
  await context.addCookies([NO_NOTICES]);
  if (language === 'en') await page.addInitScript(() => localStorage.setItem('language', 'en'));
  return { context, page };
}

async function openPage(): Promise<Clearable> {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ baseURL: BASE_URL, viewport: VIEWPORT, reducedMotion: 'reduce' });
  context.setDefaultTimeout(TIMEOUT_MS);
  await watchPolicy(context, (line) => violations.push(line));
  const page = await context.newPage();
  const visitor: Clearable = { context, page, undo: [], isSpent: false };
  for (const target of [context, page]) {
    const addInitScript = target.addInitScript.bind(target) as Page['addInitScript'];
    target.addInitScript = async (...script: Parameters<typeof addInitScript>) => {
      const added = await addInitScript(...script);
      visitor.undo.push(added);
      return added;
    };
  }
  // A page keeps the clock that was once given to it.
  for (const name of ['install', 'setFixedTime'] as const) {
    const method = page.clock[name].bind(page.clock) as (time?: unknown) => Promise<void>;
    page.clock[name] = (time?: unknown) => {
      visitor.isSpent = true;
      return method(time);
    };
  }
  return visitor;
}

/** Clears the page for another test, or closes it. */
async function putBack(visitor: Clearable): Promise<void> {
  const { context, page, isSpent } = visitor;
  if (isSpent || page.isClosed()) return context.close();
  try {
    await clear(visitor);
    idle.push(visitor);
  } catch {
    await context.close(); // a page that crashed
  }
}

const EVENTS = ['request', 'response', 'requestfailed', 'console', 'download', 'popup'];

async function clear({ context, page, undo }: Clearable): Promise<void> {
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), context.unrouteAll({ behavior: 'ignoreErrors' })]);
  await Promise.all(undo.splice(0).map((added) => added.dispose()));
  for (const event of EVENTS) page.removeAllListeners(event);
  await context.setOffline(false);
  // Another document of the same origin: storage can be cleared there, and nothing fills it again.
  await page.goto('/favicon.svg');
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
    window.name = '';
  });
  await Promise.all([context.clearCookies(), context.clearPermissions()]);
  await page.mouse.move(0, 0);
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    reducedMotion: 'reduce',
    forcedColors: null,
    contrast: null,
  });
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: OPERATORS_URL, storageTypes: 'local_storage' });
  await session.send('Page.resetNavigationHistory');
  await session.detach();
}

/** Returns and clears the violations so far, for journeys that check them themselves. */
export const takeViolations = (): string[] => violations.splice(0);

/** Holds the next requests to `url` until released. `sent`: the first of them has been made. */
export async function holdRequest(page: Page, url: string): Promise<{ sent: Promise<unknown>; release: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = page.waitForRequest(url);
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return { sent, release: resolve };
}

/** A test that needs a browser; skipped with a warning when there is none. */
export const journey: typeof it | typeof it.skip = CHROMIUM ? it : it.skip;

/**
 * For a suite in both languages whose first journey shows its page in each: the others run in one of them, English and Chinese in turn.
 * So none may need what another has left behind.
 */
export function journeysInTurn(language: Language): (name: string, run: () => Promise<void>, ms?: number) => void {
  let turn: Language = 'zh';
  return (name, run, ms) => {
    turn = turn === 'zh' ? 'en' : 'zh';
    if (turn === language) journey(name, run, ms);
  };
}

if (!CHROMIUM)
  process.stderr.write('SKIPPED: no Chromium found (CHROMIUM_PATH, /usr/bin/chromium): browser journeys do not run.\n');
