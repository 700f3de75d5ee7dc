/** Prices in the console: drafted, replayed, asked for, approved by a second operator, and kept as versions (operators §4, §8). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newOperator, openOperators } from './support/operators.js';

// Plans whose price no other journey looks at.
const SAYS = {
  zh: {
    title: '套餐与价格',
    list: '价目',
    change: '改 GPT 会员',
    price: '售价（元）',
    keep: '放进改动',
    changes: '改动 1 处，尚未发布',
    draft: '¥389.00',
    replay: '重演',
    sound: '基线与实收相同，差 0',
    whole: '合起来',
    publish: '提交发布',
    attached: /^附试算 #\d+/,
    reason: '原因',
    submit: '提交审批',
    waits: '待审批',
    asked: '389',
    now: '¥389.00',
    runs: '试算记录',
    compareRun: '比较试算 #',
    compared: '比较',
    versions: '发布记录',
    channels: '通道价',
    channelChange: '改 LibreTranslate',
    rate: '换算价（微元/字符）',
    undo: '撤回 通道「LibreTranslate」换算价',
    none: '没有改动',
  },
  en: {
    title: 'Plans and prices',
    list: 'Price list',
    change: 'Change GPT Monthly',
    price: 'Price (yuan)',
    keep: 'Keep in the draft',
    changes: '1 change, not published',
    draft: '¥329.00',
    replay: 'Replay',
    sound: 'Baseline as charged, difference 0',
    whole: 'In all',
    publish: 'Submit to publish',
    attached: /^What-if #\d+ is attached/,
    reason: 'Reason',
    submit: 'Submit for approval',
    waits: 'Waiting',
    asked: '329',
    now: '¥329.00',
    runs: 'What-ifs',
    compareRun: 'Compare what-if #',
    compared: 'Compare',
    versions: 'Published',
    channels: 'Channel prices',
    channelChange: 'Change LibreTranslate',
    rate: 'Price (micro-yuan per character)',
    undo: 'Undo Channel LibreTranslate: price',
    none: 'No changes',
  },
} as const;

const REASON = 'the vendor raised its own price';

async function fits(page: Page): Promise<void> {
  for (const width of [1280, 1024, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }
}

describe.each(['zh', 'en'] as const)('prices in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey(
    'a price is drafted, replayed, asked for with the replay, approved by another operator, and shown',
    async () => {
      const [maker, checker] = [await newOperator('finance'), await newOperator('finance')];
      const page = await openOperators('/plans', { operator: maker, language });
      await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
      const list = page.getByRole('region', { name: say.list }).getByRole('table');
      await list.waitFor();
      await page.getByRole('button', { name: say.change, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say.price, { exact: true }).fill(say.asked);
      expect(await seriousViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: say.keep, exact: true }).click();
      await page.getByRole('heading', { name: say.changes }).waitFor();
      // The draft is in the address: it survives a reload.
      await page.reload();
      await list.getByRole('button', { name: say.draft }).waitFor();

      await page.getByRole('button', { name: say.replay, exact: true }).click();
      await page.getByText(say.sound).waitFor();
      await page.getByRole('heading', { name: say.whole }).waitFor();
      await fits(page);
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByRole('button', { name: say.publish, exact: true }).click();
      await dialog.getByText(say.attached).waitFor();
      await dialog.getByLabel(say.reason, { exact: true }).fill(REASON);
      expect(await seriousViolations(page)).toEqual([]);
      const asked = page.waitForResponse((response) => response.url().endsWith('/operator-api/requests'));
      await dialog.getByRole('button', { name: say.submit, exact: true }).click();
      const { data } = (await (await asked).json()) as { data: { id: number } };
      await list.getByText(say.waits).waitFor();
      await page.getByRole('heading', { name: say.none }).waitFor();
      await checker.post(`/requests/${data.id}/approve`, { reason: 'agreed', code: checker.recoveryCodes[0] });
      await page.reload();
      await list.getByText(say.now).waitFor();

      await page.getByRole('link', { name: say.versions, exact: true }).click();
      const version = page.getByRole('row').filter({ hasText: REASON }).filter({ hasText: say.now });
      await version.getByRole('link', { name: `A-${String(data.id).padStart(4, '0')}` }).waitFor();
      expect(await seriousViolations(page)).toEqual([]);
    },
  );

  inTurn('two replays of a channel’s price are kept and compared', async () => {
    const page = await openOperators('/plans/channels', { operator: await newOperator('viewer'), language });
    const ids: string[] = [];
    for (const price of ['44', '48']) {
      await page.getByRole('button', { name: say.channelChange, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(say.rate, { exact: true }).fill(price);
      await dialog.getByRole('button', { name: say.keep, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: say.replay, exact: true }).click();
      const idOf = (url: URL): string => url.searchParams.get('whatIf') ?? '';
      await page.waitForURL((url) => !['', ...ids].includes(idOf(url)));
      ids.push(idOf(new URL(page.url())));
      await page.getByRole('heading', { name: `#${ids.at(-1)}` }).waitFor();
      await page.getByText(say.sound).waitFor();
    }
    // A viewer replays, and asks for nothing.
    expect(await page.getByRole('button', { name: say.publish, exact: true }).count()).toBe(0);
    await fits(page);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: say.runs, exact: true }).click();
    for (const id of ids) await page.getByRole('checkbox', { name: `${say.compareRun}${id}`, exact: true }).check();
    await page.getByRole('region', { name: say.compared, exact: true }).getByRole('table').waitFor();
    await fits(page);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: say.channels, exact: true }).click();
    await page.getByRole('button', { name: say.undo, exact: true }).click();
    await page.getByRole('heading', { name: say.none }).waitFor();
  });
});
