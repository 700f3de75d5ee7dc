/** The operator console's own frame: signing in, enrolling by link, the bars around every page, keys, a lost connection (operators §1, §2). */
import { describe, expect } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { BASE_URL, OPERATORS_URL } from './support/environment.js';
import { demoOperator, enrolmentLink, newOperator, openOperators, totpOf } from './support/operators.js';

const SAYS = {
  zh: {
    demo: 'viewer',
    role: '只读',
    title: '登录运营台',
    name: '操作员账号',
    password: '密码',
    next: '下一步',
    codeTitle: '输入验证码',
    code: '6 位验证码',
    signIn: '登录',
    wrong: '账号、密码或验证码不对',
    other: '换一个账号',
    useRecovery: '改用恢复码',
    recovery: '恢复码',
    today: '今日',
    environment: '开发',
    account: '账号',
    signOut: '退出登录',
    newPassword: '新密码',
    again: '再输一次',
    differ: '两次输入的密码不一样',
    check: '核对并继续',
    codeWrong: '验证码不对。请核对手机时间是否自动校准',
    saved: '我已经保存好',
    toSignIn: '去登录',
    linkUsed: '此链接已使用或已过期',
    notFound: '没有这个页面',
    keys: '键盘快捷键',
    playKey: '播放',
    idle: '28 分钟没有操作',
    stay: '继续',
    lost: '连接断开',
    reconnect: '现在重连',
    open: '打开导航',
  },
  en: {
    demo: 'support',
    role: 'Support',
    title: 'Sign in to operators',
    name: 'Operator account',
    password: 'Password',
    next: 'Next',
    codeTitle: 'Enter your code',
    code: '6-digit code',
    signIn: 'Sign in',
    wrong: 'The name, password or code is wrong.',
    other: 'Use another account',
    useRecovery: 'Use a recovery code',
    recovery: 'Recovery code',
    today: 'Today',
    environment: 'Development',
    account: 'Account',
    signOut: 'Sign out',
    newPassword: 'New password',
    again: 'Once more',
    differ: 'The two passwords are not the same',
    check: 'Check and continue',
    codeWrong: 'The code is wrong.',
    saved: 'I have saved them',
    toSignIn: 'Go to sign-in',
    linkUsed: 'This link was used or has expired.',
    notFound: 'No such page',
    keys: 'Keyboard shortcuts',
    playKey: 'play',
    idle: 'No action for 28 minutes.',
    stay: 'Stay signed in',
    lost: 'Connection lost',
    reconnect: 'Reconnect now',
    open: 'Open navigation',
  },
} as const;

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return document.documentElement.scrollWidth > document.documentElement.clientWidth;
  });

describe.each(['zh', 'en'] as const)('the operator console in %s', (language) => {
  const inTurn = journeysInTurn(language);
  const say = SAYS[language];
  withBrowser();

  const enterPassword = async (page: Page, name: string, password: string): Promise<void> => {
    await page.getByLabel(say.name).fill(name);
    await page.getByLabel(say.password, { exact: true }).fill(password);
    await page.getByRole('button', { name: say.next }).click();
    await page.getByRole('heading', { name: say.codeTitle }).waitFor();
  };

  journey('a demo operator signs in on the way to a page, and out again', async () => {
    const page = await openOperators('/nowhere?a=1', { language });
    await page.getByRole('heading', { name: say.title }).waitFor();
    expect(await page.locator('.gate-foot a').getAttribute('href')).toBe(`${BASE_URL}/login`);
    expect(new URL(page.url()).searchParams.get('to')).toBe('/nowhere?a=1');
    const { name, password, code } = await demoOperator(say.demo);
    await enterPassword(page, name, password);
    await page.getByLabel(say.code).pressSequentially(code.slice(0, 4));
    // A code in part would only count as a failure.
    expect(await page.getByRole('button', { name: say.signIn, exact: true }).isDisabled()).toBe(true);
    await page.getByLabel(say.code).pressSequentially(code.slice(4));
    await page.getByRole('heading', { name: say.notFound }).waitFor();
    expect(page.url()).toBe(`${OPERATORS_URL}/nowhere?a=1`);
    await page.getByText(say.environment, { exact: true }).waitFor();
    // The language is all that the browser keeps; the session is in a cookie that no script can read.
    const kept = await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]);
    expect(kept.flat().join()).not.toMatch(/operator|csrf/i);
    await page.getByRole('button', { name: new RegExp(say.account) }).click();
    await page.getByRole('menuitem', { name: say.signOut }).click();
    await page.getByRole('heading', { name: say.title }).waitFor();
    await page.goto(`${OPERATORS_URL}/`);
    await page.getByRole('heading', { name: say.title }).waitFor();
  });

  inTurn('a wrong name, password or code leads to one and the same refusal', async () => {
    const page = await openOperators('/', { language });
    for (const name of ['owner', 'nobody-at-all']) {
      await enterPassword(page, name, 'not the password');
      await page.getByLabel(say.code).fill('000000');
      await page.getByRole('alert').getByText(say.wrong).waitFor();
      await page.getByRole('link', { name: say.other }).click();
    }
  });

  inTurn('an operator enrols by link: password, authenticator, recovery codes, and signs in with one', async () => {
    const { name, link } = await enrolmentLink('finance');
    const page = await openOperators(link.slice(OPERATORS_URL.length), { language });
    await page.getByLabel(say.newPassword).fill('a password of length');
    await page.getByLabel(say.again).fill('another password');
    await page.getByRole('button', { name: say.next }).click();
    await page.getByText(say.differ).waitFor();
    await page.getByLabel(say.again).fill('a password of length');
    await page.getByRole('button', { name: say.next }).click();
    const secret = (await page.locator('.enrol-key code').innerText()).replaceAll(' ', '');
    expect(await seriousViolations(page)).toEqual([]);
    const code = totpOf(secret);
    await page.getByLabel(say.code).fill(code === '000000' ? '111111' : '000000');
    await page.getByText(say.codeWrong).waitFor();
    await page.getByLabel(say.code).fill(totpOf(secret));
    await page.getByLabel(say.saved).waitFor();
    const codes = await page.locator('.enrol-codes code').allInnerTexts();
    expect(new Set(codes).size).toBe(10);
    await page.getByLabel(say.saved).check();
    await page.getByRole('button', { name: say.toSignIn }).click();
    await enterPassword(page, name, 'a password of length');
    await page.getByRole('button', { name: say.useRecovery }).click();
    await page.getByLabel(say.recovery).fill(codes[0] ?? '');
    await page.getByRole('button', { name: say.signIn, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say.today }).waitFor();
    const again = await openOperators(link.slice(OPERATORS_URL.length), { language });
    await again.getByText(say.linkUsed).waitFor();
  });

  inTurn('the bars fit every width, the keys work, and a lost connection is said', async () => {
    const operator = await newOperator('owner');
    const page = await openOperators('/', { operator, language });
    const title = page.getByRole('heading', { level: 1, name: say.today });
    await title.waitFor();
    expect(await page.title()).toContain(say.today);
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await scrollsSideways(page)]).toEqual([width, false]);
    }
    await page.getByRole('button', { name: say.open }).click();
    await page.getByRole('dialog').getByRole('link', { name: say.today }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto(`${OPERATORS_URL}/nowhere`);
    await page.getByRole('heading', { name: say.notFound }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await title.waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: say.keys }).getByText(say.playKey, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.context().setOffline(true);
    await page.getByText(say.lost).waitFor();
    await page.context().setOffline(false);
    await page.getByText(say.lost).waitFor({ state: 'detached' });
  });

  inTurn('says that the session will end, and keeps it on request', async () => {
    const operator = await newOperator('viewer');
    const page = await openOperators('/sign-in', { operator, language });
    await page.clock.install();
    const calls: Request[] = [];
    page.on('request', (request) => request.url().endsWith('/stream') || calls.push(request));
    await page.goto(`${OPERATORS_URL}/nowhere`);
    await page.getByRole('heading', { name: say.notFound }).waitFor();
    const band = page.getByRole('status').filter({ hasText: say.idle });
    let minutes = 0;
    const wait = async (): Promise<void> => {
      // A call that is under way would be given up when the time jumps.
      await Promise.all(calls.map((call) => call.response().then((response) => response?.finished())));
      await page.evaluate(() => new Promise((read) => setTimeout(read)));
      await page.clock.fastForward(60_000);
      await page.evaluate(() => new Promise((drawn) => setTimeout(drawn)));
      minutes++;
    };
    // After five minutes without input nothing is asked at intervals,
    while (minutes < 6) await wait();
    const before = calls.length;
    // nor after what others do, which the stream tells of.
    const told = await page.evaluateHandle(
      (stream) =>
        new Promise<{ told: Promise<unknown> }>((ready) => {
          const own = new EventSource(stream);
          const told = new Promise((heard) => own.addEventListener('requests', heard));
          own.addEventListener('ready', () => ready({ told }));
        }),
      '/operator-api/stream',
    );
    const owner = await newOperator('owner');
    const payload = { role: 'support' };
    await owner.post('/requests', {
      kind: 'operator.changeRole',
      target: operator.name,
      payload,
      reason: 'a promotion',
    });
    await told.evaluate((stream) => stream.told.then(() => true));
    while (minutes < 40 && (await band.count()) === 0) await wait();
    expect(calls.length).toBe(before);
    await band.getByRole('button', { name: say.stay }).click();
    await band.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: say.notFound }).waitFor();
  });

  inTurn('members’ pages know nothing of it', async () => {
    for (const path of ['/sign-in', '/enrol'])
      expect(await (await fetch(BASE_URL + path)).text()).not.toContain('operator');
    expect((await fetch(`${BASE_URL}/operator-api/session`)).status).toBe(404);
  });
});
