import { beforeAll, describe, expect } from '@jest/globals';
import { mailedCode } from './support/inbox.js';
import { journey, newPerson, withBrowser } from './support/journey.js';
import { logIn, register, stranger } from './support/people.js';
import { CHROMIUM } from './support/places.js';

describe('reset a forgotten password', () => {
  withBrowser();
  const member = stranger();
  beforeAll(async () => {
    if (!CHROMIUM) return;
    const { person, page } = await newPerson();
    await register(page, member);
    await person.close();
  });

  journey('in three steps, by username, without showing the mailbox', async () => {
    const { person, page } = await newPerson();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '忘记密码' }).click();
    const dialog = page.getByRole('dialog', { name: '找回密码' });

    await dialog.getByLabel('用户名或邮箱').fill(stranger().username);
    await dialog.getByRole('button', { name: '发送验证码' }).click();
    await dialog.getByText('没有找到该账号').waitFor();

    await dialog.getByLabel('用户名或邮箱').fill(member.username);
    await dialog.getByRole('button', { name: '发送验证码' }).click();
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
    await person.close();
  });

  journey('escape closes it and focus goes back', async () => {
    const { person, page } = await newPerson();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '忘记密码' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('忘记密码');
    await person.close();
  });
});
