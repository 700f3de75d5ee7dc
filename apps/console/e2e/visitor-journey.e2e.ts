/** From the first look to the receipt, and a visitor with an invitation (specification §1, §2). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { getAs, ownQuota, signIn } from './support/api.js';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { mailsContaining } from './support/mailbox.js';
import {
  fillRegistration,
  logIn,
  newMember,
  waitForHydration,
  waitForText,
  newCredentials,
} from './support/members.js';
import { openDetails, ORDERS, rowOf } from './support/orders.js';
import { payAtCashier, placeOrder, waitForPackages, SAYS as SHOP } from './support/payment.js';

withBrowser();

const SAYS = {
  zh: {
    seePrice: '查看价格',
    invited: '你正通过邀请链接注册',
    freeTest: '免费试用',
    download: '下载',
    test: '翻译测试',
    policies: ['《用户协议》', '《隐私政策》', '《退款规则》'],
    hint: '建议混用字母、数字和符号',
    field: '写一句要发给客户的话，或客户发来的话',
    sentence: '运到墨西哥要多少天？',
    translation: '译文',
    translate: '翻译',
    signUp: '免费注册，看每个通道的译文',
    text: '原文',
    charged: /扣 10 字符/,
    recharge: '充值与订单',
    bought: ['¥88.00', '2,000,000 字符', '2,004,990 字符'],
    balance: '2,004,990',
    mail: '付款收据',
  },
  en: {
    seePrice: 'See pricing',
    invited: 'You are signing up with an invitation',
    freeTest: 'Start free test',
    download: 'Download',
    test: 'Translation test',
    hint: 'Mix letters, digits and symbols',
    field: 'A sentence for a customer, or one from a customer',
    sentence: 'How long does shipping to Mexico take?',
    translation: 'Translation',
    translate: 'Translate',
    signUp: 'Sign up free to see every channel',
    text: 'Source text',
    charged: /charged 38/,
    recharge: 'Recharge and orders',
    bought: ['¥88.00', '2,000,000 characters', '2,004,962 characters'],
    balance: '2,004,962',
    mail: 'receipt',
    policies: ['user agreement', 'privacy policy', 'refund policy'],
  },
} as const;

const inviteCodeIn = (page: Page): string | null => new URL(page.url()).searchParams.get('inviteCode');

/** The gift of an invitation comes from a worker: soon, not at once. */
async function balanceOf(account: string, password: string): Promise<number> {
  const me = await signIn(account, password);
  const deadline = Date.now() + 40_000;
  for (;;) {
    const { usableCharNum } = await ownQuota(me);
    if (usableCharNum > 5_000 || Date.now() > deadline) return usableCharNum;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

describe.each(['zh', 'en'] as const)('a visitor (%s)', (lang) => {
  const say = SAYS[lang];
  const order = ORDERS[lang];

  journey('tries, registers, translates, buys, and gets a receipt', async () => {
    const { page } = await newVisitor(lang);
    await page.goto(`/home?lang=${lang}`);
    const field = page.getByRole('textbox', { name: say.field });
    await field.scrollIntoViewIfNeeded();
    const section = page.locator('.home-try');
    const send = section.getByRole('button', { name: say.translate, exact: true });
    await send.waitFor();
    await field.fill(say.sentence);
    await send.click();
    const tried = section.locator('.try-column').first();
    await tried.locator('.badge').getByText(say.translation, { exact: true }).waitFor();
    const translated = (await tried.locator('[lang]').first().innerText()).trim();

    await section.getByRole('link', { name: say.signUp }).click();
    await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('type') === '2');
    const member = newCredentials();
    await fillRegistration(page, member, lang);
    await logIn(page, member, lang);

    // The first page of the console is the translation test with the sentence that was tried, from and into the same languages.
    await page.waitForURL('**/UserCenterChangeTranslateTest');
    const source = page.getByLabel(say.text, { exact: true });
    await source.waitFor();
    expect(await source.inputValue()).toBe(say.sentence);
    await page.getByRole('button', { name: say.translate, exact: true }).click();
    const result = page.getByTestId('translated');
    await result.waitFor();
    expect(await result.textContent()).toBe(translated);
    expect(await result.getAttribute('lang')).toBe(lang === 'zh' ? 'en' : 'zh-Hans');
    await waitForText(page, say.charged);

    await page.getByRole('link', { name: say.recharge }).first().click();
    await waitForPackages(page);
    await page.getByRole('radio', { name: SHOP[lang].standard }).check();
    const no = await placeOrder(page, lang, 'alipay');
    // The page moves on after five seconds: everything that it says meanwhile is awaited at once.
    await Promise.all([
      waitForText(page, SHOP[lang].paid),
      ...say.bought.map((fact) => waitForText(page, fact)),
      payAtCashier(no),
    ]);
    await page.waitForURL(/\/UserCenterOrder$/);
    await rowOf(page, no).getByText(order.P, { exact: true }).waitFor();

    const [mail] = await mailsContaining(member.email, no);
    expect(mail?.subject).toContain(say.mail);
    for (const fact of [order.seller, '¥88.00', order.standard, order.alipay, say.bought[1]])
      expect(mail?.text).toContain(fact);

    const drawer = await openDetails(page, no, lang);
    await drawer.getByRole('button', { name: order.print }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const receipt = await page.locator('.receipt').innerText();
    for (const fact of [order.receipt, order.seller, no, member.email, order.standard, order.alipay, '¥88.00'])
      expect(receipt).toContain(fact);
    const { usableCharNum } = await ownQuota(await signIn(member.email, member.password));
    expect(usableCharNum.toLocaleString('en-US')).toBe(say.balance);
  });
});

describe.each(['zh', 'en'] as const)('a visitor with an invitation (%s)', (lang) => {
  const say = SAYS[lang];

  journey('browses, chooses a package, registers, and translates for free', async () => {
    const inviter = await newMember();
    const { inviteCode } = await getAs<{ inviteCode: string }>(inviter, '/user/get');
    const { page } = await newVisitor(lang);
    await page.goto(`/home?inviteCode=${inviteCode}`);
    await waitForHydration(page); // its links carry the code
    await page.getByRole('banner').getByRole('link', { name: say.download, exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/download');
    expect(inviteCodeIn(page)).toBe(inviteCode);
    await page.goBack();
    await page.getByRole('link', { name: say.seePrice }).click();
    await page.getByRole('radio', { name: SHOP[lang].high }).check();
    expect(inviteCodeIn(page)).toBe(inviteCode);
    await page.getByRole('link', { name: SHOP[lang].select }).click();

    await waitForText(page, say.invited);
    await waitForText(page, say.hint);
    for (const name of say.policies)
      expect(await page.getByRole('main').getByRole('link', { name, exact: true }).getAttribute('target')).toBe(
        '_blank',
      );
    const member = newCredentials();
    await fillRegistration(page, member, lang);
    await logIn(page, member, lang);
    await page.waitForURL(/\/UserCenterRecharge\?memberGroupId=4$/);
    await waitForPackages(page);
    expect(await page.getByRole('radio', { name: SHOP[lang].high }).isChecked()).toBe(true);
    expect(await balanceOf(member.email, member.password)).toBe(15_000);

    await page.goto('/home');
    await page.getByRole('link', { name: say.freeTest }).first().click();
    await page.waitForURL('**/UserCenterChangeTranslateTest');
    await page.getByRole('heading', { level: 1, name: say.test }).waitFor();
  });

  journey('ignores an invalid invitation code', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/home?inviteCode=%3Cscript%3E');
    await page.getByRole('link', { name: say.freeTest }).first().click();
    await page.waitForURL((url) => url.pathname === '/login');
    expect(new URL(page.url()).search).toBe('?type=2');
    expect(await page.getByText(say.invited).count()).toBe(0);
  });
});
