import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { watchPolicy } from './content-policy.js';
import { BASE_URL, CHROMIUM } from './places.js';

export type Language = 'zh' | 'en';

let browser: Browser | undefined;
/** Who came since the test began: they leave with it. Whoever a `beforeAll` brought stays until the browser closes. */
let people: BrowserContext[] = [];
/** What the content security policy refused in any page of theirs: a fault of the page or of the policy, whatever the journey is about. */
let refused: string[] = [];

/** For whatever must be there: long enough for a machine ten times slower than a quiet one. */
const PATIENCE_MS = 40_000;

/** One browser for the file; called at the top of a file or `describe`. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (!CHROMIUM) return;
    // As root Chromium refuses to start its own sandbox.
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  });
  beforeEach(() => {
    people = [];
    refused = [];
  });
  afterEach(async () => {
    await Promise.all(people.map((person) => person.close()));
    expect(refused).toEqual([]);
  });
  afterAll(async () => browser?.close());
}

/** Notices that the person does not want to see today, as if the box had been ticked: the first few hundred there will ever be. */
const NO_NOTICES = { name: 'notices', value: Array.from({ length: 400 }, (_, n) => n + 1).join('.'), url: BASE_URL };

/** From the next page on, notices appear to this person. */
export const showNotices = (person: BrowserContext): Promise<void> => person.clearCookies({ name: NO_NOTICES.name });

/**
 * A person's browser: empty storage, speaking `language`; pages resolve paths against BASE_URL. The person asks for less motion, which
 * the product honours (e2e/motion.e2e.ts): nothing is clicked while it moves. Journeys run side by side against one system, and a notice
 * that one of them publishes stands in the way of no other one. It closes by itself when the test is over.
 */
export async function newPerson(language: Language = 'zh'): Promise<{ person: BrowserContext; page: Page }> {
  if (!browser) throw new Error('no browser');
  const viewport = { width: 1440, height: 900 };
  const person = await browser.newContext({ baseURL: BASE_URL, viewport, reducedMotion: 'reduce' });
  people.push(person);
  person.setDefaultTimeout(PATIENCE_MS);
  await watchPolicy(person, (line) => refused.push(line));
  await person.addCookies([NO_NOTICES]);
  if (language === 'en') await person.addInitScript(() => localStorage.setItem('language', 'en'));
  return { person, page: await person.newPage() };
}

/** What the policy has refused so far, for a journey that judges it itself. */
export const takeRefused = (): string[] => refused.splice(0);

/** A test that needs a browser; without one it is skipped, loudly. */
export const journey: typeof it | typeof it.skip = CHROMIUM ? it : it.skip;
if (!CHROMIUM)
  process.stderr.write('SKIPPED: no Chromium found (CHROMIUM_PATH, /usr/bin/chromium): browser journeys do not run.\n');
