/** Public pages on paper, in forced colours, with more contrast, at 320 px, and the icons that browsers ask for. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import { waitForHydration, waitForPage } from './support/members.js';
import { PUBLIC_PAGES } from './support/routes.js';

withBrowser();

const SAYS = {
  zh: { dark: '深色', light: '浅色', system: '跟随系统', contents: '本页内容', title: '译桥 · 跨境卖家的聊天翻译' },
  en: {
    dark: 'Dark',
    light: 'Light',
    system: 'Match system',
    contents: 'On this page',
    title: 'Yiqiao · Chat translation',
  },
} as const;

const INK = 'rgb(18, 36, 43)';
const colourOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).color);

describe.each(['zh', 'en'] as const)('public pages (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('reflow at 320 px and where the footer has two columns', async () => {
    const { page } = await newVisitor(lang);
    const wide: string[] = [];
    for (const path of [...PUBLIC_PAGES, '/privacy', '/refund']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      await waitForPage(page);
      for (const width of [320, 604, 644]) {
        await page.setViewportSize({ width, height: 640 });
        const by = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (by > 0) wide.push(`${path} at ${width}: ${by} px`);
      }
    }
    expect(wide).toEqual([]);
  });

  inTurn('print dark on white without navigation, and with every answer', async () => {
    const { page } = await newVisitor(lang);
    await page.context().addCookies([{ name: 'theme', value: 'dark', url: BASE_URL }]);
    for (const path of ['/privacy', '/price', '/term-and-condition']) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect([path, await colourOf(page, 'h1')]).toEqual([path, INK]);
      expect(await page.locator('.site-header, .site-footer, .contact-bar').filter({ visible: true }).count()).toBe(0);
      if (path === '/price') {
        const answer = page.locator('.price-questions details p').first();
        expect((await answer.boundingBox())?.height).toBeGreaterThan(10);
      }
      await page.emulateMedia({ media: 'screen' });
    }
  });

  inTurn('show in forced colours where one is', async () => {
    const { page } = await newVisitor(lang);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`/home?lang=${lang}`);
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const indicator = await page
      .locator('.home-slides-nav [aria-selected=true]')
      .evaluate((tab) => getComputedStyle(tab, '::after').backgroundColor);
    expect(indicator).not.toBe(await ground());
    await page.goto(`/price?lang=${lang}`);
    const row = page.locator('.price-row', { has: page.locator('input:checked') });
    expect(await row.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    expect(await seriousViolations(page)).toEqual([]);
  });

  inTurn('have no fainter text than asked for with more contrast', async () => {
    const { page } = await newVisitor(lang);
    await page.emulateMedia({ contrast: 'more' });
    await page.goto(`/price?lang=${lang}`);
    expect(await colourOf(page, '.price-body .muted')).toBe(INK);
  });

  inTurn('change the theme in the footer and remember it', async () => {
    const { page } = await newVisitor(lang);
    await page.goto(`/home?lang=${lang}`);
    await waitForHydration(page);
    const button = (name: string) => page.getByRole('contentinfo').getByRole('button', { name, exact: true });
    await button(say.dark).press('Enter');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.reload();
    await waitForPage(page);
    await page.locator('.theme-switch [aria-pressed=true]').waitFor();
    expect(await button(say.dark).getAttribute('aria-pressed')).toBe('true');
    await button(say.system).click();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBeUndefined();
  });

  inTurn('list the contents of a document on a phone, with numbered steps', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/productDesc?lang=${lang}`);
    const contents = page.getByRole('navigation', { name: say.contents });
    await contents.getByText(say.contents).press('Enter');
    const last = contents.getByRole('link').last();
    const name = (await last.textContent()) ?? '';
    await last.click();
    await page.waitForURL(/\/productDesc\/\w+/);
    await page.waitForFunction((title) => {
      const top = [...document.querySelectorAll('h1')]
        .find((h1) => h1.textContent === title)
        ?.getBoundingClientRect().top;
      return top !== undefined && top > 0 && top < 400;
    }, name);
    await page.goto(`/useDoc?lang=${lang}`);
    await contents.getByText(say.contents).click();
    expect(await contents.getByRole('link').count()).toBe(3);
    const marker = await page
      .locator('ol > li')
      .nth(1)
      .evaluate((step) => getComputedStyle(step, '::before').content);
    expect(marker).toContain('counter(step)');
  });

  inTurn('are named by what they are, for tabs and for phones', async () => {
    const { page } = await newVisitor(lang);
    await page.goto(`/home?lang=${lang}`);
    expect(await page.title()).toContain(say.title);
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toContain(say.title);
  });
});

describe('icons', () => {
  journey.each([
    ['/favicon.ico', [0, 0, 1, 0]],
    ['/apple-touch-icon.png', [0x89, 0x50, 0x4e, 0x47]],
  ] as const)('%s is a picture', async (path, start) => {
    const answer = await fetch(BASE_URL + path);
    expect(answer.headers.get('content-type')).toMatch(/^image\//);
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 4)]).toEqual(start);
  });
});
