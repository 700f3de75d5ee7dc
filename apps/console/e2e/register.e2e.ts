import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { mailedCode } from './support/mailbox.js';
import {
  acceptAgreement,
  logIn,
  newMember,
  register,
  newCredentials,
  formLabels,
  waitForHydration,
} from './support/members.js';

describe('register', () => {
  withBrowser();

  journey.each(['zh', 'en'] as const)('with a mailed code, then log in (%s)', async (language) => {
    const { page } = await newVisitor(language);
    const member = newCredentials();
    await register(page, member, language);
    await logIn(page, member, language);
    expect(new URL(page.url()).pathname).toBe('/home');
    await page.goto('/UserCenterIndex');
    await page.getByText(member.email).first().waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage).sort())).toEqual(['sk', 'userId', 'userInfo']);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(language === 'en' ? ['language'] : []);
  });

  journey('validates on blur and on submit, with messages at the fields', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=2');
    await waitForHydration(page);
    const username = page.getByLabel('用户名', { exact: true });
    await username.focus();
    await username.blur();
    await page.getByText('请输入用户名', { exact: true }).waitFor();
    await username.fill('坏 名字!');
    await username.blur();
    await page.getByText('请输入正确的用户名. 只能包含数字,字母,中文').waitFor();
    expect(await username.getAttribute('aria-invalid')).toBe('true');

    await page.getByRole('button', { name: '注册', exact: true }).click();
    for (const text of ['请输入邮箱', '请输入验证码', '请输入密码'])
      await page.getByText(text, { exact: true }).first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');

    await page.getByLabel('密码', { exact: true }).fill('123456');
    await page.getByLabel('确认密码', { exact: true }).fill('1234567');
    await page.getByLabel('确认密码', { exact: true }).blur();
    await page.getByText('两次密码不一致').waitFor();
  });

  journey('refuses taken names and addresses while typing', async () => {
    const { page } = await newVisitor();
    const member = await newMember();
    await page.goto('/login?type=2');
    await page.getByLabel('用户名', { exact: true }).fill(member.username.toUpperCase());
    await page.getByLabel('邮箱', { exact: true }).fill(member.email);
    await page.getByText('用户名已被占用').waitFor();
    await page.getByText('邮箱已被注册').waitFor();
    expect(await page.getByRole('button', { name: '发送验证码' }).isDisabled()).toBe(true);
  });

  journey('the code button waits for a good address and then counts down', async () => {
    const { page } = await newVisitor();
    const { email } = newCredentials();
    await page.goto('/login?type=2');
    const send = page.getByRole('button', { name: '发送验证码' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('邮箱', { exact: true }).fill(email);
    await send.click();
    await page.getByText('验证码发送成功，请前往邮箱查看').waitFor();
    const counting = page.getByRole('button', { name: /^(60|[345]\d) 秒后重发$/ });
    await counting.waitFor();
    expect(await counting.isDisabled()).toBe(true);
    expect(await mailedCode(email)).toMatch(/^\d{6}$/);
  });

  journey('the tick box believes only the agreement in its own frame, at its end', async () => {
    const { context, page } = await newVisitor();
    await page.goto('/login?type=2');
    const box = page.getByRole('checkbox');
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(
      () =>
        new Promise((heard) => {
          addEventListener('message', () => setTimeout(heard), { once: true }); // after those of the page
          window.postMessage('TermScrollToBottom', location.origin);
        }),
    );
    expect(await box.isDisabled()).toBe(true);
    await acceptAgreement(page);
    expect(await box.isChecked()).toBe(true);
    const terms = context.waitForEvent('page');
    await page.getByRole('link', { name: '《用户协议》' }).click();
    expect(new URL((await terms).url()).pathname).toBe('/term-and-condition');
  });

  journey('keeps the invitation code across pages', async () => {
    const { page } = await newVisitor();
    await page.goto('/login?type=2&inviteCode=YQ7K2M');
    await page.getByText('你正通过邀请链接注册').waitFor();
    await page.getByRole('link', { name: formLabels('zh').logIn, exact: true }).click();
    await page.waitForURL((url) => url.search === '?type=1&inviteCode=YQ7K2M');
    await page.getByRole('link', { name: '返回首页' }).click();
    await page.waitForURL((url) => url.pathname === '/home' && url.searchParams.get('inviteCode') === 'YQ7K2M');
    await page.getByRole('link', { name: '免费试用' }).first().click();
    await page.getByText('你正通过邀请链接注册').waitFor();
  });
});
