/** Names that only assistive technology reads: rows and buttons of every list, icons, and where the focus is in a dialog. */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { postAs } from './support/api.js';
import { journey, withBrowser } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { BASE_URL, CHROMIUM } from './support/environment.js';
import { withFamily } from './support/families.js';
import { escapeDialog, gotoAs, goWithin, waitForNoDialog, waitForPage } from './support/members.js';

const SAYS = {
  zh: {
    text: '原文',
    details: /^展开明细：第 1 条/,
    previous: '上一页',
    next: '下一页',
    edit: /^编辑/,
    show: /^查看订单/,
    nickname: '修改昵称',
    clear: '清除',
    editTitle: '编辑子账号',
    orderTitle: '订单详情',
    password: '修改密码',
    old: '旧密码',
    translating: '翻译中',
  },
  en: {
    text: 'Source text',
    details: /^Show details: entry 1/,
    previous: 'Previous Page',
    next: 'Next Page',
    edit: /^Edit/,
    show: /^Details of order/,
    nickname: 'Change nickname',
    clear: 'Clear',
    editTitle: 'Edit sub-account',
    orderTitle: 'Order details',
    password: 'Change password',
    old: 'Old password',
    translating: 'Translating',
  },
} as const;

const LISTS = [
  '/UserCenterChild',
  '/UserCenterOrder',
  '/UserCenterAccountLog',
  '/UserCenterLoginLog',
  '/UserCenterChangeTranslateLog',
  '/UserCenterGlossary',
  '/UserCenterApiKeys',
  '/UserCenterWebhook',
  '/UserWorkSpace',
] as const;

/** What antd names its icons and controls, in English in every language. */
const ANTD_NAME =
  /^(close|close-circle|eye|eye-invisible|loading|left|right|up|down|ellipsis|calendar|clock-circle|swap-right|search|Increase Value|Decrease Value|Tab \d+ of \d+)\b/;

type Names = { role: string; name: string };

/** The roles and names that the browser hands to assistive technology. */
async function exposed(page: Page): Promise<Names[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: String(role?.value), name: String(name?.value ?? '').trim() }));
}

async function antdNames(page: Page): Promise<string[]> {
  const found = (await exposed(page)).filter(
    ({ role, name }) => /^(button|image|tab)$/.test(role) && ANTD_NAME.test(name),
  );
  return found.map(({ role, name }) => `${role} ${name}`);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at instanceof HTMLInputElement ? `field ${at.labels?.[0]?.innerText ?? ''}` : (at?.textContent ?? '');
  });

const PHONE = { baseURL: BASE_URL, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

withBrowser();
const family = withFamily();
beforeAll(async () => {
  if (!CHROMIUM) return;
  const terms = ['皇后', '头发'].map((term) => ({ source: 'zh-Hans', target: 'zh-Hant', term, translation: term }));
  for (const term of terms) await postAs(family.main, '/glossary/save', term);
  for (const name of ['one', 'two']) {
    await postAs(family.main, '/apiKey/create', { name, scopes: ['text'] });
    const webhook = { name, url: `https://${name}.example/hooks`, format: 'standard', language: 'zh' };
    await postAs(family.main, '/webhook/save', { ...webhook, events: ['order.paid'], enabled: 1 });
  }
});

describe.each(['zh', 'en'] as const)('accessible names (%s)', (lang) => {
  const say = SAYS[lang];

  journey('every list has a header for each row and column, and no two buttons of one name', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', family.main, lang);
    await pickScripts(page, lang);
    for (const [text, translated] of [
      ['您好', '您好'],
      ['软件', '軟體'],
    ] as const) {
      await page.getByLabel(say.text, { exact: true }).fill(text);
      await page.keyboard.press('Control+Enter');
      await page.getByTestId('translated').getByText(translated).waitFor();
    }
    for (const path of LISTS) {
      await goWithin(page, path);
      await waitForPage(page);
      const table = page.getByRole('main').getByRole('table').first();
      await table.getByRole('rowheader').first().waitFor();
      const rows = await page.locator('.ant-table-row').count();
      const headers = await table.getByRole('rowheader').allInnerTexts();
      expect([path, headers.length, headers.filter((text) => text.trim() === '')]).toEqual([path, rows, []]);
      const names = await exposed(page);
      expect([path, names.filter(({ role, name }) => role === 'columnheader' && name === '')]).toEqual([path, []]);
      const buttons = await table
        .getByRole('button')
        .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? button.textContent));
      expect([path, buttons.length]).toEqual([path, new Set(buttons).size]);
      for (const name of [say.previous, say.next])
        expect([path, names.filter((node) => node.role === 'button' && node.name === name).length]).toEqual([path, 1]);
      expect([path, await antdNames(page)]).toEqual([path, []]);
    }
    await goWithin(page, '/UserCenterAccountLog');
    await page.getByRole('button', { name: say.details }).click();
    expect(await page.getByRole('button', { expanded: true }).count()).toBe(1);
  });

  journey('a drawer starts at its heading, a dialog at its first field, and Tab stops at nothing empty', async () => {
    const page = await gotoAs('/UserCenterGlossary', family.main, lang);
    const main = page.getByRole('main');
    const openings = [
      { path: '/UserCenterChild', opener: say.edit, first: say.editTitle },
      { path: '/UserCenterOrder', opener: say.show, first: say.orderTitle },
      { path: '/UserCenterIndex', opener: say.nickname, first: /^field/ },
      { path: '/UserCenterInfo', opener: say.password, first: `field ${say.old}` },
    ];
    for (const { path, opener, first } of openings) {
      await goWithin(page, path);
      await main.getByRole('button', { name: opener }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await page.waitForFunction(
        () =>
          document.activeElement?.closest('[role=dialog]') && document.activeElement.matches('input, [class$=-title]'),
      );
      expect([path, await focused(page)]).toEqual([path, expect.stringMatching(first)]);
      expect([path, await antdNames(page)]).toEqual([path, []]);
      for (const key of ['Tab', 'Shift+Tab'])
        for (let press = 0; press < 12; press++) {
          await page.keyboard.press(key);
          const stop = await page.evaluate(() => {
            const { width, height } = document.activeElement?.getBoundingClientRect() ?? { width: 0, height: 0 };
            return (
              width > 0 && height > 0 && document.activeElement?.matches('a, button, input, textarea, select, [role]')
            );
          });
          expect([path, key, press, stop]).toEqual([path, key, press, true]);
          expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
        }
      await escapeDialog(page);
      await waitForNoDialog(page);
    }
  });

  journey('a button that works is named by what it does', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', family.main, lang);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/client-user/translation/text', async (route) => {
      await held;
      await route.continue();
    });
    await pickScripts(page, lang);
    await page.getByLabel(say.text, { exact: true }).fill('您好');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: say.translating, exact: true }).waitFor();
    release();
    await page.getByTestId('translated').waitFor();
    expect(await antdNames(page)).toEqual([]);
  });

  journey('a touch screen opens no keyboard over the page that translates', async () => {
    const desktop = await gotoAs('/UserCenterChangeTranslateTest', family.main, lang);
    await desktop.waitForFunction(() => document.activeElement?.matches('textarea'));
    const context = await desktop
      .context()
      .browser()
      ?.newContext({ ...PHONE, storageState: await desktop.context().storageState() });
    const phone = await context?.newPage();
    await phone?.addInitScript(
      ([sk, userId]) => {
        sessionStorage.setItem('sk', sk);
        sessionStorage.setItem('userId', userId);
      },
      [family.main.sk, String(family.main.userId)] as const,
    );
    await phone?.goto('/UserCenterChangeTranslateTest');
    await phone?.getByLabel(say.text, { exact: true }).waitFor();
    expect(await phone?.evaluate(() => document.activeElement?.matches('input, textarea'))).toBe(false);
    await context?.close();
  });
});
