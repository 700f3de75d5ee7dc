import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, withBrowser } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { goWithin, newMember, overflowsOnPhone, waitForText, type SignedIn, gotoAs } from './support/members.js';

const SENTENCE = '您好，软件已经寄出。';
const CHARS = [...SENTENCE].length;

const SAYS = {
  zh: {
    title: '近 30 天用量',
    week: '近 7 天',
    weekTitle: '近 7 天用量',
    empty: '近 30 天没有用量',
    failed: '用量加载失败',
    reload: '重新加载',
    text: '原文',
    used: `${CHARS} 字符`,
    unused: '0 字符',
    today: '今日',
  },
  en: {
    title: 'Usage, last 30 days',
    week: 'Last 7 days',
    weekTitle: 'Usage, last 7 days',
    empty: 'Nothing used in the last 30 days',
    failed: 'The usage couldn’t be loaded',
    reload: 'Reload',
    text: 'Source text',
    used: `${CHARS} chars`,
    unused: '0 chars',
    today: 'Today',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('the usage chart (%s)', (lang) => {
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  const chart = (page: Page) => page.getByRole('region', { name: say.title }).getByRole('slider');

  journey('shows that nothing was used, with a link', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await waitForText(page, say.empty);
    expect(await chart(page).count()).toBe(0);
  });

  journey('shows a translation just made, to the eye, to the keyboard and to the ear', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', member, lang);
    await pickScripts(page, lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('translated').waitFor();

    await goWithin(page, '/UserCenterIndex');
    await chart(page).waitFor();
    expect(await chart(page).getAttribute('aria-valuetext')).toContain(say.used);
    expect(await chart(page).getAttribute('aria-valuenow')).toBe('30');
    await waitForText(page, say.today);

    const rows = page.getByRole('table', { name: say.title }).locator('tbody tr');
    expect(await rows.count()).toBe(30);
    expect(await rows.last().locator('td').first().textContent()).toBe(String(CHARS));
    expect(await rows.first().locator('td').first().textContent()).toBe('0');

    await chart(page).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await chart(page).getAttribute('aria-valuenow')).toBe('29');
    expect(await chart(page).getAttribute('aria-valuetext')).toContain(say.unused);
    await page.keyboard.press('Home');
    expect(await chart(page).getAttribute('aria-valuenow')).toBe('1');

    const box = await chart(page).boundingBox();
    if (!box) throw new Error('the chart has no place');
    await page.mouse.move(box.x + box.width - 4, box.y + 100);
    expect(await chart(page).locator('rect.usage-chart-active').count()).toBe(1);
    expect(await chart(page).locator('.usage-chart-leader').textContent()).toContain(say.used);
  });

  journey('shows the last week when asked to, and leads from a day to what moved the balance that day', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.locator('.ov-usage').getByRole('link', { name: say.week }).click();
    const week = page.getByRole('region', { name: say.weekTitle });
    await week.getByRole('slider').waitFor();
    await page.reload();
    await week.getByRole('slider').waitFor();
    expect(await page.getByRole('table', { name: say.weekTitle }).locator('tbody tr').count()).toBe(7);
    expect(await week.getByRole('slider').getAttribute('aria-valuemax')).toBe('7');

    const today =
      (await page.getByRole('table', { name: say.weekTitle }).locator('tbody th').last().textContent()) ?? '';
    await week.getByRole('slider').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/UserCenterAccountLog\?/);
    await page.locator('.ant-table-row').first().waitFor();
    const times = (await page.locator('.ant-table-row time').allTextContents()).filter((time) => time.includes(':'));
    expect(times.length).toBeGreaterThan(0);
    expect(times.every((time) => time.startsWith(today))).toBe(true);
    // The way back is the way one came.
    await page.goBack();
    await week.getByRole('slider').waitFor();
  });

  journey('shows a failure in its place and retries', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await chart(page).waitFor();
    await page.route('**/client-user/user/usage**', (route) => route.abort());
    await page.reload();
    await waitForText(page, say.failed);
    await page.unroute('**/client-user/user/usage**');
    await page.getByRole('region', { name: say.title }).getByRole('button', { name: say.reload }).click();
    await chart(page).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
