import { describe, expect } from '@jest/globals';
import { type Page } from 'playwright-core';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone, waitForHydration, waitForText } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    choose: '选择版本：',
    windows: 'Windows 版',
    arm: '安装包',
    empty: '暂时没有可下载的软件',
    fetch: '下载 ',
    requires: 'Windows 10 以上',
  },
  en: {
    choose: 'Choose a version: ',
    windows: 'Windows',
    arm: 'Installer',
    empty: 'Nothing to download right now',
    fetch: 'Download ',
    requires: 'Windows 10 or later',
  },
} as const;

const item = (id: number, [label, enLabel]: readonly [string, string], rest: Record<string, unknown>) => ({
  id,
  label,
  enLabel,
  version: '1.2.0',
  val: '',
  childId: [],
  ...rest,
});
const SHELF = [
  {
    id: 1,
    label: '客户端',
    enLabel: 'Client',
    children: [
      item(11, ['Windows 版', 'Windows'], { childId: [12] }),
      item(12, ['安装包', 'Installer'], {
        val: 'https://example.com/yiqiao.exe',
        size: 81_500_000,
        sha256: 'ab'.repeat(32),
        requires: { zh: 'Windows 10 以上', en: 'Windows 10 or later' },
      }),
      item(13, ['不安全', 'Unsafe'], { val: 'http://example.com/unsafe' }),
    ],
  },
];

/** The shelf that this test wants: other tests share the product's own. */
const shelve = (page: Page, valued: unknown): Promise<unknown> =>
  page.route('**/dataCus/get?id=SOFT_DOWNLOAD_CONFIG', (route) =>
    route.fulfill({
      json: {
        success: true,
        code: 'OK',
        status: 200,
        msg: '',
        data: { id: 'SOFT_DOWNLOAD_CONFIG', valued: JSON.stringify(valued) },
      },
    }),
  );

/** From another page, because a document of its own brings the list with it. */
async function goToDownloads(page: Page): Promise<void> {
  await page.goto('/home');
  await waitForHydration(page);
  await page.locator('header a[href="/download"]').first().click();
  await page.waitForURL(/\/download$/);
}

describe.each(['zh', 'en'] as const)('the download page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('offers the forms in a dialog, with https links only', async () => {
    const { page } = await newVisitor(lang);
    await shelve(page, SHELF);
    await goToDownloads(page);
    await page.getByRole('button', { name: say.choose + say.windows }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: say.fetch + say.arm });
    expect(await link.getAttribute('href')).toBe('https://example.com/yiqiao.exe');
    const text = (await page.getByRole('dialog').textContent()) ?? '';
    for (const fact of ['81.5 MB', 'ab'.repeat(32), say.requires]) expect(text).toContain(fact);
    expect(await page.locator('a[href^="http://example.com"]').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows an empty state', async () => {
    const { page } = await newVisitor(lang);
    await shelve(page, []);
    await goToDownloads(page);
    await waitForText(page, say.empty);
  });

  inTurn('shows a failure of the list and retries', async () => {
    const { page } = await newVisitor(lang);
    const busy = { success: false, data: null, msg: 'too busy', code: 'SERVICE_BUSY', status: 503 };
    await page.route('**/dataCus/get?id=SOFT_DOWNLOAD_CONFIG', (route) => route.fulfill({ status: 503, json: busy }));
    await goToDownloads(page);
    await waitForText(page, busy.msg);
    await shelve(page, SHELF);
    await page.getByRole('alert').getByRole('button').click();
    await waitForText(page, say.windows);
  });
});
