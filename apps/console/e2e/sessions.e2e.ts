import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { logIn, newMember, gotoAs, type SignedIn } from './support/members.js';

const stored = (page: Page) => page.evaluate<Record<string, string>>(() => ({ ...sessionStorage }));

describe('sessions', () => {
  withBrowser();
  let first: SignedIn;
  let second: SignedIn;
  beforeAll(async () => {
    if (CHROMIUM) [first, second] = [await newMember(), await newMember()];
  });

  journey('logging in stores id, secret and member, says so to the page, and goes home', async () => {
    const { page } = await newVisitor();
    await page.addInitScript(() =>
      addEventListener('login-success', ({ detail }: CustomEventInit<{ userId: number }>) => {
        document.documentElement.dataset['told'] = String(detail?.userId);
      }),
    );
    await logIn(page, first);
    await page.waitForURL('**/home');
    const { sk, userId, userInfo, ...rest } = await stored(page);
    expect([sk?.length, userId, rest]).toEqual([64, String(first.userId), {}]);
    expect((JSON.parse(userInfo ?? '{}') as { account?: string }).account).toBe(first.email);
    expect(await page.evaluate(() => document.documentElement.dataset['told'])).toBe(String(first.userId));
  });

  journey('a second tab opened by a link is signed in, and signing out there ends both', async () => {
    const { context, page } = await newVisitor();
    await logIn(page, first);
    const tab = await context.newPage();
    await tab.goto('/UserCenterIndex');
    await tab.getByText(first.email).first().waitFor();
    expect((await stored(tab))['sk']).toBe((await stored(page))['sk']);

    await page.goto('/UserCenterAccountLog');
    await page.getByRole('heading', { name: '账变日志' }).waitFor();
    await tab.goto('/UserCenterExit');
    await tab.getByText('你已退出登录').waitFor();
    await page.waitForURL('**/login?type=1');
    expect(await stored(page)).toEqual({});
    await tab.waitForURL('**/home'); // after three seconds
  });

  journey.each([
    ['zh', '翻译日志', '登陆失效 即将跳转首页'],
    ['en', 'Translation log', 'Your session has expired. Returning to the home page.'],
  ] as const)(
    'an expired login says so, forgets everything and goes home after a second (%s)',
    async (lang, link, says) => {
      const page = await gotoAs('/UserCenterIndex', first, lang);
      await page.getByText(first.email).first().waitFor();
      await page.evaluate(() => sessionStorage.setItem('sk', '0'.repeat(64)));
      await page.getByRole('link', { name: link }).first().click();
      await page.getByRole('alert').getByText(says).waitFor();
      await page.waitForURL('**/home');
      expect(await stored(page)).toEqual({});
    },
  );

  journey('ends at home even after a navigation in that second', async () => {
    const page = await gotoAs('/UserCenterIndex', first, 'zh');
    await page.getByText(first.email).first().waitFor();
    await page.evaluate(() => {
      sessionStorage.setItem('sk', '0'.repeat(64));
      // Pressed in the very turn in which the session ends: the page is not there yet, and nobody is signed in any more.
      new MutationObserver((_, observer) => {
        if (!document.querySelector('.toasts [role=alert]')) return;
        observer.disconnect();
        document.querySelector<HTMLElement>('.shell > .side-menu a[href="/UserCenterLoginLog"]')?.click();
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.locator('.shell > .side-menu a[href="/UserCenterChangeTranslateLog"]').click();
    await page.waitForURL('**/home');
    expect(await stored(page)).toEqual({});
  });

  journey.each([
    ['zh', '登陆失效 即将跳转首页'],
    ['en', 'Your session has expired. Returning to the home page.'],
  ] as const)('an expired login is said in every tab, each goes home by itself (%s)', async (lang, says) => {
    const page = await gotoAs('/UserCenterInfo', await newMember(), lang);
    await page.locator('h1').waitFor();
    const other = await page.context().newPage();
    // What a page still waits for when the session ends, or asks for without one, changes nothing: neither the words nor the way.
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const unsigned = { success: false, data: null, msg: 'unsigned', code: 'UNAUTHORIZED', status: 401 };
    await other.route('**/client-user/memberAccountLog/page?**', async (route) => {
      await ended;
      await route.fulfill({ status: 401, json: unsigned });
    });
    await other.goto('/UserCenterAccountLog');
    await other.locator('h1').waitFor();
    const site = await page.context().newPage();
    await site.goto('/price');
    await site.locator('h1').first().waitFor();
    const tabs = [page, other, site];
    for (const tab of tabs) {
      await tab.waitForFunction(() => sessionStorage.getItem('sk') !== null);
      // The secret that the server has forgotten is theirs in common.
      await tab.evaluate(() => sessionStorage.setItem('sk', '0'.repeat(64)));
    }
    await page.locator('.shell > .side-menu a[href="/UserCenterLoginLog"]').click();
    // Each by itself: where a tab is home first, its message is gone before the others are there.
    await Promise.all(
      tabs.map(async (tab) => {
        const message = tab.getByRole('alert').getByText(says);
        await message.waitFor();
        if (tab === other) end();
        await tab.waitForURL('**/home', { waitUntil: 'commit' });
        // Home is another document for a page of the console: the message goes there with it.
        await message.waitFor();
        expect(await tab.locator('.toasts [role=alert]').allInnerTexts()).toEqual([says]);
      }),
    );
    for (const tab of tabs) expect(await stored(tab)).toEqual({});
  });

  journey('signing out on one device leaves the other signed in', async () => {
    const here = await newVisitor();
    await logIn(here.page, first);
    const there = await newVisitor();
    await logIn(there.page, first);
    await there.page.goto('/UserCenterExit');
    await there.page.getByText('你已退出登录').waitFor();
    // Signing out ends that login alone: this one goes on.
    await here.page.goto('/UserCenterIndex');
    await here.page.getByText(first.email).first().waitFor();
  });

  journey('takes over a session from the address and removes it before any request', async () => {
    const { page } = await newVisitor();
    await logIn(page, first);
    const { sk, userId } = await stored(page);

    const { page: fresh } = await newVisitor();
    const asked: string[] = [];
    fresh.on('request', (request) => {
      if (request.url().includes('/client-user/')) asked.push(request.url());
      asked.push(request.headers()['referer'] ?? ''); // of scripts and styles too: they are asked for before any of ours runs
    });
    await fresh.goto(`/login?type=1&t=${sk}&u=${userId}`);
    await fresh.waitForURL('**/home');
    expect((await stored(fresh))['userId']).toBe(userId);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((text) => text.includes(sk ?? '?'))).toEqual([]);

    // Somebody else is signed in: the page asks first.
    const { page: taken } = await newVisitor();
    await logIn(taken, second);
    const before = await stored(taken);
    await taken.goto(`/login?type=1&t=${sk}&u=${userId}`);
    await taken.getByRole('dialog', { name: '切换账号？' }).getByRole('button', { name: '保持当前账号' }).click();
    await taken.waitForURL('**/home');
    expect((await stored(taken))['userId']).toBe(before['userId']);
    await taken.goto(`/login?type=1&t=${sk}&u=${userId}`);
    await taken.getByRole('button', { name: '切换账号' }).click();
    await taken.waitForURL('**/home');
    expect((await stored(taken))['userId']).toBe(userId);
  });

  journey('works with a clock that is wrong by an hour', async () => {
    const { context, page } = await newVisitor();
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 3_600_000;
    });
    await logIn(page, first);
    await page.goto('/UserCenterIndex');
    await page.getByText(first.email).first().waitFor();
  });

  journey('reports a failing or misbehaving server in plain words', async () => {
    const { page } = await newVisitor();
    await logIn(page, first);
    let isMended = false;
    await page.route('**/client-user/user/get', (route) =>
      isMended ? route.continue() : route.fulfill({ status: 500, body: 'oops' }),
    );
    await page.evaluate(() => sessionStorage.removeItem('userInfo'));
    await page.goto('/UserCenterIndex');
    await page.getByText('服务器异常，请联系工作人员').first().waitFor();
    const again = page.getByRole('button', { name: '重新加载' });
    await again.waitFor();
    isMended = true;
    await again.click();
    await page.getByText(first.email).first().waitFor();
  });
});
