import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { newVisitor, type Language } from './browser.js';
import { BASE_URL } from './environment.js';
import { mailedCode } from './mailbox.js';

export type Member = { username: string; email: string; password: string };

/** Credentials of an account that does not exist yet. */
export function newCredentials(): Member {
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
    logIn: 'Sign in',
    registered: 'Your account is ready. Please sign in.',
  },
} as const;
export const formLabels = (language: 'zh' | 'en') => WORDS[language];

/** Scrolls the framed agreement to its end and ticks the checkbox, which is enabled there. */
export async function acceptAgreement(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  await frame.locator('body').evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('checkbox').check();
}

/** Fills in the registration form with a code from the mailbox; ends on the login form. */
export async function fillRegistration(page: Page, member: Member, language: 'zh' | 'en'): Promise<void> {
  const w = formLabels(language);
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

/** Signs in on the current form, or on /login. */
export async function logIn(page: Page, member: Pick<Member, 'email' | 'password'>, language: 'zh' | 'en' = 'zh') {
  const w = formLabels(language);
  if (!new URL(page.url()).pathname.startsWith('/login')) await page.goto('/login?type=1');
  await page.getByLabel(w.account, { exact: true }).fill(member.email);
  await page.getByLabel(w.password, { exact: true }).fill(member.password);
  await page.getByRole('button', { name: w.logIn, exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
}

type Answer<T> = { success: boolean; data: T; msg: string };
export type SignedIn = Member & { userId: number; sk: string };

async function post<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(`${BASE_URL}/client-user${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer<T>;
  if (!answer.success) throw new Error(`${path}: ${answer.msg}`);
  return answer.data;
}

/** A new member with a session, registered over the API with a code from the mailbox. */
export async function newMember(): Promise<SignedIn> {
  const member = newCredentials();
  const { username, email: account, password } = member;
  await post('/login/sendVCode', { account });
  await post('/login/register', { username, account, password, vcode: await mailedCode(account) });
  return { ...member, ...(await post<{ userId: number; sk: string }>('/login/login', { account, password })) };
}

/** Sends a code to the address as soon as allowed; the next one has to wait. */
export async function mailCode(account: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; ;) {
    try {
      await post('/login/sendVCode', { account });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** A page in a new browser context that has the member's session from its first navigation on. */
export async function openPageAs(member: Pick<SignedIn, 'sk' | 'userId'>, language: Language): Promise<Page> {
  const { page } = await newVisitor(language);
  await page.addInitScript(
    ({ sk, userId }) => {
      // Only once, so that signing out works; the tab's name remembers it, which the product does not use.
      if (window !== window.top || window.name !== '' || location.protocol === 'about:') return;
      window.name = 'was signed in';
      sessionStorage.setItem('sk', sk);
      sessionStorage.setItem('userId', String(userId));
    },
    { sk: member.sk, userId: member.userId },
  );
  return page;
}

/** A page at `path` with the member's session. */
export async function gotoAs(path: string, member: SignedIn, language: Language): Promise<Page> {
  const page = await openPageAs(member, language);
  await page.goto(path);
  return page;
}

/**
 * Waits until a prerendered public page works. Before that, a link leads to another document, what is chosen or left is not heard, and a
 * pressed button answers later.
 */
export const waitForHydration = async (page: Page): Promise<void> =>
  void (await page.waitForFunction(() => window.isHydrated === true));

/** Goes from a page of the console to another one as the browser's history does, within the document. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.locator('h1').first().waitFor(); // the page before has its title by then
  const before = await page.title();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForFunction((title) => document.title !== title, before);
}

/** Waits until `text` is on the page. */
export const waitForText = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

/** Waits until no dialog is open: while one replaces another there are two, and hidden ones have no role. */
export const waitForNoDialog = (page: Page): Promise<void> =>
  page.getByRole('dialog').first().waitFor({ state: 'hidden' });

/** Presses Escape in the dialog. antd moves the focus into it when it has opened; an earlier Escape goes to the page. */
export async function escapeDialog(page: Page): Promise<void> {
  await page.waitForFunction(() => Boolean(document.activeElement?.closest('[role=dialog]')));
  await page.keyboard.press('Escape');
}

/** Waits until the page has its heading and nothing is loading. (The network is never idle because of the event stream.) */
export async function waitForPage(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('.skeleton, .ant-skeleton, .page-wait, [aria-busy=true]') === null,
  );
  await page.evaluate(async () => void (await document.fonts.ready));
}

/** Resizes the page to a phone and returns whether it scrolls horizontally. */
export async function overflowsOnPhone(page: Page): Promise<boolean> {
  await page.setViewportSize({ width: 390, height: 844 });
  await waitForPage(page);
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}
