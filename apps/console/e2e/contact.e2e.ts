/** Whom one may write to, and whether somebody is one of ours (specification §2, §5, §8). */
import { describe, expect } from '@jest/globals';
import { journey, newPerson, withBrowser } from './support/journey.js';
import { overflowsPhone, seen } from './support/signed-in.js';

withBrowser();

const WORDS = {
  zh: {
    title: '联系我们',
    pre: '售前咨询',
    after: '售后服务',
    copyFirst: '复制 WeChat 账号 yiqiao-sales',
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
    after: 'After you bought',
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
    again: 'Verify another one',
  },
} as const;

describe.each(['zh', 'en'] as const)('the contact page (%s)', (lang) => {
  const say = WORDS[lang];

  journey('shows whom to write to, before and after the sale, with codes that load', async () => {
    const { page } = await newPerson(lang);
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
    expect(await overflowsPhone(page)).toBe(false);
  });

  journey('says whether an account is one of ours; any doubt is a warning', async () => {
    const { page } = await newPerson(lang);
    await page.goto('/contactUs');
    await page.getByRole('main').getByRole('button', { name: say.verify }).click();
    const question = page.getByRole('dialog', { name: say.verify });
    await question.getByRole('button', { name: say.check }).click();
    await seen(page, say.missing);
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
    const no = page.getByRole('dialog', { name: say.attention });
    expect(await no.getByRole('alert').innerText()).toContain(say.warning);
    await no.getByRole('button', { name: say.again }).click();
    await page.route('**/customer-service/get*', (route) => route.abort());
    await platform.selectOption('Telegram');
    await question.getByLabel(say.telegram).fill('yiqiao_care');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: say.attention }).waitFor();
  });
});
