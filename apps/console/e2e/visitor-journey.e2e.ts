/** From the first look to the first sentence: a visitor with an invitation (specification §1, §2). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { getAs, ownQuota, signIn } from './support/api.js';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { fillRegistration, logIn, newMember, waitForText, newCredentials } from './support/members.js';
import { waitForPackages, SAYS as SHOP } from './support/payment.js';

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
  },
  en: {
    seePrice: 'See pricing',
    invited: 'You are signing up with an invitation',
    freeTest: 'Start free test',
    download: 'Download',
    test: 'Translation test',
    hint: 'Mix letters, digits and symbols',
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

describe.each(['zh', 'en'] as const)('a visitor with an invitation (%s)', (lang) => {
  const say = SAYS[lang];

  journey('browses, chooses a package, registers, and translates for free', async () => {
    const inviter = await newMember();
    const { inviteCode } = await getAs<{ inviteCode: string }>(inviter, '/user/get');
    const { page } = await newVisitor(lang);
    await page.goto(`/home?inviteCode=${inviteCode}`);
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
