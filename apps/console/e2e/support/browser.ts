import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { BASE_URL, CHROMIUM } from './environment.js';

declare global {
  interface Window {
    reportViolation?: (line: string) => void;
  }
}

/** Runs in every document, including frames and new tabs, before its first byte. */
function listen(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) =>
    window.reportViolation?.([location.pathname, violatedDirective, blockedURI, sourceFile, sample].join(' · ')),
  );
}

/** Reports content security policy violations of all pages of a browser context. */
async function watchPolicy(context: BrowserContext, report: (line: string) => void): Promise<void> {
  await context.exposeBinding('reportViolation', (_, line: string) => report(line));
  await context.addInitScript(listen);
}

export type Language = 'zh' | 'en';

let browser: Browser | undefined;
/** Contexts opened by the current test and closed after it; those opened in `beforeAll` stay until the browser closes. */
let contexts: BrowserContext[] = [];
/** Content security policy violations in any page: they fail the test, whatever it is about. */
let violations: string[] = [];

/** Long enough for a machine ten times slower than an idle one. */
const TIMEOUT_MS = 40_000;

/** Launches one browser for the file; call it at the top of a file or `describe`. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (!CHROMIUM) return;
    // As root, Chromium refuses to start with its sandbox.
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });
  beforeEach(() => {
    contexts = [];
    violations = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    expect(violations).toEqual([]);
  });
  afterAll(async () => browser?.close());
}

/** Hides the first few hundred notices, as if the user had ticked "not again today". */
const NO_NOTICES = { name: 'notices', value: Array.from({ length: 400 }, (_, n) => n + 1).join('.'), url: BASE_URL };

/** Shows notices from the next page load on. */
export const showNotices = (context: BrowserContext): Promise<void> => context.clearCookies({ name: NO_NOTICES.name });

/**
 * A browser context with empty storage in `language`; pages resolve paths against BASE_URL. It prefers reduced motion (tested in
 * e2e/motion.e2e.ts), so nothing is clicked while it moves, and hides notices, because journeys run in parallel against one system. It is
 * closed after the test.
 */
export async function newVisitor(language: Language = 'zh'): Promise<{ context: BrowserContext; page: Page }> {
  if (!browser) throw new Error('no browser');
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: BASE_URL, viewport, reducedMotion: 'reduce' });
  contexts.push(context);
  context.setDefaultTimeout(TIMEOUT_MS);
  await watchPolicy(context, (line) => violations.push(line));
  await context.addCookies([NO_NOTICES]);
  if (language === 'en') await context.addInitScript(() => localStorage.setItem('language', 'en'));
  return { context, page: await context.newPage() };
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
if (!CHROMIUM)
  process.stderr.write('SKIPPED: no Chromium found (CHROMIUM_PATH, /usr/bin/chromium): browser journeys do not run.\n');
