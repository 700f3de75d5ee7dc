import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from './support/browser.js';
import { newMember, waitForPage, gotoAs } from './support/members.js';

const SAYS = {
  zh: { menu: /^账号菜单/, system: '跟随系统', light: '浅色', dark: '深色' },
  en: { menu: /^Account menu/, system: 'Match system', light: 'Light', dark: 'Dark' },
} as const;

const PAPER = { light: 'rgb(245, 248, 248)', dark: 'rgb(10, 22, 27)' };

withBrowser();

/** The colours of the page's ground by our style sheets, and of a card's text by antd's. */
const ground = (page: Page): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const becomes = (page: Page, colour: string): Promise<unknown> =>
  page.waitForFunction((wanted) => getComputedStyle(document.body).backgroundColor === wanted, colour);

describe.each(['zh', 'en'] as const)('light and dark (%s)', (language) => {
  const say = SAYS[language];
  const choose = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: say.menu }).click();
    await page.getByRole('menuitemradio', { name, exact: true }).click();
  };

  journey('follows the system until one is chosen, remembers the choice, and tells the other tabs', async () => {
    const page = await gotoAs('/UserCenterLoginLog', await newMember(), language);
    await waitForPage(page);
    expect(await ground(page)).toBe(PAPER.light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes(page, PAPER.dark);
    await page.emulateMedia({ colorScheme: 'light' });
    await becomes(page, PAPER.light);

    const other = await page.context().newPage();
    await other.goto('/home');
    await waitForPage(other);
    await choose(page, say.dark);
    await becomes(page, PAPER.dark);
    await becomes(other, PAPER.dark);
    // antd's own parts follow, too.
    await page.waitForFunction(() => {
      const field = document.querySelector('.ant-select-selector');
      return field && getComputedStyle(field).backgroundColor === 'rgb(16, 31, 37)';
    });

    // Nothing but the cookie: the browser's storage holds what the specification lists.
    expect(await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])).not.toContain(
      'theme',
    );
    await page.route('**/assets/*.js', (route) => route.abort()); // before any of our code: the head's script alone
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await page.unroute('**/assets/*.js');
    await page.reload();
    await waitForPage(page);
    await page.getByRole('button', { name: say.menu }).click();
    expect(await page.getByRole('menuitemradio', { checked: true }).allTextContents()).toContain(say.dark);
    await page.getByRole('menuitemradio', { name: say.system, exact: true }).click();
    await becomes(page, PAPER.light);
    await becomes(other, PAPER.light);
    expect(await page.evaluate(() => document.cookie)).not.toContain('theme');
  });
});
