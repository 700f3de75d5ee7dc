/** The price list of the operators: one asks for another price, a second one approves, and the page follows (operators §4). */
import { describe, expect } from '@jest/globals';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser } from './support/browser.js';
import { newOperator, openOperators } from './support/operators.js';

// Plans whose price no other journey looks at.
const SAYS = {
  zh: {
    title: '套餐与价格',
    list: '价目',
    change: '改 GPT 会员',
    price: '售价（元）',
    reason: '原因',
    submit: '提交审批',
    waits: '等待审批',
    asked: '389',
    now: '¥389.00',
  },
  en: {
    title: 'Plans and prices',
    list: 'Price list',
    change: 'Change GPT Monthly',
    price: 'Price (yuan)',
    reason: 'Reason',
    submit: 'Submit for approval',
    waits: 'Waits for approval',
    asked: '329',
    now: '¥329.00',
  },
} as const;

describe.each(['zh', 'en'] as const)('prices in %s', (language) => {
  const say = SAYS[language];
  withBrowser();

  journey('a price is asked for, approved by another operator, and shown', async () => {
    const [maker, checker] = [await newOperator('finance'), await newOperator('finance')];
    const page = await openOperators('/plans', { operator: maker, language });
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    const list = page.getByRole('region', { name: say.list }).getByRole('table');
    await list.waitFor();
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: say.change, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.price, { exact: true }).fill(say.asked);
    await dialog.getByLabel(say.reason, { exact: true }).fill('the vendor raised its own price');
    expect(await seriousViolations(page)).toEqual([]);
    const asked = page.waitForResponse((response) => response.url().endsWith('/operator-api/requests'));
    await dialog.getByRole('button', { name: say.submit, exact: true }).click();
    const { data } = (await (await asked).json()) as { data: { id: number } };
    await list.getByText(say.waits).waitFor();
    await checker.post(`/requests/${data.id}/approve`, { reason: 'agreed', code: checker.recoveryCodes[0] });
    await page.reload();
    await list.getByText(say.now).waitFor();
  });
});
