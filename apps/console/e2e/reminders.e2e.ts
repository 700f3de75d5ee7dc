/** Warnings: what a member sets, the banner that follows from it, and the letter. */
import { describe, expect } from '@jest/globals';
import { withDemoFamily } from './support/families.js';
import { postAs } from './support/api.js';
import { mailsContaining } from './support/mailbox.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { goWithin, newMember, overflowsOnPhone, waitForText, gotoAs } from './support/members.js';

const SAYS = {
  zh: {
    banner: '账号提醒',
    low: '剩余字符低于',
    days: '套餐到期前',
    mail: '同时发送邮件',
    save: '保存',
    saved: '提醒已保存',
    isLow: '剩余 5,000 字符，低于你设定的 6,000',
    trialEnds: /试用将于 \d{4}-\d\d-\d\d 结束，还剩 30 天/,
    choose: '选择套餐',
    ask: '请联系主账号分配额度',
    none: '剩余 0 字符，低于你设定的 1,000',
    close: '关闭提醒',
    tooMany: '数值过大',
    noMail: '子账号没有邮箱，提醒只在页面上显示。',
  },
  en: {
    banner: 'Account reminder',
    low: 'Remind me below',
    days: 'Days before the package expires',
    mail: 'Also by email',
    save: 'Save',
    saved: 'Reminders saved',
    isLow: '5,000 characters left, fewer than the 6,000 you set',
    trialEnds: /The trial ends on \d{4}-\d\d-\d\d: 30 days left/,
    choose: 'Choose a package',
    ask: 'Ask your main account for characters',
    none: '0 characters left, fewer than the 1,000 you set',
    close: 'Close the reminder',
    tooMany: 'The value is too large',
    noMail: 'Sub-accounts have no email address, so reminders appear in the console only.',
  },
} as const;

withBrowser();

const family = withDemoFamily();

describe.each(['zh', 'en'] as const)('reminders (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('of a main account: set, seen on every page at once, closed for this visit, and mailed once', async () => {
    const who = await newMember();
    const page = await gotoAs('/UserCenterInfo', who, lang);
    const banner = page.getByRole('status', { name: say.banner });
    const low = page.getByLabel(say.low, { exact: true });
    await low.waitFor();
    expect([await low.inputValue(), await page.getByLabel(say.days, { exact: true }).inputValue()]).toEqual([
      '1,000',
      '3',
    ]);
    expect(await page.getByRole('switch', { name: say.mail }).isChecked()).toBe(true);
    expect(await banner.textContent()).toBe('');

    await page.getByLabel(say.days, { exact: true }).fill('91');
    await page.getByRole('button', { name: say.save, exact: true }).click();
    await waitForText(page, say.tooMany);
    await page.getByLabel(say.days, { exact: true }).fill('0');
    await low.fill('6,000');
    await page.getByRole('button', { name: say.save, exact: true }).click();
    await waitForText(page, say.saved);
    await banner.getByText(say.isLow).waitFor();
    expect(await banner.getByRole('link', { name: say.choose }).getAttribute('href')).toBe('/UserCenterRecharge');
    expect(await overflowsOnPhone(page)).toBe(false);
    await goWithin(page, '/UserCenterChangeTranslateLog');
    await banner.getByText(say.isLow).waitFor();
    await banner.getByRole('button', { name: say.close }).click();
    await banner.getByText(say.isLow).waitFor({ state: 'detached' });

    const letters = await mailsContaining(who.email, '6,000');
    expect(letters).toHaveLength(1);
    expect(letters[0]?.text).toContain('/UserCenterRecharge');
  });

  inTurn('of a package that ends go before those of a low balance', async () => {
    const who = await newMember();
    await postAs(who, '/user/changeReminders', { lowCharNum: 6_000, expiryDays: 31, byMail: 0 });
    const page = await gotoAs('/UserCenterIndex', who, lang);
    const banner = page.getByRole('status', { name: say.banner });
    await banner.getByText(say.trialEnds).waitFor();
    await banner.getByRole('link', { name: say.choose }).click();
    await page.waitForURL('**/UserCenterRecharge');
  });

  inTurn('of a sub-account: no mail, and a hint to ask its main account', async () => {
    const who = await family.sub();
    await postAs(family.main, '/user/changeAutoDistribution', { userId: who.userId, autoDistribution: 0 });
    const page = await gotoAs('/UserCenterInfo', who, lang);
    const banner = page.getByRole('status', { name: say.banner });
    await banner.getByText(say.none).waitFor();
    await banner.getByText(say.ask).waitFor();
    expect(await banner.getByRole('link').count()).toBe(0);
    await waitForText(page, say.noMail);
    expect(await page.getByRole('switch', { name: say.mail }).count()).toBe(0);
    await page.getByLabel(say.low, { exact: true }).fill('0');
    await page.getByRole('button', { name: say.save, exact: true }).click();
    await waitForText(page, say.saved);
    await banner.getByText(say.none).waitFor({ state: 'detached' });
  });
});
