/** The bar at the right: codes by mouse and by keyboard, verification, free test (specification §2, §9). */
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { waitForPage } from './support/members.js';

withBrowser();

const WORDS = {
  zh: {
    bar: '快捷联系',
    sales: '售前',
    support: '售后',
    scanSales: '扫码联系售前',
    scanSupport: '扫码联系售后',
    verify: '客服验证',
    free: '免费试用',
    failed: '平台列表加载失败。',
    reload: '重新加载',
    wechat: '微信',
  },
  en: {
    bar: 'Quick contact',
    sales: 'Sales',
    support: 'Support',
    scanSales: 'Scan to reach sales',
    scanSupport: 'Scan for support',
    verify: 'Verify an account',
    free: 'Free test',
    failed: 'The platforms couldn’t be loaded.',
    reload: 'Reload',
    wechat: 'WeChat',
  },
} as const;

const account = (accountType: number, name: string) => ({
  accountType,
  account: name,
  referUrl: '',
  qrCode: '/favicon.svg',
});
const SALES_ONLY = [{ platform: 'WeChat', accountList: [account(0, 'someone')] }];

/** Whom the server names for the bar. */
async function given(page: Page, service: readonly object[]): Promise<void> {
  await page.route('**/customer-service/list?*800*', (route) =>
    route.fulfill({ json: { success: true, data: service, msg: '' } }),
  );
}

/** The codes of a group: how large they are asked for, and how large they stand there. */
const codesIn = (group: Locator): Promise<{ asked: number; shown: number }[]> =>
  group.getByRole('img').evaluateAll(async (images) => {
    await Promise.all((images as HTMLImageElement[]).map((image) => image.decode()));
    return (images as HTMLImageElement[]).map((image) => ({ asked: image.naturalWidth, shown: image.clientWidth }));
  });

describe.each(['zh', 'en'] as const)('the side bar (%s)', (language) => {
  const inTurn = journeysInTurn(language);
  const say = WORDS[language];

  journey('shows the codes of 160 pixels while it is pointed at, and lets the mouse go to them', async () => {
    const { page } = await newVisitor(language);
    await page.goto('/price');
    const bar = page.getByRole('complementary', { name: say.bar });
    const sales = bar.getByRole('button', { name: say.sales });
    const group = bar.getByRole('group', { name: say.scanSales });
    await sales.waitFor();
    expect(await group.count()).toBe(0);
    await sales.hover();
    await group.waitFor();
    const codes = await codesIn(group);
    expect(codes.length).toBe(3);
    expect(codes.filter(({ asked, shown }) => asked !== 800 || shown !== 160)).toEqual([]);
    await group.getByText('yiqiao_sales').hover();
    expect(await group.isVisible()).toBe(true);
    await bar.getByRole('button', { name: say.support }).hover();
    await bar.getByRole('group', { name: say.scanSupport }).getByText('yiqiao_care').waitFor();
    expect(await group.count()).toBe(0);
    await page.keyboard.press('Escape');
    await bar.getByRole('group').waitFor({ state: 'detached' });
    await page.mouse.move(300, 300);
    await sales.hover();
    await group.waitFor();
    await page.mouse.move(300, 300);
    await group.waitFor({ state: 'detached' });
  });

  inTurn(
    'shows them to whoever comes by keyboard, too; Escape closes them; verification and the free test follow',
    async () => {
      const { page } = await newVisitor(language);
      await page.goto('/price');
      const bar = page.getByRole('complementary', { name: say.bar });
      const sales = bar.getByRole('button', { name: say.sales });
      await sales.focus();
      await bar.getByRole('group', { name: say.scanSales }).waitFor();
      expect(await sales.getAttribute('aria-expanded')).toBe('true');
      expect(await seriousViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await bar.getByRole('group').waitFor({ state: 'detached' });
      expect(await sales.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await bar.getByRole('group', { name: say.scanSales }).waitFor();
      await page.keyboard.press('Tab');
      await bar.getByRole('group', { name: say.scanSupport }).waitFor();
      await page.keyboard.press('Tab');
      await bar.getByRole('group').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: say.verify }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(say.verify);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/login?type=2');
    },
  );

  inTurn('shows a failure of the platforms, retries, and lists them by name', async () => {
    const { page } = await newVisitor(language);
    await page.goto('/price');
    await page.route('**/customer-service/platform/list*', (route) => route.abort());
    const bar = page.getByRole('complementary', { name: say.bar });
    await bar.getByRole('button', { name: say.verify }).click();
    const dialog = page.getByRole('dialog', { name: say.verify });
    await dialog.getByText(say.failed).waitFor();
    await page.unroute('**/customer-service/platform/list*');
    await dialog.getByRole('button', { name: say.reload }).click();
    const wechat = dialog.getByRole('option', { name: say.wechat, exact: true });
    await wechat.waitFor({ state: 'attached' });
    expect(await wechat.getAttribute('value')).toBe('WeChat');
    expect(await dialog.getByText(say.failed).count()).toBe(0);
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: say.sales }).focus();
    await bar.getByRole('group', { name: say.scanSales }).getByText(say.wechat).first().waitFor();
  });

  inTurn('shows after-sale contacts only if configured, and renders without any contact', async () => {
    const { page } = await newVisitor(language);
    const bar = page.getByRole('complementary', { name: say.bar });
    await given(page, SALES_ONLY);
    await page.goto('/price');
    await bar.getByRole('button', { name: say.sales }).waitFor();
    expect(await bar.getByRole('button', { name: say.support }).count()).toBe(0);
    await page.unroute('**/customer-service/list?*800*');
    await page.route('**/customer-service/list?*800*', (route) => route.abort());
    await page.reload();
    await bar.getByRole('link', { name: say.free }).waitFor();
    expect(await bar.getByRole('button').allInnerTexts()).toEqual([say.verify]);
  });

  inTurn('covers no text on medium screens and is absent on phones', async () => {
    const { page } = await newVisitor(language);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('/price');
    const bar = page.getByRole('complementary', { name: say.bar });
    await bar.waitFor();
    await waitForPage(page);
    const left = (await bar.boundingBox())?.x ?? 0;
    const right = await page.evaluate(() => {
      const wrap = document.querySelector('main .page-width') ?? document.body;
      return wrap.getBoundingClientRect().right - parseFloat(getComputedStyle(wrap).paddingRight);
    });
    expect(right).toBeLessThanOrEqual(left);
    await bar.getByRole('button', { name: say.sales }).hover();
    const codes = await bar.getByRole('group').boundingBox();
    expect(codes && codes.x >= 0 && codes.y >= 0 && codes.y + codes.height <= 768).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1024);
    await page.setViewportSize({ width: 768, height: 1_000 });
    await bar.waitFor({ state: 'hidden' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await waitForPage(page);
    expect([asked.filter((url) => /contact-bar|800/.test(url)), await bar.count()]).toEqual([[], 0]);
  });
});
