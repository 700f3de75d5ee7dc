/** A click before hydration is not lost. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { waitForHydration } from './support/members.js';
import { SAYS as SHOP } from './support/payment.js';

withBrowser();

/** Opens the page at `path` with its scripts held back; returns a function that releases them. */
async function openWithoutScript(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('h1').first().waitFor();
  return () => resolve(undefined);
}

const SAYS = {
  zh: { forgot: '忘记密码', reset: '找回密码', menu: '菜单', close: '关闭菜单', price: '价格标准' },
  en: { forgot: 'Forgot password', reset: 'Reset password', menu: 'Menu', close: 'Close menu', price: 'Pricing' },
} as const;

describe.each(['zh', 'en'] as const)('pressed before the program is there (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('carries out a click on a button', async () => {
    const { page } = await newVisitor(lang);
    const go = await openWithoutScript(page, `/login?type=1&lang=${lang}`);
    await page.getByRole('button', { name: say.forgot }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    go();
    await page.getByRole('dialog', { name: say.reset }).waitFor();
  });

  inTurn('a link carries the invitation', async () => {
    const { page } = await newVisitor(lang);
    const go = await openWithoutScript(page, `/home?inviteCode=YQ7K2M&lang=${lang}`);
    await page.getByRole('banner').getByRole('link', { name: say.price, exact: true }).click();
    go();
    await page.waitForURL((url) => url.pathname === '/price' && url.searchParams.get('inviteCode') === 'YQ7K2M');
  });

  inTurn('a link within the page stays on it', async () => {
    const { page } = await newVisitor(lang);
    const go = await openWithoutScript(page, `/home?inviteCode=YQ7K2M&lang=${lang}&of=a/b`);
    const before = page.url();
    await page.locator('a[href="#main"]').press('Enter');
    await page.waitForFunction(() => location.hash === '#main');
    expect(page.url()).toBe(`${before}#main`);
    go();
  });

  inTurn('a chosen package stays chosen', async () => {
    const { page } = await newVisitor(lang);
    const go = await openWithoutScript(page, `/price?lang=${lang}`);
    const high = page.getByRole('radio', { name: SHOP[lang].high });
    await high.check();
    go();
    await waitForHydration(page);
    await page.getByRole('complementary').getByRole('heading', { name: SHOP[lang].high }).waitFor();
    expect(await high.isChecked()).toBe(true);
  });

  inTurn('the last one counts, once', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 390, height: 844 });
    const go = await openWithoutScript(page, `/price?lang=${lang}`);
    const menu = page.getByRole('button', { name: say.menu, exact: true });
    await menu.click();
    await menu.click();
    go();
    await page.locator('#mobile-menu').waitFor();
    await page.getByRole('button', { name: say.close, exact: true }).click();
    await page.locator('#mobile-menu').waitFor({ state: 'detached' });
  });

  inTurn('counts once when it comes while the page is being hydrated', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 390, height: 844 });
    // React listens before it has drawn anything.
    await page.addInitScript((name) => {
      const { prototype } = EventTarget;
      const listen = Reflect.get(prototype, 'addEventListener') as (...given: unknown[]) => void;
      prototype.addEventListener = function (this: EventTarget, ...given: unknown[]) {
        listen.apply(this, given);
        if (given[0] !== 'click' || !(this instanceof Element) || this.id !== 'root') return;
        prototype.addEventListener = listen;
        queueMicrotask(() => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click());
      };
    }, say.menu);
    await page.goto(`/price?lang=${lang}`);
    await waitForHydration(page);
    await page.locator('#mobile-menu').waitFor();
  });
});
