import { describe, expect } from '@jest/globals';
import { postAs } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { gotoAs, newMember } from './support/members.js';
import { createOrder } from './support/orders.js';
import { accountOf, payAtCashier, waitUntil } from './support/payment.js';

withBrowser();

const SAYS = {
  zh: {
    steps: '上手清单',
    done: (n: number) => `已完成 ${n} / 4`,
    translate: '完成第一次翻译',
    recharge: '充值，或邀请好友',
    child: '创建子账号',
    hide: '不再显示',
  },
  en: {
    steps: 'First steps',
    done: (n: number) => `${n} of 4 done`,
    translate: 'Translate something',
    recharge: 'Top up, or invite a friend',
    child: 'Create a sub-account',
    hide: 'Hide this list',
  },
} as const;

describe.each(['zh', 'en'] as const)('the first steps of a new member (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('follow what the account has done, and go when all is done', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterIndex', member, lang);
    const card = page.getByRole('region', { name: say.steps });
    await card.getByText(say.done(1)).waitFor();
    expect(await card.getByRole('link').allInnerTexts()).toEqual([say.translate, say.recharge, say.child]);
    await card.getByRole('link', { name: say.translate }).click();
    await page.waitForURL('**/UserCenterChangeTranslateTest*');

    await postAs(member, '/translation/text', { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
    const order = await createOrder(member);
    await payAtCashier(order.orderNo);
    // The gateway's message arrives a moment later.
    await waitUntil(async () => (await accountOf(member)).memberAccount.rechargeAmountTotal > 0);
    await page.goto('/UserCenterIndex');
    await card.getByText(say.done(3)).waitFor();
    expect(await card.getByRole('link').allInnerTexts()).toEqual([say.child]);

    await postAs(member, '/user/saveChildUser', {
      account: `c${member.username}`,
      nickname: 'helper',
      password: 'secret-123',
      enabled: 1,
    });
    await page.goto('/UserCenterIndex');
    await page.locator('.ov-grid').waitFor();
    await card.waitFor({ state: 'hidden' });
  });

  inTurn('stay hidden once they are', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterIndex', member, lang);
    const card = page.getByRole('region', { name: say.steps });
    await card.getByRole('button', { name: say.hide }).click();
    await card.waitFor({ state: 'hidden' });
    await page.reload();
    await page.locator('.ov-grid').waitFor();
    expect(await card.count()).toBe(0);
  });
});
