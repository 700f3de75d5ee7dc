/** The public status page: figures of each channel over 90 days, refreshed without a reload. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone, waitForPage, waitForText } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    title: '系统状态',
    google: '谷歌翻译',
    bars: '谷歌翻译最近 90 天：1 天正常，1 天有故障，88 天请求太少',
    day: '2026-03-31：成功率 99.98%，12,000 次请求',
    incident: '谷歌翻译 2026-03-30 08:00 起，持续 1,440 分钟，成功率 40.12%',
    more: '显示全部 23 次故障',
    offline: '离线引擎',
    empty: '最近 90 天还没有翻译请求',
    quiet: '最近 90 天没有故障。',
    none: '还没有可用的翻译通道',
    ms: '1,230 毫秒',
    updated: '数据更新于 2026-03-31 09:',
    stale: '刷新失败，显示的是 2026-03-31 09:01:00 的数据',
    how: '统计口径',
  },
  en: {
    title: 'System status',
    google: 'Google',
    bars: 'Google, last 90 days: 1 good, 1 with incidents, 88 with too few requests',
    day: '2026-03-31: 99.98% of 12,000 requests succeeded',
    incident: 'Google from 2026-03-30 08:00 for 1,440 minutes: 40.12% succeeded',
    more: 'Show all 23 incidents',
    offline: 'Offline engine',
    empty: 'No translation requests in the last 90 days yet',
    quiet: 'No incidents in the last 90 days.',
    none: 'No translation channel is available yet',
    ms: '1,230 ms',
    updated: 'Updated 2026-03-31 09:',
    stale: 'The last refresh failed. These figures are of 2026-03-31 09:01:00.',
    how: 'How this is measured',
  },
} as const;

const HISTORY = '**/tranChannel/history';
const DAYS = Array.from({ length: 90 }, (_, n) =>
  new Date(Date.UTC(2026, 2, 31 - (89 - n))).toISOString().slice(0, 10),
);

const channel = (requests: number) => ({
  id: 2,
  name: '谷歌翻译',
  enName: 'Google',
  requests,
  successShare: 0.99989,
  medianMs: 1_230,
  p95Ms: 4_000,
  days: DAYS.map((date, n) =>
    n === 89 ? { date, requests: 12_000, successShare: 0.99989 } : { date, requests: 0, successShare: null },
  ),
  incidents: [
    { beginDateTime: '2026-03-30 08:00:00', minutes: 1_440, successShare: 0.4012 },
    // More than the page lists at first, all on one day.
    ...Array.from({ length: 22 }, (_, n) => ({
      beginDateTime: `2026-03-30 0${Math.floor(n / 6)}:${n % 6}0:00`,
      minutes: 30,
      successShare: 0.5,
    })),
  ],
});

const answer = (page: Page, channels: readonly unknown[], updateDateTime = '2026-03-31 09:00:00'): Promise<unknown> =>
  page.route(HISTORY, (route) =>
    route.fulfill({
      json: { success: true, code: 'OK', status: 200, msg: '', data: { updateDateTime, channels } },
    }),
  );
const fail = (page: Page): Promise<unknown> =>
  page.route(HISTORY, (route) =>
    route.fulfill({
      status: 503,
      json: { success: false, data: null, msg: 'too busy', code: 'SERVICE_BUSY', status: 503 },
    }),
  );

describe.each(['zh', 'en'] as const)('the status page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('is linked in the footer and shows the figures of this installation', async () => {
    const { context, page } = await newVisitor(lang);
    await page.goto('/home');
    await page.getByRole('contentinfo').getByRole('link', { name: say.title }).click();
    await page.waitForURL(/\/status$/);
    await page.getByRole('rowheader', { name: say.offline }).waitFor();
    const bars = page.getByRole('row').filter({ hasText: say.offline }).locator('svg rect');
    expect(await bars.count()).toBe(90);
    expect(await (await context.request.get(`/status?lang=${lang}`)).text()).toContain(say.how);
  });

  inTurn('shows success, times and incidents, also on a phone', async () => {
    const { page } = await newVisitor(lang);
    await answer(page, [channel(12_000)]);
    await page.goto('/status');
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: say.google }) });
    await row.waitFor();
    const cells = await row.getByRole('cell').allTextContents();
    expect(cells.slice(0, 4)).toEqual(['99.98%', say.ms, say.ms.replace('1,230', '4,000'), '12,000']);
    await row.getByRole('img', { name: say.bars }).waitFor();
    expect(await row.locator('rect title').last().textContent()).toBe(say.day);
    const incidents = page.locator('.status-incidents li');
    expect(await incidents.first().textContent()).toBe(say.incident);
    expect(await incidents.count()).toBe(20);
    await page.getByRole('button', { name: say.more }).click();
    expect(await incidents.count()).toBe(23);
    expect(await seriousViolations(page)).toEqual([]);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn(
    'is refreshed without a reload; a refresh that fails leaves the figures; its times are the server’s',
    async () => {
      const { page } = await newVisitor(lang);
      // The times are the server's: a wrong clock changes nothing.
      await page.clock.install({ time: new Date('2001-02-03T04:05:06Z') });
      await answer(page, [channel(12_000)]);
      await page.goto('/status');
      await page.getByRole('cell', { name: '12,000' }).waitFor();
      await waitForText(page, `${say.updated}00:00`);
      await answer(page, [channel(12_345)], '2026-03-31 09:01:00');
      await page.clock.fastForward(60_000);
      await page.getByRole('cell', { name: '12,345' }).waitFor();
      await waitForText(page, `${say.updated}01:00`);
      await fail(page);
      await page.clock.fastForward(60_000);
      await waitForText(page, say.stale);
      await page.getByRole('cell', { name: '12,345' }).waitFor();
    },
  );

  inTurn('says what a new installation has nothing of yet', async () => {
    const { page } = await newVisitor(lang);
    const quiet = { requests: 0, successShare: null, medianMs: null, p95Ms: null, incidents: [] };
    const days = DAYS.map((date) => ({ date, requests: 0, successShare: null }));
    await answer(page, [{ ...channel(0), ...quiet, days }]);
    await page.goto('/status');
    await waitForText(page, say.empty);
    await waitForText(page, say.quiet);
    await answer(page, []);
    await page.reload();
    await waitForText(page, say.none);
    await waitForPage(page);
  });

  inTurn('says that the figures did not load, and loads them when asked', async () => {
    const { page } = await newVisitor(lang);
    await fail(page);
    await page.goto('/status');
    await waitForText(page, 'too busy');
    await waitForText(page, say.how);
    await answer(page, [channel(12_000)]);
    await page.getByRole('alert').getByRole('button').click();
    await page.getByRole('cell', { name: '12,000' }).waitFor();
  });
});
