/** Auditing in the operator console: a run over everything, over one family, its report, and the foot of the side bar (operators §7). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser } from './support/browser.js';
import { newMember } from './support/members.js';
import { newOperator, openOperators } from './support/operators.js';

const SAYS = {
  zh: {
    title: '核对与日结',
    all: '核对全库',
    fresh: '自锚点起核对',
    freshWhole: '自锚点以来完整',
    one: '核对一个账号',
    id: '会员编号',
    go: '开始核对',
    whole: '账本完整',
    family: (id: number) => `家庭 #${id}`,
    wholeRow: '完整',
    report: '报告',
    reportOf: '核对报告',
  },
  en: {
    title: 'Audit and close',
    all: 'Audit everything',
    fresh: 'Audit since the anchors',
    freshWhole: 'Whole since the anchors',
    one: 'Audit one account',
    id: 'Member id',
    go: 'Start the audit',
    whole: 'Ledger whole',
    family: (id: number) => `Family #${id}`,
    wholeRow: 'Whole',
    report: 'Report',
    reportOf: 'Audit report',
  },
} as const;

/** Until the page, which follows a new width in the next frames, does not scroll sideways. */
const untilItFits = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

describe.each(['zh', 'en'] as const)('audits in %s', (language) => {
  const say = SAYS[language];
  withBrowser();

  journey('a viewer audits the ledger and one family, and reads the report', async () => {
    const operator = await newOperator('viewer');
    const { userId } = await newMember();
    const page = await openOperators('/ledger/audits', { operator, language });
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    // Waits while another run is under way.
    await page.getByRole('button', { name: say.all }).click();
    await page.locator('.audit-run').getByText(say.whole).waitFor();
    await page.locator('.rail .ledger-status').getByText(say.whole).waitFor();
    // Of this run or, until it is there, of the one before.
    await page.locator('.audit-bridge .done:not(.deck)').nth(23).waitFor();

    await page.getByRole('button', { name: say.fresh }).click();
    await page.locator('.audit-run').getByText(say.freshWhole).waitFor();
    await page.getByRole('button', { name: say.one }).click();
    await page.getByLabel(say.id).fill(String(userId));
    await page.getByRole('button', { name: say.go }).click();
    const row = page.getByRole('row', { name: say.family(userId) });
    await row.locator('.state').filter({ hasText: say.wholeRow }).waitFor(); // its depth may be named so, too
    await row.getByText(operator.name).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await untilItFits(page);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await row.getByRole('link', { name: say.report }).click();
    await page.getByRole('heading', { level: 1, name: say.reportOf }).waitFor();
    await page.locator('.audit-run-title.whole').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});
