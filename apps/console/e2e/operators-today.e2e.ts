/** The operators' first page: what waits, figures, the mirrored chart and its table, ranges in the address (OPERATOR.md §4). */
import { describe, expect } from '@jest/globals';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { OPERATORS_URL } from './support/environment.js';
import { newOperator, openOperators } from './support/operators.js';

const SAYS = {
  zh: {
    title: '今日',
    first: '先做这些',
    paid: '收款',
    chart: '收在水上，用在水下',
    asTable: '以表格查看',
    asChart: '以图查看',
    hour: '时',
    date: '日期',
    week: '近 7 日',
    system: '系统',
    ledger: '账本的证明',
    trial: '试算差额',
    api: '接口',
    double: '重复付款',
    second: '退第二笔',
    order: '订单',
  },
  en: {
    title: 'Today',
    first: 'Do these first',
    paid: 'Received',
    chart: 'Money above, use below',
    asTable: 'As a table',
    asChart: 'As a chart',
    hour: 'Hour',
    date: 'Date',
    week: '7 days',
    system: 'System',
    ledger: 'Proof of the ledger',
    trial: 'Trial balance difference',
    api: 'API',
    double: 'paid twice',
    second: 'Give it back',
    order: 'Order',
  },
} as const;

describe.each(['zh', 'en'] as const)('today in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey('shows the day at every width, as a chart and as a table, and keeps its range in the address', async () => {
    const page = await openOperators('/', { operator: await newOperator('finance'), language });
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    await page.getByRole('region', { name: say.first }).waitFor();
    await page
      .getByRole('region', { name: say.paid, exact: true })
      .getByText(/^¥[\d,]+\.\d\d$/)
      .waitFor();
    const system = page.getByRole('region', { name: say.system, exact: true });
    for (const name of ['PostgreSQL', say.api]) await system.getByText(name, { exact: true }).waitFor();
    await page.getByRole('region', { name: say.ledger }).getByText(say.trial).waitFor();
    const chart = page.getByRole('region', { name: say.chart });
    await chart.getByRole('img').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await chart.getByRole('button', { name: say.asTable }).click();
    expect(await chart.getByRole('row').count()).toBe(25);
    await chart.getByRole('columnheader', { name: say.hour, exact: true }).waitFor();
    await page.getByText(say.week, { exact: true }).click();
    await chart.getByRole('columnheader', { name: say.date }).waitFor();
    expect(page.url()).toBe(`${OPERATORS_URL}/?range=week`);
    await page.reload();
    await chart.getByRole('button', { name: say.asTable }).click();
    expect(await chart.getByRole('row').count()).toBe(8);
    await chart.getByRole('button', { name: say.asChart }).click();
    await chart.getByRole('img').waitFor();
  });

  inTurn('leads from what waits to where it is done', async () => {
    const page = await openOperators('/nowhere', { operator: await newOperator('finance'), language });
    const task = {
      kind: 'payment',
      id: 'double-1',
      what: 'double',
      ref: 'YQ1',
      title: say.double,
      note: 'YQ1',
      amount: 8_800,
      since: '2026-11-28 10:00:00',
      waitedSeconds: 60,
      leftSeconds: null,
    };
    const data = { total: 1, amount: 8_800, kinds: { payment: 1 }, tasks: [task] };
    await page.route('**/operator-api/today/tasks', (route) =>
      route.fulfill({ json: { success: true, msg: '', data } }),
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('region', { name: say.first }).getByRole('link', { name: say.second }).click();
    await page.waitForURL('**/payments/orders/YQ1');
    await page.locator('.shell-place [aria-current=page]', { hasText: say.order }).waitFor();
  });

  inTurn('says what could not be read, with the request’s id, and reads it again', async () => {
    const operator = await newOperator('viewer');
    const page = await openOperators('/nowhere', { operator, language });
    await page.route('**/operator-api/today/tasks', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'X-Request-Id': 'request-of-the-test', 'Content-Type': 'application/json' },
        body: JSON.stringify({ success: false, data: null, msg: 'down', code: 'UNAVAILABLE', status: 503 }),
      }),
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const first = page.getByRole('region', { name: say.first });
    await first.getByText('request-of-the-test').waitFor();
    await page.unroute('**/operator-api/today/tasks');
    await first.getByRole('button').click();
    await first.getByText('request-of-the-test').waitFor({ state: 'detached' });
  });
});
