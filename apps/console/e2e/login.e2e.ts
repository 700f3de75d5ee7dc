import { beforeAll, describe, expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { mailedCode } from './support/mailbox.js';
import { logIn, newMember, waitForNoDialog, newCredentials, type Member } from './support/members.js';

/** One code per address and minute: the one of the registration may still count. */
async function sendOnceAllowed(dialog: Locator): Promise<void> {
  const next = dialog.getByLabel('邮箱验证码');
  const tooSoon = dialog.getByText('验证码发送过于频繁');
  for (;;) {
    await dialog.getByRole('button', { name: '发送验证码' }).click();
    await next.or(tooSoon).waitFor();
    if (await next.isVisible()) return;
    await dialog.page().waitForTimeout(3_000);
  }
}

describe('log in, and reset a forgotten password', () => {
  withBrowser();
  let member: Member;
  beforeAll(async () => {
    if (CHROMIUM) member = await newMember();
  });

  journey('shows an unknown account and a wrong password at their fields', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=1');
    const account = page.getByLabel('用户名或邮箱');
    const password = page.getByLabel('密码', { exact: true });
    await account.fill(newCredentials().username);
    await password.fill('123456');
    await password.press('Enter');
    await page.getByText('该账号未注册').waitFor();
    expect(await account.getAttribute('aria-invalid')).toBe('true');

    await account.fill(member.username);
    await password.press('Enter');
    await page.getByText('密码不正确').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  journey('a double click sends one request', async () => {
    const { page } = await newVisitor();
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/login/login')) sent += 1;
    });
    await page.goto('/login?type=1');
    await page.getByLabel('用户名或邮箱').fill(member.email);
    await page.getByLabel('密码', { exact: true }).fill(member.password);
    const welcomed = page.getByText('登录成功').waitFor();
    await page.getByRole('button', { name: '登录', exact: true }).dblclick();
    await welcomed;
    await page.waitForURL('**/home');
    expect(sent).toBe(1);
  });

  journey('a console page redirects to login and back', async () => {
    const { page } = await newVisitor();
    await page.goto('/UserCenterLoginLog');
    await page.waitForURL('**/login?type=1');
    await logIn(page, member);
    await page.waitForURL('**/UserCenterLoginLog**');
  });

  journey('the password can be shown', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=1');
    const password = page.getByLabel('密码', { exact: true });
    await password.fill('abcdef');
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: '显示密码' }).click();
    expect(await password.getAttribute('type')).toBe('text');
  });

  journey('the language is stored and the page speaks it', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '语言' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByLabel('Username or email').waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, localStorage.getItem('language')])).toEqual([
      'en-US',
      'en',
    ]);
  });

  journey('in three steps, by username, without showing the mailbox', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '忘记密码' }).click();
    const dialog = page.getByRole('dialog', { name: '找回密码' });

    await dialog.getByLabel('用户名或邮箱').fill(newCredentials().username);
    await dialog.getByRole('button', { name: '发送验证码' }).click();
    await dialog.getByText('没有找到该账号').waitFor();

    await dialog.getByLabel('用户名或邮箱').fill(member.username);
    await sendOnceAllowed(dialog);
    await dialog.getByText(/te\*\*\*@example\.com/).waitFor();
    expect(await dialog.textContent()).not.toContain(member.email);

    await dialog.getByRole('button', { name: '上一步' }).click();
    expect(await dialog.getByLabel('用户名或邮箱').inputValue()).toBe(member.username);
    await dialog.getByRole('button', { name: '发送验证码' }).click(); // the code that was sent still counts

    const code = await mailedCode(member.email, 1);
    await dialog.getByLabel('邮箱验证码').fill(code === '000000' ? '111111' : '000000');
    await dialog.getByLabel('新密码', { exact: true }).fill('new-secret');
    await dialog.getByLabel('确认密码').fill('new-secret');
    await dialog.getByRole('button', { name: '确认修改' }).click();
    await dialog.getByText('验证码不正确').waitFor();

    await dialog.getByLabel('邮箱验证码').fill(code);
    await dialog.getByRole('button', { name: '确认修改' }).click();
    await dialog.getByText('密码重置成功').waitFor();
    await dialog.getByRole('button', { name: '去登录' }).click();

    await logIn(page, { email: member.email, password: 'new-secret' });
    expect(new URL(page.url()).pathname).toBe('/home');
  });

  journey('keeps the form when the code of a dialog cannot be loaded', async () => {
    const { page } = await newVisitor();
    await page.route(/\/assets\/forgot-password-.*\.js$/, (route) => route.abort());
    await page.goto('/login?type=1');
    await page.getByLabel('用户名或邮箱').fill(member.username);
    await page.getByRole('button', { name: '忘记密码' }).click();
    await page.getByRole('alert').getByText('内容加载失败').waitFor();
    expect(await page.getByLabel('用户名或邮箱').inputValue()).toBe(member.username);
  });

  journey('Escape closes it and restores the focus', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '忘记密码' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('忘记密码');
  });
});
