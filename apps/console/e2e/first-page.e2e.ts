/** The console's first page on a bad line: what it fetches, what stands there before, and that nobody else fetches it (docs/decisions/0054). */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { BASE_URL, CHROMIUM } from './support/environment.js';
import { postAs } from './support/api.js';
import { withFamily } from './support/families.js';
import { openPageAs } from './support/members.js';

const MOST_REQUESTS = 25;
const MOST_BYTES = 450_000;
const SETTLE_MS = 1_500;

/** Counts requests and transferred bytes, nothing cached. */
async function countTraffic(page: Page): Promise<{ requests: string[]; bytes: () => number }> {
  const session = await page.context().newCDPSession(page);
  const requests: string[] = [];
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return { requests, bytes: () => bytes };
}

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { x, y, width } = element.getBoundingClientRect();
    const { paddingLeft, paddingTop, backgroundColor } = getComputedStyle(element);
    return { x, y, width, paddingLeft, paddingTop, backgroundColor };
  });

// Nobody else moves its balance, which would make the page read again what it has.
const family = withFamily();
beforeAll(async () => {
  if (CHROMIUM) await postAs(family.main, '/translation/text', { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
});

describe.each(['zh', 'en'] as const)('the first page of the console in %s', (lang) => {
  withBrowser();

  journey.each(['light', 'dark'] as const)('comes with 25 requests and 450 kB at most, %s', async (colorScheme) => {
    const page = await openPageAs(family.main, lang);
    await page.emulateMedia({ colorScheme });
    const { requests, bytes } = await countTraffic(page);
    await page.goto('/UserCenterIndex');
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
    await page.waitForTimeout(SETTLE_MS);
    expect([requests.length <= MOST_REQUESTS, requests]).toEqual([true, requests]);
    expect(new Set(requests).size).toBe(requests.length); // none twice
    expect(bytes()).toBeGreaterThan(200_000); // otherwise something was not counted
    expect(bytes()).toBeLessThanOrEqual(MOST_BYTES);
  });

  journey.each([1440, 1100, 768, 390])('takes the place of its outline without a shift at %i', async (width) => {
    const page = await openPageAs(family.main, lang);
    await page.setViewportSize({ width, height: 900 });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/UserCenterIndex');
    const outline = [await boxOf(page, '.first-load-top'), await boxOf(page, '.first-load-main')];
    await page.unroute('**/assets/*.js');
    await page.goto('/UserCenterIndex');
    await page.locator('main h1').waitFor();
    const [topBar, content] = [await boxOf(page, '.top-bar'), await boxOf(page, '.shell-content')];
    expect(outline[0]).toEqual({ ...topBar, paddingLeft: '0px' });
    expect(outline[1]).toEqual(content);
  });

  journey('is not fetched by visitors: they come to the login form, and back after signing in', async () => {
    const { page } = await newVisitor(lang);
    const { requests } = await countTraffic(page);
    await page.goto('/UserCenterOrder?page=2');
    await page.waitForURL('**/login?type=1');
    await page.locator('form').first().waitFor();
    const paths = requests.map((url) => new URL(url).pathname);
    expect(paths.slice(0, 2)).toEqual(['/UserCenterOrder', '/login']);
    expect(paths.filter((path) => /\/assets\/(console|locale|overview|orders|parts|libraries)-/.test(path))).toEqual(
      [],
    );
    const cookies = await page.context().cookies(page.url());
    expect(cookies.find(({ name }) => name === 'way-back')?.value).toBe(encodeURIComponent('/UserCenterOrder?page=2'));
  });
});

describe('the first answer of the console', () => {
  withBrowser();

  journey.each(['light', 'dark'] as const)('is its outline before any script, %s', async (scheme) => {
    const { page } = await newVisitor('zh');
    await page.emulateMedia({ colorScheme: scheme });
    // Everything but the document is held back: a slow line.
    await page.route('**/*', (route) =>
      route.request().resourceType() === 'document' ? route.continue() : Promise.resolve(),
    );
    await page.addInitScript(() => sessionStorage.setItem('sk', 'x'));
    const answer = await page.goto('/UserCenterIndex', { waitUntil: 'domcontentloaded' });
    expect(await answer?.text()).toContain('class="first-load"');
    for (const part of ['.first-load-top', '.page-skeleton-title', '.page-skeleton-cards .skeleton'])
      expect(await page.locator(part).first().isVisible()).toBe(true);
    const { backgroundColor } = await boxOf(page, '.first-load-top');
    expect(backgroundColor).toBe({ light: 'rgb(255, 255, 255)', dark: 'rgb(16, 31, 37)' }[scheme]);
  });

  journey.each([
    ['a style', /\.css$/],
    ['a script', /\/console-[^/]*\.js$/],
    ['the texts', /\/locale[^/]*\.js$/],
  ])(
    'says that the page was not loaded when %s does not come, and loads it when the network is back',
    async (_, file) => {
      const { page, context } = await newVisitor('en');
      await page.addInitScript(() => sessionStorage.setItem('sk', 'x'));
      await page.route(file, (route) => route.abort());
      await page.goto('/UserCenterIndex');
      await page.getByRole('alert').getByRole('heading', { name: 'The page couldn’t be loaded' }).waitFor();
      expect(await page.locator('.skeleton').count()).toBe(0);
      await page.unroute(file);
      const again = page.waitForRequest((request) => request.isNavigationRequest());
      await page.getByRole('button', { name: 'Reload', exact: true }).waitFor();
      await context.setOffline(true);
      await context.setOffline(false);
      await again;
    },
  );

  journey('has the chosen theme, not the system’s', async () => {
    const { page, context } = await newVisitor('zh');
    await page.emulateMedia({ colorScheme: 'light' });
    await context.addCookies([{ name: 'theme', value: 'dark', url: BASE_URL }]);
    await page.route('**/assets/*', (route) => route.abort());
    await page.addInitScript(() => sessionStorage.setItem('sk', 'x'));
    await page.goto('/UserCenterIndex');
    expect((await boxOf(page, '.first-load-top')).backgroundColor).toBe('rgb(16, 31, 37)');
  });
});
