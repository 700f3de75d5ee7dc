/** Accounts at vendors in the operators' console: added, tested, serving within a second, and paused (operators §9). */
import { randomBytes } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newOperator, openOperators } from './support/operators.js';

const SAYS = {
  zh: {
    title: '通道与供应商',
    health: '健康与份额',
    add: '加账号 LibreTranslate',
    name: '名称',
    key: '密钥',
    weight: '权重',
    margin: '成本与收入',
    byDay: '按日',
    bills: '供应商账单',
    billAccount: '账号',
    billNumber: '账单号',
    billAmount: '金额（元）',
    enterBill: '录入账单',
    voidBill: '作废',
    voided: '已作废',
    reason: '原因',
    code: '验证码',
    submit: '加上',
    test: '测试',
    tested: /毫秒，13 字符/,
    pause: '暂停',
    paused: '已暂停',
    only: '只有财务、所有者可以',
    edit: '编辑',
  },
  en: {
    title: 'Channels',
    health: 'Health and share',
    add: 'Add account LibreTranslate',
    name: 'Name',
    key: 'Key',
    weight: 'Weight',
    margin: 'Cost and income',
    byDay: 'Day',
    bills: 'Vendor bills',
    billAccount: 'Account',
    billNumber: 'Bill number',
    billAmount: 'Amount (yuan)',
    enterBill: 'Enter the bill',
    voidBill: 'Void',
    voided: 'Voided',
    reason: 'Reason',
    code: 'Code',
    submit: 'Add',
    test: 'Test',
    tested: /ms, 13 characters/,
    pause: 'Pause',
    paused: 'Paused',
    only: 'Only for Finance, Owner',
    edit: 'Edit',
  },
} as const;

describe.each(['zh', 'en'] as const)('channels in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  journey('adds an account, tests it and pauses it', async () => {
    const operator = await newOperator('finance');
    const page = await openOperators('/channels', { operator, language });
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    const table = page.getByRole('region', { name: say.health }).getByRole('table');
    await table.waitFor();
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await seriousViolations(page)).toEqual([]);
    const name = `journey-${randomBytes(4).toString('hex')}`;
    await page.getByRole('link', { name: say.add }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.name, { exact: true }).fill(name);
    await drawer.getByLabel(say.key, { exact: true }).fill(`sandbox-libretranslate-${name}`);
    await drawer.getByLabel(say.weight, { exact: true }).fill('100');
    await drawer.getByLabel(say.reason, { exact: true }).fill('a journey through the console');
    await drawer.getByLabel(say.code, { exact: true }).fill(operator.recoveryCodes[0] ?? '');
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: say.submit, exact: true }).click();
    await page.waitForURL(`**/channels/libretranslate/${name}`);
    await drawer.getByRole('button', { name: say.test, exact: true }).click();
    await drawer.getByText(say.tested).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByLabel(say.reason, { exact: true }).fill('the journey ends');
    await drawer.getByRole('button', { name: say.pause, exact: true }).click();
    const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await row.getByText(say.paused).waitFor();
  });

  inTurn('shows the margin, and takes a bill that is voided again', async () => {
    const page = await openOperators('/channels', { operator: await newOperator('finance'), language });
    const margin = page.getByRole('region', { name: say.margin }).first();
    await margin.getByText(say.byDay, { exact: true }).click();
    await page.waitForURL(/by=day/);
    await margin
      .getByRole('rowheader', { name: /^20\d\d-/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: say.bills, exact: true }).click();
    const drawer = page.getByRole('dialog');
    const number = `B-${randomBytes(4).toString('hex')}`;
    await drawer.getByLabel(say.billAccount, { exact: true }).click();
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option-active').waitFor();
    await page.keyboard.press('Enter');
    await drawer.getByLabel(say.billNumber, { exact: true }).fill(number);
    await drawer.getByLabel(say.billAmount, { exact: true }).fill('123.45');
    await drawer.getByLabel(say.reason, { exact: true }).fill('a journey through the console');
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: say.enterBill, exact: true }).click();
    const row = drawer.getByRole('row').filter({ hasText: number });
    await row.getByText('¥123.45', { exact: true }).waitFor();
    await row.getByRole('button', { name: `${say.voidBill} ${number}` }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByLabel(say.reason, { exact: true }).fill('the journey ends');
    await dialog.getByRole('button', { name: say.voidBill, exact: true }).click();
    await row.getByText(say.voided, { exact: true }).waitFor();
  });

  inTurn('shows a viewer everything, and says who may change it', async () => {
    const page = await openOperators('/channels', { operator: await newOperator('viewer'), language });
    const region = page.getByRole('region', { name: say.health });
    await region
      .getByRole('link', { name: new RegExp(`^${say.edit} `) })
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(say.only).waitFor();
    expect(await drawer.getByRole('button', { name: say.test, exact: true }).count()).toBe(0);
  });
});
