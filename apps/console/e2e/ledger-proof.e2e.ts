/** The public list of signed daily closes, verified in the browser (operators §7). */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { SANDBOX_URL } from './support/environment.js';
import { overflowsOnPhone, waitForText } from './support/members.js';
import { runOperator } from './support/operator.js';

withBrowser();

const SAYS = {
  zh: {
    title: '账本证明',
    verify: '在浏览器里验证这个列表',
    whole: /个日结的签名全部有效，并且首尾相连/,
    broken: /的日结：签名无效$/,
    none: '还没有日结。每天零点过后会生成前一天的一份。',
    failed: '日结列表加载失败',
  },
  en: {
    title: 'Ledger proof',
    verify: 'Verify this list in your browser',
    whole: /valid and the closes follow one another/,
    broken: /^The close of .*: its signature is not valid$/,
    none: 'No close yet. Shortly after midnight the day before is closed.',
    failed: 'The list of closes couldn’t be loaded',
  },
} as const;

type Close = { number: number; root: string };
type Answer = { data: { rows: Close[]; total: number } };
const LIST = '**/ledger/closes*';
const change = (page: Page, edit: (answer: Answer) => void): Promise<unknown> =>
  page.route(LIST, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    edit(answer);
    await route.fulfill({ response, json: answer });
  });

// The day before is closed within a minute after the start; the command makes sure of it.
beforeAll(async () => void (await runOperator('ledger', 'close')));

describe.each(['zh', 'en'] as const)('the ledger proof page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('is linked in the footer, lists the closes of the witness, and verifies them', async () => {
    const { context, page } = await newVisitor(lang);
    await page.goto('/home');
    await page.getByRole('contentinfo').getByRole('link', { name: say.title }).click();
    await page.waitForURL(/\/ledger-proof$/);
    const kept = await context.request.get(`${SANDBOX_URL}/witness`, { headers: { Accept: 'application/json' } });
    const newest = ((await kept.json()) as Close[]).at(-1);
    await waitForText(page, newest?.root ?? 'a close at the witness');
    await page.getByRole('button', { name: say.verify }).click();
    await waitForText(page, say.whole);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousViolations(page)).toEqual([]);
    }
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('names a close that was changed, and says when there is none or no answer', async () => {
    const { page } = await newVisitor(lang);
    await change(page, ({ data }) => data.rows.forEach((close) => (close.root = '0'.repeat(64))));
    await page.goto('/ledger-proof');
    await page.getByRole('button', { name: say.verify }).click();
    await waitForText(page, say.broken);
    await page.unroute(LIST);
    await change(page, (answer) => (answer.data = { rows: [], total: 0 }));
    await page.reload();
    await waitForText(page, say.none);
    await page.unroute(LIST);
    await page.route(LIST, (route) => route.abort());
    await page.reload();
    await waitForText(page, say.failed);
  });
});
