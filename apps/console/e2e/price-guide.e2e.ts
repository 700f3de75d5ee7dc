/** What explains the prices: calculator, comparison, questions. */
import { describe, expect } from '@jest/globals';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone, waitForHydration, waitForText } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    nav: '价格标准',
    trial: '5,000 字符、语音 20 次、图片 20 张，1 个月内有效',
    messages: '每天翻译的消息',
    channel: '翻译通道',
    sum: '200 条 × 40 字符 × 30 天 = 240,000 字符',
    first: '标准版 × 1',
    monthly: '标准包月 × 1',
    team: '需要子账号（团队使用）',
    withTeam: '专业版 × 1',
    deepl: '专业版 × 2',
    invalid: '请填 1 到 100,000 的整数',
    take: '选这个套餐',
    professional: /^专业版/,
    table: '套餐与价格',
    row: ['专业版500 万字符', '谷歌翻译', '¥0.40 / 万字符', '150 次', '150 张', '子账号不限数量'],
    question: '额度什么时候到期？',
    answer: '到期后剩下的额度只是冻结',
  },
  en: {
    nav: 'Pricing',
    trial: '5,000 characters, 20 voice and 20 images, for 1 month',
    messages: 'Messages translated a day',
    channel: 'Translation channel',
    sum: '200 messages × 40 characters × 30 days = 240,000 characters',
    first: 'Standard × 1',
    monthly: 'Standard Monthly × 1',
    team: 'I need sub-accounts for a team',
    withTeam: 'Professional × 1',
    deepl: 'Professional × 2',
    invalid: 'Enter a whole number from 1 to 100,000',
    take: 'Choose this package',
    professional: /^Professional/,
    table: 'Packages compared',
    row: ['Professional5,000k characters', 'Google', '¥0.40 / 10k', '150 uses', '150 images', 'Unlimited sub-accounts'],
    question: 'When does quota expire?',
    answer: 'what is left is frozen',
  },
} as const;

describe.each(['zh', 'en'] as const)('the price page explains itself (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('calculates the package for messages a day, and selects it', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/home');
    await waitForHydration(page);
    await page.getByRole('banner').getByRole('link', { name: say.nav }).click();
    await waitForText(page, say.trial);
    await waitForText(page, say.sum);
    await page.getByText(say.first, { exact: true }).waitFor();
    await page.getByLabel(say.messages).fill('4000');
    await page.getByText(say.monthly, { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: say.team }).check();
    await page.getByText(say.withTeam, { exact: true }).waitFor();
    await page.getByLabel(say.channel).selectOption('DeepL');
    await page.getByText(say.deepl, { exact: true }).waitFor();
    await page.getByLabel(say.messages).fill('0');
    await page.getByText(say.invalid).waitFor();
    await page.getByLabel(say.messages).fill('4000');
    await page.getByRole('radio').first().check(); // another one
    await page.getByRole('button', { name: say.take }).press('Enter');
    expect(await page.getByRole('radio', { name: say.professional }).first().isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('price-summary');
  });

  inTurn('compares the packages, also on a phone, and answers questions without a script', async () => {
    const { context, page } = await newVisitor(lang);
    await page.goto(`/price?lang=${lang}`);
    const row = page.getByRole('table', { name: say.table }).getByRole('row').nth(2);
    const cells = async (): Promise<string[]> => {
      const all = await row.locator('th, td > span:last-child').allTextContents();
      return all.map((text) => text.trim());
    };
    expect(await cells()).toEqual(say.row);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await row.getByRole('cell').count()).toBe(5);
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.getByText(say.question).press('Enter');
    await page.getByText(say.answer).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const bare = await (await context.request.get(`/price?lang=${lang}`)).text();
    for (const text of [say.trial, say.sum, say.answer]) expect(bare).toContain(text);
  });

  inTurn('shows unit price and sub-accounts of a package at 768 px', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 768, height: 1024 });
    await page.goto(`/price?lang=${lang}`);
    const row = page.locator('.price-row').nth(1);
    for (const text of [say.row[2], lang === 'zh' ? '可建子账号' : 'Sub-accounts'])
      await row.getByText(text, { exact: true }).waitFor();
  });
});
