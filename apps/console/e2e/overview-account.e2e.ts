import { beforeAll, describe, expect } from '@jest/globals';
import { mailedCode } from './support/mailbox.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { mailCode, newMember, waitForText, type SignedIn, gotoAs } from './support/members.js';

const SAYS = {
  zh: {
    rename: '修改昵称',
    tooShort: '昵称至少输入2位',
    renamed: '修改成功',
    ok: '确定',
    email: '用邮箱修改',
    send: '发送验证码',
    sent: '验证码发送成功，请前往邮箱查看',
    resend: /^\d+ 秒后重发$/,
    code: '验证码',
    differs: '两次密码不一致',
    old: '旧密码',
    fresh: '新密码',
    repeat: '确认新密码',
    submit: '确认修改',
    changed: '修改成功,请重新登陆',
  },
  en: {
    rename: 'Change nickname',
    tooShort: 'The nickname needs at least 2 characters',
    renamed: 'Nickname changed',
    ok: 'OK',
    email: 'By email',
    differs: 'The passwords do not match',
    old: 'Old password',
    fresh: 'New password',
    repeat: 'Confirm new password',
    submit: 'Change password',
    changed: 'Password changed. Please sign in again.',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('the own account (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('changes the nickname, and refuses one of a single character', async () => {
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await page.getByRole('button', { name: say.rename }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('textbox');
    await field.fill('林');
    await dialog.getByRole('button', { name: say.ok, exact: true }).click();
    await waitForText(page, say.tooShort);
    await field.fill('林岚 & Söhne');
    await dialog.getByRole('button', { name: say.ok, exact: true }).click();
    await waitForText(page, say.renamed);
    await waitForText(page, '林岚 & Söhne');
  });

  inTurn('changes the password, confirms it, and signs out', async () => {
    const page = await gotoAs('/UserCenterChangePassword', member, lang);
    await waitForText(page, say.email);
    await page.getByLabel(say.old, { exact: true }).fill(member.password);
    await page.getByLabel(say.fresh, { exact: true }).fill('another-2026');
    await page.getByLabel(say.repeat, { exact: true }).fill('another-2027');
    await page.getByRole('button', { name: say.submit }).click();
    await waitForText(page, say.differs);
    await page.getByLabel(say.repeat, { exact: true }).fill('another-2026');
    await Promise.all([waitForText(page, say.changed), page.getByRole('button', { name: say.submit }).click()]);
    await page.waitForURL(/\/home$/);
    expect(await page.evaluate(() => sessionStorage.getItem('sk'))).toBeNull();
  });
});

describe('the password by a mailed code', () => {
  journey('waits its minute, sends a code, changes the password and signs out', async () => {
    const say = SAYS.zh;
    const member = await newMember();
    const page = await gotoAs('/UserCenterChangePassword', member, 'zh');
    const form = page.locator('#email-code');
    await page.getByRole('tab', { name: say.email }).click();
    // A code has just gone to this address: the next one has to wait, and the button says how long.
    await mailCode(member.email);
    await page.getByRole('button', { name: say.send }).click();
    await waitForText(page, say.resend);
    await page.getByRole('alert').getByRole('button').click();
    await page.getByRole('button', { name: say.send }).click({ timeout: 70_000 });
    await waitForText(page, say.sent);
    await form.getByLabel(say.code, { exact: true }).fill(await mailedCode(member.email, 2));
    await form.getByLabel(say.fresh, { exact: true }).fill('another-2026');
    await form.getByLabel(say.repeat, { exact: true }).fill('another-2026');
    await Promise.all([waitForText(page, say.changed), form.getByRole('button', { name: say.submit }).click()]);
    await page.waitForURL(/\/home$/);
  });
});
