import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { mailedCode } from './inbox.js';

export type Member = { username: string; email: string; password: string };

/** Nobody that was there before. */
export function stranger(): Member {
  const mark = randomBytes(5).toString('hex');
  return { username: `test${mark}`, email: `test-${mark}@example.com`, password: `pw-${mark}` };
}

const WORDS = {
  zh: {
    username: '用户名',
    email: '邮箱',
    code: '邮箱验证码',
    password: '密码',
    password2: '确认密码',
    send: '发送验证码',
    account: '用户名或邮箱',
    signUp: '注册',
    logIn: '登录',
    registered: '注册成功，请登录',
  },
  en: {
    username: 'Username',
    email: 'Email',
    code: 'Email code',
    password: 'Password',
    password2: 'Confirm password',
    send: 'Send code',
    account: 'Username or email',
    signUp: 'Sign up',
    logIn: 'Log in',
    registered: 'Your account is ready. Please log in.',
  },
} as const;
export const words = (language: 'zh' | 'en') => WORDS[language];

/** Scrolls the framed agreement to its end and ticks the box that wakes up there. */
export async function acceptAgreement(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  await frame.locator('body').evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('checkbox').check();
}

/** Registers on the form that is on screen, with a code from the inbox; ends on the login form. */
export async function fillRegistration(page: Page, member: Member, language: 'zh' | 'en'): Promise<void> {
  const w = words(language);
  await page.getByLabel(w.username, { exact: true }).fill(member.username);
  await page.getByLabel(w.email, { exact: true }).fill(member.email);
  await page.getByRole('button', { name: w.send }).click();
  await page.getByLabel(w.code, { exact: true }).fill(await mailedCode(member.email));
  await page.getByLabel(w.password, { exact: true }).fill(member.password);
  await page.getByLabel(w.password2, { exact: true }).fill(member.password);
  await acceptAgreement(page);
  await page.getByRole('button', { name: w.signUp, exact: true }).click();
  await page.getByText(w.registered).waitFor();
}

/** Registers on /login; ends on the login form. */
export async function register(page: Page, member: Member, language: 'zh' | 'en' = 'zh'): Promise<void> {
  await page.goto('/login?type=2');
  await fillRegistration(page, member, language);
}

/** Signs in on the form that is on screen, or on /login. */
export async function logIn(page: Page, member: Pick<Member, 'email' | 'password'>, language: 'zh' | 'en' = 'zh') {
  const w = words(language);
  if (!new URL(page.url()).pathname.startsWith('/login')) await page.goto('/login?type=1');
  await page.getByLabel(w.account, { exact: true }).fill(member.email);
  await page.getByLabel(w.password, { exact: true }).fill(member.password);
  await page.getByRole('button', { name: w.logIn, exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}
