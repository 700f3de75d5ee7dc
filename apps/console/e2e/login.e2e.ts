import { beforeAll, describe, expect } from '@jest/globals';
import { journey, newPerson, withBrowser } from './support/journey.js';
import { logIn, register, stranger } from './support/people.js';
import { CHROMIUM } from './support/places.js';

describe('log in', () => {
  withBrowser();
  const member = stranger();
  beforeAll(async () => {
    if (!CHROMIUM) return;
    const { person, page } = await newPerson();
    await register(page, member);
    await person.close();
  });

  journey('an unknown account and a wrong password are said at their fields', async () => {
    const { person, page } = await newPerson();
    await page.goto('/login?type=1');
    const account = page.getByLabel('用户名或邮箱');
    const password = page.getByLabel('密码', { exact: true });
    await account.fill(stranger().username);
    await password.fill('123456');
    await password.press('Enter');
    await page.getByText('该账号未注册').waitFor();
    expect(await account.getAttribute('aria-invalid')).toBe('true');

    await account.fill(member.username);
    await password.press('Enter');
    await page.getByText('密码不正确').waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await person.close();
  });

  journey('a press too many sends one request', async () => {
    const { person, page } = await newPerson();
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/login/login')) sent += 1;
    });
    await page.goto('/login?type=1');
    await page.getByLabel('用户名或邮箱').fill(member.email);
    await page.getByLabel('密码', { exact: true }).fill(member.password);
    await page.getByRole('button', { name: '登录', exact: true }).dblclick();
    await page.getByText('登录成功').waitFor();
    await page.waitForURL('**/home');
    expect(sent).toBe(1);
    await person.close();
  });

  journey('a console page sends to login and gets the person back', async () => {
    const { person, page } = await newPerson();
    await page.goto('/UserCenterLoginLog');
    await page.waitForURL('**/login?type=1');
    await logIn(page, member);
    await page.waitForURL('**/UserCenterLoginLog**');
    await person.close();
  });

  journey('the password can be looked at', async () => {
    const { person, page } = await newPerson();
    await page.goto('/login?type=1');
    const password = page.getByLabel('密码', { exact: true });
    await password.fill('abcdef');
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: '显示密码' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await person.close();
  });

  journey('the language is stored and the page speaks it', async () => {
    const { person, page } = await newPerson();
    await page.goto('/login?type=1');
    await page.getByRole('button', { name: '语言' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByLabel('Username or email').waitFor();
    expect(await page.evaluate(() => [document.documentElement.lang, localStorage.getItem('language')])).toEqual([
      'en-US',
      'en',
    ]);
    await person.close();
  });
});
