/** Whom one may write to, and whether somebody is one of ours (specification §2, §5, §8). */
import { describe, expect } from '@jest/globals';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { seriousViolations } from './support/axe.js';
import { overflowsOnPhone, waitForText, waitForPage } from './support/members.js';

withBrowser();

const WORDS = {
  zh: {
    title: '联系我们',
    pre: '售前咨询',
    after: '售后咨询',
    copyFirst: '复制微信账号 yiqiao-sales',
    copied: '复制成功',
    verify: '客服验证',
    platform: '平台',
    choose: '请选择平台',
    missing: '请输入账号',
    telegram: 'Telegram ID',
    wechat: '微信名',
    other: '账号代码',
    check: '验证',
    verified: '验证成功',
    attention: '请注意',
    warning: '该账号未经验证，请谨慎操作。',
    again: '再验证一个',
  },
  en: {
    title: 'Contact us',
    pre: 'Before you buy',
    after: 'After you buy',
    copyFirst: 'Copy the WeChat account yiqiao-sales',
    copied: 'Copied',
    verify: 'Verify an account',
    platform: 'Platform',
    choose: 'Please choose a platform',
    missing: 'Please enter the account',
    telegram: 'Telegram ID',
    wechat: 'WeChat name',
    other: 'Account code',
    check: 'Verify',
    verified: 'Verified',
    attention: 'Attention',
    warning: 'This account has not been verified, please proceed with caution',
    again: 'Verify another',
  },
} as const;

describe.each(['zh', 'en'] as const)('the contact page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = WORDS[lang];

  journey('shows pre-sale and after-sale contacts with their codes', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/contactUs');
    await page.getByRole('heading', { name: say.title, level: 1 }).waitFor();
    const [pre, after] = [say.pre, say.after].map((name) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) }),
    );
    await pre?.getByText('yiqiao-sales', { exact: true }).waitFor();
    expect(await pre?.getByText('yiqiao-care', { exact: true }).count()).toBe(0);
    expect(await after?.getByText('yiqiao_care', { exact: true }).count()).toBe(1);
    await pre?.getByRole('img').first().scrollIntoViewIfNeeded();
    await page.waitForFunction(() => [...document.images].some((img) => img.naturalWidth === 400));
    await page.getByRole('button', { name: say.copyFirst }).click();
    await page.getByRole('button', { name: say.copied }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('says whether an account is one of ours; any doubt is a warning', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/contactUs');
    await page.getByRole('main').getByRole('button', { name: say.verify }).click();
    const question = page.getByRole('dialog', { name: say.verify });
    await question.getByRole('button', { name: say.check }).click();
    await waitForText(page, say.missing);
    const platform = question.getByLabel(say.platform);
    for (const [name, label] of [
      ['WeChat', say.wechat],
      ['WhatsApp', say.other],
      ['Telegram', say.telegram],
    ] as const) {
      await platform.selectOption(name);
      await question.getByLabel(label).waitFor();
    }
    await question.getByLabel(say.telegram).fill('yiqiao_care');
    await question.getByRole('button', { name: say.check }).click();
    const yes = page.getByRole('dialog', { name: say.verified });
    await yes.getByRole('button', { name: say.again }).click();
    await platform.selectOption('Telegram');
    await question.getByLabel(say.telegram).fill('yiqiao_carе');
    await question.getByRole('button', { name: say.check }).click();
    // Read out as a whole, at once, and red.
    const no = page.getByRole('alertdialog', { name: say.attention, description: say.warning });
    const warning = no.getByText(say.warning);
    expect(await warning.evaluate((words) => getComputedStyle(words).color)).toBe('rgb(179, 53, 43)');
    const heading = no.getByRole('heading', { name: say.attention });
    expect(await heading.evaluate((words) => getComputedStyle(words).color)).toBe('rgb(179, 53, 43)');
    expect(await seriousViolations(page)).toEqual([]);
    await no.getByRole('button', { name: say.again }).click();
    // Whatever the server says or does not say but a plain yes.
    for (const answer of [
      { json: { success: true, data: 'true', msg: '' } },
      { json: { success: true, data: null, msg: '' } },
      { json: { success: false, data: true, msg: 'yes' } },
      { status: 500, json: { success: false, data: null, msg: 'broken', code: 'SERVER_ERROR', status: 500 } },
      { status: 429, json: { success: false, data: null, msg: 'slowly', code: 'TOO_MANY_REQUESTS', status: 429 } },
      { body: '<html>a proxy</html>' },
      null,
    ]) {
      await page.unroute('**/customer-service/get*');
      await page.route('**/customer-service/get*', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await platform.selectOption('Telegram');
      await question.getByLabel(say.telegram).fill('yiqiao_care');
      await page.keyboard.press('Enter');
      await no.getByText(say.warning).waitFor();
      expect(await page.getByText(/broken|slowly|服务器异常|Server exception/).count()).toBe(0);
      await no.getByRole('button', { name: say.again }).click();
    }
  });

  inTurn('has an after-sale section only with entries', async () => {
    const { page } = await newVisitor(lang);
    const account = { accountType: 0, account: 'someone', referUrl: '', qrCode: '/favicon.svg' };
    await page.route('**/customer-service/list*', (route) =>
      route.fulfill({
        json: { success: true, data: [{ platform: 'WeChat', accountList: [account] }], msg: '' },
      }),
    );
    // A document that comes without what the server knows, so that the page asks.
    await page.route('**/contactUs', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<meta name="site-data"[^>]*>| data-address="[^"]*"/g, '');
      await route.fulfill({ response, body });
    });
    await page.goto('/contactUs');
    await page.getByRole('heading', { name: say.title, level: 1 }).waitFor();
    await waitForPage(page);
    const sections = page.getByRole('main').getByRole('heading', { level: 2 });
    expect(await sections.allInnerTexts()).toEqual([say.pre]);
  });
});
