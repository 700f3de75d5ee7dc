/** Trial balance and daily closes in the operator console: every line opens down to its entries, every close is checked (operators §7). */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newMember } from './support/members.js';
import { runOperator } from './support/operator.js';
import { newOperator, openOperators, type SignedInOperator } from './support/operators.js';

const SAYS = {
  zh: {
    trial: '试算平衡',
    characters: '字符',
    given: /^字符 赠送 .*看由什么组成$/,
    madeOf: '由什么组成',
    line: '试用',
    byLine: '按科目',
    text: '文本翻译，看由什么组成',
    byPlan: '按套餐',
    byFamily: '按家庭',
    sum: '合计',
    moment: '时刻',
    asOf: '截至 2020-01-01 00:00:00',
    closes: '每日签名日结',
    verify: /^验证 \d/,
    whole: /^一致：/,
    balance: '一同签名的试算平衡',
    title: '账本证明',
  },
  en: {
    trial: 'Trial balance',
    characters: 'Characters',
    given: /^Characters Given .*see what it is made of$/,
    madeOf: 'What it is made of',
    line: 'Trials',
    byLine: 'By line',
    text: 'Text: see what it is made of',
    byPlan: 'By plan',
    byFamily: 'By family',
    sum: 'Sum',
    moment: 'Moment',
    asOf: 'As of 2020-01-01 00:00:00',
    closes: 'Signed daily closes',
    verify: /^Verify the close of \d/,
    whole: /^The same: the root over/,
    balance: 'Trial balance that was signed with it',
    title: 'Ledger proof',
  },
} as const;

const PAGE = '/ledger/audits';
/** Until the page, which follows a new width in the next frames, does not scroll sideways. */
const untilItFits = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

withBrowser();
let viewer: SignedInOperator;
beforeAll(async () => {
  viewer = await newOperator('viewer');
  // The worker closes the day before by itself within a minute after the start; the command makes sure of it.
  await runOperator('ledger', 'close');
});

describe.each(['zh', 'en'] as const)('the books in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];

  journey('balance now and at any second, and each number opens down to the entry that made it', async () => {
    const { userId } = await newMember();
    const page = await openOperators(PAGE, { operator: viewer, language });
    const trial = page.getByRole('region', { name: say.trial }).first();
    await trial.getByRole('row', { name: say.characters }).waitFor();
    // In this order: characters, voice, images.
    expect(await trial.locator('tbody td:last-child').allTextContents()).toEqual(['0', '0', '0']);

    await trial.getByRole('button', { name: say.given }).click();
    const drawer = page.getByRole('dialog', { name: say.madeOf });
    await drawer.getByTitle(say.line, { exact: true }).waitFor();
    await drawer.locator('tbody button').first().click();
    const entry = drawer.getByRole('link', { name: new RegExp(`\\b${userId}\\b`) });
    await entry.waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await entry.click();
    await page.waitForURL(new RegExp(`/ledger/replay/${userId}\\?.*seq=1`));

    await page.goto(`${new URL(page.url()).origin}${PAGE}?at=2020-01-01+00%3A00%3A00`);
    await trial.getByText(say.asOf).waitFor();
    expect(new Set(await trial.locator('tbody .books-sum').allTextContents())).toContain('0');
    expect(await trial.getByLabel(say.moment).inputValue()).toBe('2020-01-01 00:00:00');
  });

  inTurn('opens by line, by plan and by family, at every width', async () => {
    await newMember();
    const page = await openOperators(PAGE, { operator: viewer, language });
    const trial = page.getByRole('region', { name: say.trial }).first();
    await trial.getByText(say.byLine, { exact: true }).click();
    await trial.getByRole('button', { name: say.text }).waitFor();
    await trial.getByText(say.byPlan, { exact: true }).click();
    await trial.getByRole('row', { name: say.sum }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await trial.locator('tbody button').first().click();
    await trial.locator('tbody a[href^="/ledger/replay/"]').first().waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('families');
    for (const view of [say.byFamily, say.byPlan, say.byLine]) {
      await trial.getByText(view, { exact: true }).click();
      await trial.locator('tbody tr').first().waitFor();
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await untilItFits(page);
      }
    }
  });

  inTurn('lists the closes, opens one and checks it against the ledger', async () => {
    const page = await openOperators(PAGE, { operator: viewer, language });
    const closes = page.getByRole('region', { name: say.closes });
    await closes.getByRole('button', { name: say.verify }).first().click();
    const drawer = page.getByRole('dialog');
    const result = drawer.locator('.remark:is(.ok, .bad)');
    await result.waitFor();
    expect(await result.textContent()).toMatch(say.whole);
    await drawer.getByText(say.balance).waitFor();
    expect(await drawer.locator('.state.bad').count()).toBe(0);
    const date = new URL(page.url()).searchParams.get('close') ?? '';
    await drawer.getByText(date).first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const [site] = await Promise.all([
      page.waitForEvent('popup'),
      closes.getByRole('link', { name: '/ledger-proof' }).click(),
    ]);
    await site.getByRole('heading', { level: 1, name: say.title }).waitFor();
  });
});
