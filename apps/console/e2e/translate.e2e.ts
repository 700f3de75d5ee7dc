import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, withBrowser, type Language } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { newMember, waitForText, gotoAs } from './support/members.js';

const SENTENCE = '您好，软件已经寄出。';
const CHARS = [...SENTENCE].length;

const SAYS = {
  zh: {
    text: '原文',
    translate: '翻译',
    cost: `预计扣 ${CHARS} 字符`,
    charged: new RegExp(`扣 ${CHARS} 字符`),
    ledger: '在账变日志中查看',
    row: `−${CHARS} 字符`,
    kind: '翻译消耗',
    tag: '减少',
    tooLong: '超出 1 字符',
    quota: '余额不足',
    recharge: '去充值',
    done: '翻译成功',
    offline: '网络连接失败，请检查网络后重试',
  },
  en: {
    text: 'Source text',
    translate: 'Translate',
    cost: `Costs ${CHARS}`,
    charged: new RegExp(`charged ${CHARS}`),
    ledger: 'See it in the account log',
    row: `−${CHARS} chars`,
    kind: 'Translation',
    tag: 'Decreased',
    tooLong: 'Too long by 1',
    quota: 'The balance is not enough.',
    recharge: 'Recharge',
    done: 'Translation successful',
    offline: 'No connection. Check your network and try again.',
  },
} as const;

withBrowser();

const open = async (lang: Language): Promise<Page> => {
  const page = await gotoAs('/UserCenterChangeTranslateTest', await newMember(), lang);
  await page.getByLabel(SAYS[lang].text, { exact: true }).waitFor();
  await pickScripts(page, lang);
  return page;
};

describe.each(['zh', 'en'] as const)('translation test (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('reports a lost network at once and sends nothing later', async () => {
    const page = await open(lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await waitForText(page, say.cost);
    const send = page.getByRole('button', { name: say.translate, exact: true });
    await page.context().setOffline(true);
    await send.click();
    await waitForText(page, say.offline);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await page.context().setOffline(false);
    await send.click();
    await page.getByTestId('translated').waitFor();
    expect(sent.filter((path) => path.endsWith('/translation/text'))).toHaveLength(1);
  });

  inTurn('shows the cost, translates, and explains the charge in the ledger', async () => {
    const page = await open(lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await waitForText(page, say.cost);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText(say.done, { exact: true }).waitFor(); // it leaves by itself
    const translated = page.getByTestId('translated');
    await translated.waitFor();
    expect(await translated.textContent()).toBe('您好，軟體已經寄出。');
    expect(await translated.getAttribute('lang')).toBe('zh-Hant');
    await waitForText(page, say.charged);
    expect(await page.getByText(say.cost).count()).toBe(0); // no second price beside the one that was paid
    // antd's own English: the name of its loading icon, and "Tab 1 of 3".
    await page.getByRole('button', { name: say.translate, exact: true }).waitFor();
    await page.getByRole('tab').first().focus();
    expect(await page.getByRole('tab', { name: /^Tab / }).count()).toBe(0);

    await page.getByText(say.ledger).click();
    await page.waitForURL(/UserCenterAccountLog/);
    const row = page.locator('.ant-table-row').first();
    await row.waitFor();
    const text = (await row.textContent()) ?? '';
    for (const part of [say.kind, say.tag, say.row, '5,000', (5000 - CHARS).toLocaleString('en-US')])
      expect(text).toContain(part);
    await page.goBack(); // the text and the languages are still there
    await page.getByLabel(say.text, { exact: true }).waitFor();
    expect(await page.getByLabel(say.text, { exact: true }).inputValue()).toBe(SENTENCE);
  });

  inTurn('keeps a text that is too long or too expensive and offers the next step', async () => {
    const page = await open(lang);
    const source = page.getByLabel(say.text, { exact: true });
    await source.fill('字'.repeat(5001));
    await waitForText(page, say.tooLong);
    expect(await page.getByRole('button', { name: say.translate, exact: true }).isDisabled()).toBe(true);

    await source.fill('字'.repeat(3000));
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('translated').waitFor();
    await source.fill('词'.repeat(3000));
    await page.keyboard.press('Control+Enter');
    const refusal = page.locator('.tt-refusal');
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain(say.quota);
    expect(await source.inputValue()).toHaveLength(3000);
    await source.fill('词');
    await refusal.waitFor({ state: 'detached' }); // it was about the text before
    await source.fill('词'.repeat(3000));
    await refusal.getByText(say.recharge).click();
    await page.waitForURL(/UserCenterRecharge/);
  });
});
