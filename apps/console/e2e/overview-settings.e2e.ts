import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import {
  newMember,
  escapeDialog,
  waitForNoDialog,
  overflowsOnPhone,
  waitForText,
  openPageAs,
  gotoAs,
} from './support/members.js';

const SAYS = {
  zh: {
    change: '更换',
    channelTitle: '更换翻译通道',
    current: '当前通道',
    deepl: 'DeepL（沙箱）',
    price: '¥0.80 / 万字符',
    preview: '2,500 字符',
    channelConfirm: '确认更换',
    channelChanged: '翻译通道更换成功，现用通道：DeepL（沙箱）',
    none: /^暂无可更换的翻译通道/,
    auto: '自动分配',
    turnOn: '开启',
    modified: /成功修改\[\d+\]个账号/,
    off: '注销账号',
    lost: '注销后无法恢复：',
    password: '登录密码',
    short: '密码至少输入6位',
    wrong: '密码不正确，请重新输入',
    confirm: '永久注销',
    done: '账号已注销',
  },
  en: {
    change: 'Change',
    channelTitle: 'Change translation channel',
    current: 'In use',
    deepl: 'DeepL (sandbox)',
    price: '¥0.80 per 10k characters',
    preview: '2,500 chars',
    channelConfirm: 'Change channel',
    channelChanged: 'Channel changed. You now use DeepL (sandbox).',
    none: /^Only .+ is available right now/,
    auto: 'Auto-distribution',
    turnOn: 'Turn on',
    modified: /Successfully modified \[\d+\] accounts/,
    off: 'Close this account',
    lost: 'This cannot be undone:',
    password: 'Password',
    short: 'The password needs at least 6 characters',
    wrong: 'The password is wrong. Please try again.',
    confirm: 'Delete for good',
    done: 'The account is closed',
  },
} as const;

withBrowser();

/**
 * What a page still waits for when its session ends, or asks for without one, is refused, and changes nothing: neither the words nor the
 * way. Holds the usage back; the answer refuses it and waits until the page has heard.
 */
async function heldUsage(page: Page): Promise<() => Promise<void>> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const unsigned = { success: false, data: null, msg: 'unsigned', code: 'UNAUTHORIZED', status: 401 };
  await page.route('**/user/usage**', async (route) => {
    await over;
    await route.fulfill({ status: 401, json: unsigned });
  });
  return async () => {
    const refused = page.waitForResponse('**/user/usage**');
    end();
    await refused;
    await new Promise((resolve) => setTimeout(resolve, 500));
  };
}

describe.each(['zh', 'en'] as const)('what a main account decides on the overview (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('shows every channel with its price and what it makes of the balance, and closes by keyboard', async () => {
    const page = await gotoAs('/UserCenterIndex', await newMember(), lang);
    await page.getByRole('button', { name: say.change, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.channelTitle });
    const rows = dialog.locator('.ant-radio-wrapper');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(8);
    expect(await rows.first().textContent()).toContain(say.current);
    expect(await dialog.getByRole('radio').count()).toBe(7); // the one in use cannot be chosen
    const deepl = (await rows.filter({ hasText: say.deepl }).textContent()) ?? '';
    for (const part of [say.price, '5,000', say.preview]) expect(deepl).toContain(part);

    const confirm = dialog.getByRole('button', { name: say.channelConfirm });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: say.deepl }).focus();
    await page.keyboard.press('Space');
    expect(await confirm.isEnabled()).toBe(true);
    expect(await overflowsOnPhone(page)).toBe(false);
    await escapeDialog(page);
    await waitForNoDialog(page);
  });

  inTurn('changes the channel in a dialog with its own address and shows the new one', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterIndex?channel=change', member, lang);
    const dialog = page.getByRole('dialog', { name: say.channelTitle });
    await dialog.getByRole('radio', { name: say.deepl }).waitFor();
    await escapeDialog(page);
    await waitForNoDialog(page);
    await page.waitForURL((url) => url.search === '');
    await page.getByRole('button', { name: say.change, exact: true }).click();
    await dialog.getByRole('radio', { name: say.deepl }).waitFor();
    await page.waitForURL((url) => url.search === '?channel=change');
    await page.goBack();
    await waitForNoDialog(page);
    await page.goForward();
    await dialog.getByRole('radio', { name: say.deepl }).check();
    await Promise.all([
      waitForText(page, say.channelChanged),
      dialog.getByRole('button', { name: say.channelConfirm }).click(),
    ]);
    await waitForNoDialog(page);
    await page.locator('.ov-facts').getByText(say.deepl).waitFor();
    expect(await page.locator('.key-figure-value').textContent()).toBe('2,500');
  });

  inTurn('says that no other channel is available, and offers nothing to press', async () => {
    const page = await gotoAs('/UserCenterIndex', await newMember(), lang);
    await page.route('**/memberGroup/mappingList**', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as object;
      await route.fulfill({ response, json: { ...answer, data: [] } });
    });
    await page.getByRole('button', { name: say.change, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.channelTitle });
    await dialog.getByText(say.none).waitFor();
    expect(await dialog.getByRole('radio', { disabled: false }).count()).toBe(0);
    expect(await dialog.getByRole('button', { name: say.channelConfirm }).count()).toBe(0);
    await escapeDialog(page);
    await waitForNoDialog(page);
  });

  inTurn('switches auto-distribution only after confirmation', async () => {
    const page = await gotoAs('/UserCenterIndex', await newMember(), lang);
    const toggle = page.getByRole('switch', { name: say.auto });
    await toggle.click();
    await escapeDialog(page);
    await waitForNoDialog(page);
    expect(await toggle.getAttribute('aria-checked')).toBe('false');

    await toggle.click();
    await page.getByRole('dialog').getByRole('button', { name: say.turnOn, exact: true }).click();
    await waitForText(page, say.modified);
    await waitForNoDialog(page);
    expect(await toggle.getAttribute('aria-checked')).toBe('true');
    await page.reload();
    await toggle.waitFor();
    expect(await toggle.getAttribute('aria-checked')).toBe('true');
  });

  inTurn('closes the account after explaining the loss and checking the password, and ends the session', async () => {
    const member = await newMember();
    const page = await openPageAs(member, lang);
    const refuseUsage = await heldUsage(page);
    await page.goto('/UserCenterIndex');
    await page.getByRole('button', { name: say.off, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: say.off });
    await dialog.getByText(say.lost).waitFor();
    const password = dialog.getByLabel(say.password, { exact: true });
    await password.fill('short');
    await password.press('Enter');
    await dialog.getByText(say.short).waitFor();

    await password.fill(`${member.password}!`);
    await dialog.getByRole('button', { name: say.confirm }).click();
    await dialog.getByText(say.wrong).waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => sessionStorage.getItem('sk'))).not.toBeNull();

    await password.fill(member.password);
    await page.route('**/home', async (route) => {
      await refuseUsage(); // the session has ended, home is on its way
      await route.continue();
    });
    await dialog.getByRole('button', { name: say.confirm }).click();
    await page.waitForURL(/\/home$/, { waitUntil: 'commit' });
    await waitForText(page, say.done);
    expect(await page.locator('.toasts').getByRole('alert').count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const response = await fetch(`${BASE_URL}/client-user/login/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account: member.email, password: member.password }),
    });
    expect(await response.json()).toMatchObject({ success: false, code: 'ACCOUNT_NOT_REGISTERED' });
  });
});
