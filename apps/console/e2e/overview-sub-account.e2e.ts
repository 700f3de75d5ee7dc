import { beforeAll, describe, expect } from '@jest/globals';
import { demoMain, newChild, signIn } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { pickScripts } from './support/controls.js';
import { createOrder } from './support/orders.js';
import { CHROMIUM } from './support/environment.js';
import { accountOf, payAtCashier, waitUntil } from './support/payment.js';
import { goWithin, newMember, overflowsOnPhone, waitForText, type SignedIn, gotoAs } from './support/members.js';

const SENTENCE = '您好，软件已经寄出。';

const SAYS = {
  zh: {
    text: '原文',
    sub: '子账号',
    facts: '账户',
    channel: '翻译通道',
    change: '更换',
    usage: '近 30 天用量',
    shares: '近 30 天各账号用量',
    translate: '去翻译',
    mainOnly: ['充值', '分配', '注销账号', '邀请码', '自动分配'],
    given: '主账号「demo」分配',
    download: '下载 CSV',
    apart: '与主账号同属一个会员组；无论主账号怎样计费，子账号始终按字符计费，从分配到的字符中扣减。',
    groupApart: '主账号的会员组。子账号始终按字符计费。',
    listApart: /包月只对主账号生效，子账号始终按字符计费。/,
  },
  en: {
    text: 'Source text',
    sub: 'Sub-account',
    facts: 'Account',
    channel: 'Channel',
    change: 'Change',
    usage: 'Usage, last 30 days',
    shares: 'By account, last 30 days',
    translate: 'Translate',
    mainOnly: ['Recharge', 'Distribute', 'Close this account', 'Invite code', 'Auto-distribution'],
    given: 'Distributed by the main account “demo”',
    download: 'Download CSV',
    apart:
      'You share your main account’s member group. However it is billed, a sub-account always pays per character, from its own quota.',
    groupApart: 'The group of your main account. Sub-accounts are always billed per character.',
    listApart: /The monthly package covers the main account only; sub-accounts are always billed per character\./,
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('the overview of a sub-account (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let child: SignedIn;
  beforeAll(async () => {
    if (CHROMIUM) child = await signIn('demo日韩', process.env['DEMO_PASSWORD'] ?? '');
  });

  journey('shows its own quota and use, and nothing that only its main account may do', async () => {
    const page = await gotoAs('/UserCenterIndex', child, lang);
    await page.locator('.ov-who').getByText(say.sub, { exact: true }).waitFor();
    const facts = page.getByRole('region', { name: say.facts, exact: true });
    await facts.getByText(say.channel, { exact: true }).waitFor();
    await page.getByRole('region', { name: say.usage }).waitFor();
    await page.getByRole('link', { name: say.translate }).first().waitFor();
    expect(await page.getByRole('region', { name: say.shares }).count()).toBe(0);
    // Whether its own translations are remembered is its own to say; nothing else is.
    expect(await page.getByRole('main').getByRole('switch').count()).toBe(1);
    expect(await facts.getByRole('button', { name: say.change }).count()).toBe(0);
    const offered = await page.locator('main').locator('a, button, dt, small').allTextContents();
    expect(offered.filter((text) => say.mainOnly.some((only) => only === text.trim()))).toEqual([]);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows up in its main account’s shares once it has used something', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', child, lang);
    await pickScripts(page, lang);
    await page.getByLabel(say.text, { exact: true }).fill(SENTENCE);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('translated').waitFor();
    await page.context().close();

    const main = await gotoAs('/UserCenterIndex', await demoMain(), lang);
    const shares = main.getByRole('region', { name: say.shares });
    const row = shares.getByRole('listitem').filter({ hasText: '日韩组' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/\d+ (字符|chars)[\d.]+%/);
  });

  inTurn('of a monthly family says that it pays by character all the same', async () => {
    const main = await newMember();
    const buy = async (mode: 'char' | 'time'): Promise<void> => {
      const { orderNo, plan } = await createOrder(main, { mode });
      await payAtCashier(orderNo);
      await waitUntil(async () => (await accountOf(main)).memberGroupId === plan.id);
    };
    await buy('char'); // whose package includes sub-accounts
    const { account, password } = await newChild(main);
    const sub = await signIn(account, password);
    await buy('time');

    const page = await gotoAs('/UserCenterIndex', sub, lang);
    await page.locator('.ov-who').getByText(say.apart, { exact: true }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    await goWithin(page, '/UserCenterInfo');
    await waitForText(page, say.groupApart);
    const list = await gotoAs('/UserCenterChild', main, lang);
    await waitForText(list, say.listApart);
    await goWithin(list, '/UserCenterInfo');
    await list.locator('.ac-info').waitFor();
    expect(await list.getByText(say.groupApart).count()).toBe(0);
  });

  inTurn('shows what its main account distributed in its log', async () => {
    const page = await gotoAs('/UserCenterAccountLog', child, lang);
    await waitForText(page, say.given);
    expect(await page.getByRole('button', { name: say.download, exact: true }).isEnabled()).toBe(true);
  });
});
