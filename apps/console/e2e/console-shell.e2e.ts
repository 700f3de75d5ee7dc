/** What stands around every page of the console: menu by role, texts, the connection, pages that do not come, focus, old addresses. */
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { demoMain, newChild, removeChildren, signIn, type Child } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { newMember, waitForPage, waitForText, openPageAs, gotoAs, type SignedIn } from './support/members.js';

const SAYS = {
  zh: {
    side: '侧边菜单',
    menu: ['总览', '个人资料', '修改密码', '登录日志', '账变日志', '翻译日志', '翻译测试', '术语表', 'API 密钥'],
    mainOnly: ['子账号管理', '充值与订单', 'Webhook'],
    noPermission: '当前账号不能查看此页',
    back: '返回总览',
    offline: '网络已断开，恢复后自动更新',
    reconnecting: '实时更新已断开，正在重连',
    broken: '页面加载失败',
    reload: '重新加载',
    info: '个人资料',
    password: '修改密码',
    failed: '内容加载失败',
    top: ['首页', '价格标准', '使用文档', '下载', '联系我们'],
    account: '账号菜单',
    account3: ['会员中心', '修改密码', '退出登录'],
    exited: '你已退出登录',
  },
  en: {
    side: 'Side menu',
    menu: [
      'Overview',
      'Profile',
      'Change password',
      'Sign-in log',
      'Account log',
      'Translation log',
      'Translation test',
      'Glossary',
      'API keys',
    ],
    mainOnly: ['Sub-accounts', 'Recharge and orders', 'Webhooks'],
    noPermission: 'This account cannot open this page',
    back: 'Back to overview',
    offline: 'You are offline. Updates resume when you reconnect.',
    reconnecting: 'Live updates interrupted. Reconnecting.',
    broken: 'The page couldn’t be loaded',
    reload: 'Reload',
    info: 'Profile',
    password: 'Change password',
    failed: 'This couldn’t be loaded',
    top: ['Home', 'Pricing', 'Documentation', 'Download', 'Contact'],
    account: 'Account menu',
    account3: ['Member center', 'Change password', 'Sign out'],
    exited: 'You have signed out',
  },
} as const;

const side = (page: Page, lang: 'zh' | 'en') => page.getByRole('navigation', { name: SAYS[lang].side });
const entries = async (page: Page, lang: 'zh' | 'en'): Promise<string[]> =>
  (await side(page, lang).getByRole('link').allInnerTexts()).map((text) => text.trim());

/** Notes, from before the first drawing on, every text that ever stands in the page. */
const noteTexts = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const seenTexts = ((window as unknown as { seenTexts: Set<string> }).seenTexts = new Set<string>());
    new MutationObserver(() => {
      for (const node of document.querySelectorAll('a, h1, th')) seenTexts.add(node.textContent.trim());
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
};
const notedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window as unknown as { seenTexts: Set<string> }).seenTexts]);

describe.each(['zh', 'en'] as const)('the shell of the console in %s', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  withBrowser();
  let main: SignedIn;
  let member: SignedIn;
  let child: Child;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    main = await demoMain();
    member = await newMember();
    child = await newChild(main);
  });
  afterAll(async () => {
    if (CHROMIUM) await removeChildren(main, [child.account]);
  });

  journey('shows a main account both menus in full, the top bar’s links and the account menu', async () => {
    // Somebody of its own: it signs out.
    const page = await gotoAs('/UserCenterInfo', await newMember(), lang);
    await side(page, lang).getByRole('link', { name: say.mainOnly[0] }).waitFor();
    expect((await entries(page, lang)).sort()).toEqual([...say.menu, ...say.mainOnly].sort());
    expect(await page.locator('.top-bar > nav a').allInnerTexts()).toEqual([...say.top]);
    expect(await side(page, lang).locator('[aria-current=page]').innerText()).toBe(say.info);
    await page.getByRole('button', { name: say.account }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([...say.account3]);
    await page.getByRole('menuitem').last().click();
    await page.waitForURL('**/UserCenterExit');
    await waitForText(page, say.exited);
  });

  inTurn('never renders what a sub-account may not see', async () => {
    const who = await signIn(child.account, child.password);
    const page = await openPageAs(who, lang);
    await noteTexts(page);
    // The slower the answer, the longer a wrong menu would stand.
    await page.route('**/client-user/user/get', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    for (const path of ['/UserCenterRecharge', '/UserCenterOrder', '/UserCenterChild']) {
      await page.goto(path);
      await waitForText(page, say.noPermission);
      expect(await entries(page, lang)).toEqual(say.menu);
      const noted = await notedTexts(page);
      expect(noted).toContain(say.menu[0]);
      expect(noted.filter((text) => say.mainOnly.some((name) => text === name))).toEqual([]);
    }
    await page.getByRole('link', { name: say.back }).click();
    await page.waitForURL('**/UserCenterIndex');
  });

  inTurn('shows when the network is gone, and hides it afterwards', async () => {
    const page = await gotoAs('/UserCenterInfo', member, lang);
    // What is still loading then fails, and says so.
    await waitForPage(page);
    await page.context().setOffline(true);
    const sign = page.getByRole('status').filter({ hasText: say.offline });
    await sign.waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().setOffline(false);
    await sign.waitFor({ state: 'detached' });
  });

  inTurn('shows when the stream has been down for five seconds, and hides it afterwards', async () => {
    const page = await openPageAs(member, lang);
    await page.route('**/client-user/notice/openSse/**', (route) => route.abort());
    await page.goto('/UserCenterInfo');
    const sign = page.getByRole('status').filter({ hasText: say.reconnecting });
    await sign.waitFor();
    // By the page's own clock, since it began: a second is no news.
    expect(await page.evaluate(() => performance.now())).toBeGreaterThanOrEqual(5_000);
    await page.unroute('**/client-user/notice/openSse/**');
    await sign.waitFor({ state: 'detached' });
  });

  inTurn('keeps the shell when a page fails to load, and loads it on retry', async () => {
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await page.locator('h1').waitFor();
    await page.route(/\/assets\/change-password-page-.*\.js$/, (route) => route.abort());
    await side(page, lang).getByRole('link', { name: say.password }).click();
    await page.locator('main').getByText(say.broken).waitFor();
    await side(page, lang).getByRole('link', { name: say.info }).waitFor();
    // Another page works all the same.
    await side(page, lang).getByRole('link', { name: say.info }).click();
    await page.getByRole('heading', { level: 1, name: say.info }).waitFor();
    await side(page, lang).getByRole('link', { name: say.password }).click();
    await page.locator('main').getByText(say.broken).waitFor();
    await page.unroute(/\/assets\/change-password-page-.*\.js$/);
    await page.locator('main').getByRole('button', { name: say.reload }).click();
    await page.getByRole('heading', { level: 1, name: say.password }).waitFor();
  });

  inTurn('reads again what failed when the network comes back, data and code', async () => {
    const page = await openPageAs(member, lang);
    // Without the stream, whose connection would do the same.
    await page.route('**/client-user/notice/openSse/**', (route) => route.abort());
    await page.route('**/loginLog/page?*', (route) => route.abort());
    await page.goto('/UserCenterLoginLog');
    await page.locator('main').getByRole('button', { name: say.reload }).waitFor();
    await page.unroute('**/loginLog/page?*');
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.locator('.ant-table-row').first().waitFor();

    await page.route(/\/assets\/change-password-page-.*\.js$/, (route) => route.abort());
    await side(page, lang).getByRole('link', { name: say.password }).click();
    await page.locator('main').getByText(say.broken).waitFor();
    await page.unroute(/\/assets\/change-password-page-.*\.js$/);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: say.password }).waitFor();
  });

  inTurn('a navigation moves the focus to the heading and changes the document title', async () => {
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await page.getByRole('heading', { level: 1, name: say.info }).waitFor();
    // The first page is the browser's to announce.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await side(page, lang).getByRole('link', { name: say.password }).press('Enter');
    await page.locator('h1:focus', { hasText: say.password }).waitFor();
    expect(await page.title()).toContain(say.password);
    // Back is the browser's.
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: say.info }).waitFor();
    expect(await page.locator('h1:focus').count()).toBe(0);
  });

  inTurn(
    'while the member is on its way there is an outline, and an answer that never comes can be asked for again',
    async () => {
      const page = await openPageAs(member, lang);
      let answer = (route: Route): Promise<void> => route.abort();
      await page.route('**/client-user/user/get', (route) => answer(route));
      await page.goto('/UserCenterInfo');
      await page.locator('main').getByText(say.failed).waitFor();
      answer = (route) => route.continue();
      await page.locator('main').getByRole('button', { name: say.reload }).click();
      await page.getByRole('heading', { level: 1, name: say.info }).waitFor();
      const { promise: told, resolve: tell } = Promise.withResolvers<void>();
      answer = (route) => told.then(() => route.continue());
      await page.evaluate(() => sessionStorage.removeItem('userInfo'));
      await page.reload();
      await page.locator('.shell main .page-skeleton .skeleton').first().waitFor();
      expect(await entries(page, lang)).toEqual(say.menu); // what everybody has is there already
      tell();
      await page.getByRole('heading', { level: 1, name: say.info }).waitFor();
    },
  );
});

/** As slow as a busy machine is not. */
const SLOW_MS = 4_000;

describe('the console', () => {
  withBrowser();
  let member: SignedIn;
  beforeAll(async () => {
    if (CHROMIUM) member = await newMember();
  });

  journey.each([
    ['/userCenter', '/UserCenterIndex'],
    ['/userCenter/UserCenterInfo', '/UserCenterInfo'],
    ['/userCenter/usercenteraccountlog?pageSize=20', '/UserCenterAccountLog?pageSize=20'],
    ['/userCenter/Nothing', '/home'],
  ])('is at its old addresses, too: %s', async (from, to) => {
    const page = await gotoAs(from, member, 'zh');
    await page.waitForURL((url) => (url.pathname + url.search).startsWith(to));
    await page.locator('h1').first().waitFor();
  });

  journey('asks the server for the overview in two steps at most, and for the member once', async () => {
    const page = await openPageAs(member, 'zh');
    const asked: { path: string; at: number }[] = [];
    // Slow answers tell the calls that wait for one from those that only come a little later.
    await page.route('**/client-user/**', async (route) => {
      const { pathname: path } = new URL(route.request().url());
      if (!path.includes('/notice/')) {
        asked.push({ path, at: Date.now() });
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      }
      await route.continue();
    });
    await page.goto('/UserCenterIndex');
    await page.locator('h1').waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
    const after = asked.map(({ at }) => at - (asked[0]?.at ?? 0));
    expect(asked.filter(({ path }) => path.endsWith('/user/get')).length).toBe(1);
    expect(asked.length).toBeGreaterThan(3);
    // Whatever waited for two answers would come after twice as long.
    expect(Math.max(...after)).toBeLessThan(2 * SLOW_MS);
  });

  journey('loads antd, dayjs and Refine in the language of the page alone', async () => {
    for (const lang of ['zh', 'en'] as const) {
      const page = await openPageAs(member, lang);
      const files: string[] = [];
      page.on('request', (request) => files.push(new URL(request.url()).pathname));
      await page.goto('/UserCenterLoginLog');
      await page.locator('h1').waitFor();
      // What antd brings is held by bundle.spec.ts: a part of it has Chinese by itself.
      const other = { zh: /locale\.en|messages\.en/, en: /locale\.zh|messages\.zh/ }[lang];
      expect(files.filter((file) => other.test(file))).toEqual([]);
      expect(files.filter((file) => /\/locale\./.test(file)).length).toBe(1);
    }
  });
});
