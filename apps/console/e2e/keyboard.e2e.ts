/** The shell by keyboard alone: past the menus, to a page, into a dialog and out again, and back; one always sees where one is. */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { demoMain } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { newMember, waitForNoDialog, gotoAs, type SignedIn } from './support/members.js';

const SAYS = {
  zh: {
    skip: '跳到正文',
    info: '个人资料',
    overview: '总览',
    nickname: '修改昵称',
    field: '昵称',
    user: /^账号菜单/,
    password: '修改密码',
  },
  en: {
    skip: 'Skip to content',
    info: 'Profile',
    overview: 'Overview',
    nickname: 'Change nickname',
    field: 'Nickname',
    user: /^Account menu/,
    password: 'Change password',
  },
} as const;

/** More presses than any way on these pages takes. */
const FAR = 60;

const isFocused = (element: Locator): Promise<boolean> => element.evaluate((node) => node === document.activeElement);

/** Whether what has the focus shows it: by a ring or a halo, in sight. */
const showsFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const node = document.activeElement;
    if (!node || node === document.body) return false;
    const { top, bottom } = node.getBoundingClientRect();
    // antd draws the ring of a field round the field, and that of a tick round its box.
    const drawn = [node, node.parentElement, node.nextElementSibling].some((place) => {
      if (!place) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(place);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    });
    return drawn && bottom > 0 && top < innerHeight;
  });

/** Tab after Tab until `target` has the focus; on the way it is always seen where one is. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press < FAR; press++) {
    await page.keyboard.press('Tab');
    if (!(await showsFocus(page)))
      throw new Error(
        `no focus is seen on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160))}`,
      );
    if (await isFocused(target)) return;
  }
  throw new Error('the keyboard does not come there');
}

withBrowser();

describe.each(['zh', 'en'] as const)('by keyboard alone (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    if (CHROMIUM) member = await newMember();
  });

  journey('reaches menus, a page and a dialog, and returns', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.locator('h1').waitFor();

    await tabTo(page, page.getByRole('link', { name: say.skip }));
    await page.keyboard.press('Enter');
    expect(await isFocused(page.locator('main'))).toBe(true);

    await page.reload();
    await page.locator('h1').waitFor();
    await tabTo(page, page.locator('.shell > .side-menu').getByRole('link', { name: say.info }));
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: say.info }).waitFor();

    const opener = page.getByRole('button', { name: say.nickname });
    await tabTo(page, opener);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.field).waitFor();
    const within = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.closest('[role=dialog], dialog') !== null);
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog], dialog'));
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press('Tab');
      expect(await within()).toBe(true); // the page behind it is out of reach
    }
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await opener.and(page.locator(':focus')).waitFor();

    await page.goBack(); // what Alt and the left arrow do in a browser with a window
    await page.waitForURL(({ pathname }) => pathname === '/UserCenterIndex'); // #main, where the skip link led
  });

  inTurn('the menu of the account opens, is walked through, closes, and leads on', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.locator('h1').waitFor();
    const button = page.getByRole('button', { name: say.user });
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    const items = page.getByRole('menu').locator('[role^=menuitem]');
    await items.first().waitFor();
    expect(await isFocused(items.first())).toBe(true);
    expect(await showsFocus(page)).toBe(true);
    await page.keyboard.press('End');
    expect(await isFocused(items.last())).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isFocused(button)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: say.password }).waitFor();
  });

  inTurn('each page number is one tab stop and opens with Enter', async () => {
    const page = await gotoAs('/UserCenterAccountLog', await demoMain(), lang);
    const pages = page.locator('.lt-pages .ant-pagination-item');
    await pages.first().focus();
    await page.keyboard.press('Tab');
    expect(await isFocused(pages.nth(1))).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('.lt-pages .ant-pagination-item-2.ant-pagination-item-active').waitFor();
    await page.waitForURL(/page=2/);
    await page.goBack(); // to the page before, not out of the list
    await page.locator('.lt-pages .ant-pagination-item-1.ant-pagination-item-active').waitFor();
    expect(new URL(page.url()).searchParams.has('page')).toBe(false);
  });
});
