/** Phones: the menu behind the burger (specification §2). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';

withBrowser();

const SAYS = {
  zh: {
    menu: '菜单',
    close: '关闭菜单',
    console: '会员中心',
    onPc: '请在PC端登录官网使用该功能！',
    signUp: '免费注册',
  },
  en: {
    menu: 'Menu',
    close: 'Close menu',
    console: 'Member center',
    signUp: 'Sign up free',
    onPc: 'Please sign in to the website on a PC to use this feature!',
  },
} as const;
const LINKS = {
  zh: ['首页', '价格标准', '下载', '产品教程', '登录', '免费注册'],
  en: ['Home', 'Pricing', 'Download', 'Product tutorial', 'Sign in', 'Sign up free'],
} as const;

/** The smallest phones there are. */
const PHONE = { width: 360, height: 740 };

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe.each(['zh', 'en'] as const)('the menu of phones (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('has every way of the top navigation, and says that the console is for a PC', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize(PHONE);
    await page.goto('/home');
    await page.getByRole('button', { name: say.menu, exact: true }).click();
    const menu = page.locator('#mobile-menu');
    await menu.waitFor();
    expect(await menu.getByRole('link').allTextContents()).toEqual(LINKS[lang]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await menu.getByRole('button', { name: say.console }).click();
    await page.getByRole('status').getByText(say.onPc, { exact: true }).waitFor();
    expect([await menu.count(), new URL(page.url()).pathname]).toEqual([0, '/home']);
  });

  inTurn('closes with Escape and restores the focus; a navigation closes it and keeps the invitation', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize(PHONE);
    await page.goto('/home?inviteCode=YQ7K2M');
    const menu = page.locator('#mobile-menu');
    const burger = page.getByRole('button', { name: say.menu, exact: true });
    await burger.press('Enter');
    await menu.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe(say.menu);

    await burger.click();
    // A touch elsewhere: the menu lies over the page, and what is left of it is below.
    const { y, height } = (await menu.boundingBox()) ?? { y: 0, height: 0 };
    await page.mouse.click(4, y + height + 8);
    await menu.waitFor({ state: 'detached' });

    await burger.click();
    await menu.getByRole('link', { name: say.signUp }).click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).search).toBe('?type=2&inviteCode=YQ7K2M');
  });
});
