/**
 * A stranger finds out why a balance is what it is and who caused it, on a family with ten thousand entries: with the mouse, and with the
 * keyboard alone (operators §6).
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { postAs, type Child } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser, type Language } from './support/browser.js';
import { newFamily } from './support/families.js';
import { overflowsOnPhone, type SignedIn } from './support/members.js';
import { runOperator } from './support/operator.js';
import { newOperator, openOperators, type SignedInOperator } from './support/operators.js';

const SAYS = {
  zh: {
    title: '时间机器',
    field: '会员、邮箱、订单号、命令号',
    open: '打开',
    proof: '导出证明',
    whole: '链完整',
    operators: '操作员',
    reason: '原因',
    moment: '时间',
    next: '下一条',
    previous: '上一条',
    play: '播放',
    pause: '暂停',
    compare: '比较两个时刻',
    left: '没有归属的',
    every: '每个单位都有归属',
    tell: '怎么对会员说',
    family: /^全家 \d+ 个$/,
    sum: '全家合计',
    moves: '家庭内的搬动',
    equal: '相等相反',
    goTo: '跳到',
    adjusted: '我们为你做的调整',
    table: '以表格显示这段时间',
  },
  en: {
    title: 'Time machine',
    field: 'Member, address, order, command',
    open: 'Open',
    proof: 'Export proof',
    whole: 'Chain whole',
    operators: 'Operators',
    reason: 'Reason',
    moment: 'Time',
    next: 'Next entry',
    previous: 'Previous entry',
    play: 'Play',
    pause: 'Pause',
    compare: 'Compare two moments',
    left: 'Unattributed',
    every: 'Every unit has its cause',
    tell: 'What to tell the member',
    family: /^Family of \d+$/,
    sum: 'The family',
    moves: 'Moves within the family',
    equal: 'equal and opposite',
    goTo: 'Go to',
    adjusted: 'adjustments that we made',
    table: 'Show this time as a table',
  },
} as const;

/** With one entry for both sides of each movement: ten thousand in all. */
const CHILDREN = 25;
const ROUNDS = 200;
const REASON = 'the pictures of an outage';

withBrowser();
let main: SignedIn;
let children: Child[];
let viewer: SignedInOperator;

beforeAll(async () => {
  ({ main, children } = await newFamily(CHILDREN));
  const give = (): Promise<unknown> =>
    postAs(main, '/user/batch/distribution', { account: '', mode: 'give', charNum: 1, voiceNum: 0, imageNum: 0 });
  for (let round = 0; round < ROUNDS; round++) {
    if (round === ROUNDS / 2)
      await runOperator('account', 'adjust', main.username, '--chars', '7777', '--reason', REASON);
    await give();
  }
  viewer = await newOperator('viewer');
}, 300_000);

const slider = (page: Page, lang: Language) => page.getByRole('slider', { name: SAYS[lang].moment });
const entryOf = async (page: Page, lang: Language): Promise<number> =>
  Number(await slider(page, lang).getAttribute('aria-valuenow'));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe.each(['zh', 'en'] as const)('the time machine (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  const open = (path: string): Promise<Page> => openOperators(path, { operator: viewer, language: lang });

  journey('with the mouse: the operator behind a change, the same in the difference and in the family', async () => {
    const page = await open('/ledger/replay');
    await page.getByLabel(say.field).fill(main.email);
    await button(page, say.open).click();
    await page.getByText(say.whole).first().waitFor();
    const total = await entryOf(page, lang);
    expect(total).toBeGreaterThanOrEqual(CHILDREN * ROUNDS);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: say.proof }).click(),
    ]);
    const proof = JSON.parse(await readFile(await download.path(), 'utf8')) as { userId: number; entries: unknown[] };
    expect({ userId: proof.userId, entries: proof.entries.length }).toEqual({ userId: main.userId, entries: total });

    await page.locator('.chips').getByRole('button', { name: say.operators }).click();
    await page.locator('.ev.hd .row').first().click();
    const cause = page.locator('.ev.now .xd');
    await cause.getByText(REASON, { exact: true }).waitFor();
    expect(await cause.locator('.tag.hd').textContent()).not.toBe('');
    const at = await entryOf(page, lang);
    expect(at).toBeLessThan(total);
    await page.waitForURL(new RegExp(`seq=${at}`));
    expect(await page.locator('.ev.now .ba').textContent()).toMatch(/^[\d,]+[\d,]+$/);
    expect(await seriousViolations(page)).toEqual([]);

    await button(page, say.next).click();
    await page.waitForURL(new RegExp(`seq=${at + 1}`));
    await button(page, say.table).click();
    expect(await page.locator('.tm-table tbody tr').count()).toBeGreaterThan(1);

    await button(page, say.compare).click();
    await page.getByText(say.every).waitFor();
    const left = page.locator('tr', { hasText: say.left }).locator('td.n');
    expect(await left.allTextContents()).toEqual(['0', '0', '0']);
    const letter = page.locator('.tell');
    await letter.getByText(say.adjusted).waitFor();
    expect(await letter.textContent()).not.toContain(REASON);
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('button', { name: say.family }).click();
    await page.getByText(say.sum, { exact: true }).waitFor();
    await page.getByRole('heading', { name: say.moves }).waitFor();
    expect(new Set(await page.locator('.moves tbody .st').allTextContents())).toEqual(new Set([say.equal]));
    expect(await seriousViolations(page)).toEqual([]);
  });

  inTurn('with the keyboard alone: to a moment, entry by entry, playing, comparing', async () => {
    const page = await open('/ledger/replay');
    await page.getByLabel(say.field).waitFor();
    await page.keyboard.type(String(main.userId));
    await page.keyboard.press('Enter');
    await page.getByText(say.whole).first().waitFor();
    const total = await entryOf(page, lang);

    await page.keyboard.press('Shift+G');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(say.goTo);
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await page.waitForURL(/seq=100(&|$)/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/seq=101(&|$)/);
    expect(await slider(page, lang).getAttribute('aria-valuetext')).toContain('101');
    await page.keyboard.press('Space');
    await button(page, say.pause).waitFor();
    await page.waitForFunction(
      (label) =>
        Number(document.querySelector(`[role=slider][aria-label="${label}"]`)?.getAttribute('aria-valuenow')) > 102,
      say.moment,
    );
    await page.keyboard.press('Space');
    await button(page, say.play).waitFor();

    await page.keyboard.press('Home');
    await page.waitForURL(/seq=1(&|$)/);
    await page.keyboard.press('[');
    await page.keyboard.press('End');
    await page.waitForURL(new RegExp(`seq=${total}(&|$)`));
    await page.keyboard.press(']');
    await page.keyboard.press('d');
    await page.waitForURL(/\/diff\?from=/);
    await page.getByText(say.every).waitFor();
  });

  inTurn('with the keyboard alone in the family: its ends, a command, a day, two moments', async () => {
    const page = await open(`/ledger/replay/${main.userId}?scope=family`);
    await page.getByText(say.sum, { exact: true }).waitFor();
    const total = await entryOf(page, lang);
    const shows = (n: number): Promise<unknown> =>
      page.waitForFunction(
        ([label, wanted]) =>
          Number(document.querySelector(`[role=slider][aria-label="${label}"]`)?.getAttribute('aria-valuenow')) ===
          wanted,
        [say.moment, n] as const,
      );
    await page.keyboard.press('Home');
    await page.waitForFunction(
      ([label, end]) =>
        Number(document.querySelector(`[role=slider][aria-label="${label}"]`)?.getAttribute('aria-valuenow')) < end / 2,
      [say.moment, total] as const,
    );
    const first = await entryOf(page, lang);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      ([label, before]) =>
        Number(document.querySelector(`[role=slider][aria-label="${label}"]`)?.getAttribute('aria-valuenow')) > before,
      [say.moment, first] as const,
    );
    await page.keyboard.press('[');
    await page.keyboard.press('End');
    await shows(total);
    await page.keyboard.press(']');
    await page.keyboard.press('Shift+G');
    await page.keyboard.type('100');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .filter({ hasText: lang === 'zh' ? '序号' : 'number' })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('d');
    await page.waitForURL(/\/diff\?from=/);
    await page.getByText(say.every).waitFor();
  });

  inTurn('fits a phone', async () => {
    const page = await open(`/ledger/replay/${main.userId}`);
    await page.getByText(say.whole).first().waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.goto(`${new URL(page.url()).origin}/ledger/replay/${children[0]?.userId ?? 0}?scope=family`);
    await page.getByText(say.sum, { exact: true }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
