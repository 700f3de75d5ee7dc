import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { selectOption } from './support/controls.js';
import { demoMain, newChild, removeChildren, signIn } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { newMember, overflowsOnPhone, waitForText, type SignedIn, gotoAs } from './support/members.js';

const SAYS = {
  zh: {
    type: '日志类型',
    invite: '邀请奖励',
    other: '其他',
    query: '查询',
    reset: '重置',
    none: '没有符合条件的记录',
    web: '网页',
    range: '时间范围',
    stale: '最新记录加载失败',
    again: '重试',
    yesterday: '昨天',
    last30: '近 30 天',
    loginLog: '登录日志',
    translationLog: '翻译日志',
    noTranslations: '近 10 天没有翻译',
  },
  en: {
    type: 'Type',
    invite: 'Invite reward',
    other: 'Other',
    query: 'Search',
    reset: 'Reset',
    none: 'No entries match',
    web: 'Web',
    range: 'Time',
    stale: 'The latest entries couldn’t be loaded',
    again: 'Try again',
    yesterday: 'Yesterday',
    last30: 'Last 30 days',
    loginLog: 'Sign-in log',
    translationLog: 'Translation log',
    noTranslations: 'No translations in the last 10 days',
  },
} as const;

withBrowser();
let member: SignedIn;
beforeAll(async () => {
  member = await newMember();
});

const rows = (page: Page) => page.locator('.ant-table-row');

describe.each(['zh', 'en'] as const)('logs (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('filters the account log, keeps the filter over a reload, and resets', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    expect(await rows(page).first().textContent()).toContain(say.other);

    await selectOption(page, say.type, say.invite);
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await page.waitForURL(/INVITE_REWARD/);
    await waitForText(page, say.none);
    expect(decodeURIComponent(page.url())).toContain('INVITE_REWARD');

    await page.reload();
    await waitForText(page, say.none);
    expect(await page.locator('.ant-select-selection-item').first().textContent()).toBe(say.invite);

    await page.locator('.empty-state').getByRole('button', { name: say.reset }).click();
    await rows(page).first().waitFor();
    expect(page.url()).not.toContain('INVITE_REWARD');
  });

  inTurn('a page turned while the filters are being written into the address is a step of its own', async () => {
    const page = await gotoAs('/UserCenterAccountLog', await demoMain(), lang);
    await page.locator('.lt-pages .ant-pagination-item-2').waitFor();
    await page.getByRole('link', { name: say.loginLog, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say.loginLog }).waitFor();
    // The rows are still known: the page can be turned before the router has drawn the new address.
    await page.evaluate(() => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (...to) => {
        replace(...to);
        const next = document.querySelector<HTMLElement>('.lt-pages .ant-pagination-next');
        if (!location.search.includes('from=') || !next) return;
        history.replaceState = replace;
        next.click();
      };
    });
    await page.locator('nav a[href="/UserCenterAccountLog"]:visible').click();
    await page.waitForURL(/page=2/);
    await page.goBack();
    await page.locator('.lt-pages .ant-pagination-item-1.ant-pagination-item-active').waitFor();
    expect(new URL(page.url()).pathname).toBe('/UserCenterAccountLog');
  });

  inTurn('back before a turned page is drawn', async () => {
    const page = await gotoAs('/UserCenterAccountLog', await demoMain(), lang);
    await page.waitForURL(/from=/);
    const link = page.url();
    await page.goto('/UserCenterIndex');
    await page.goto(link); // nothing is left to be written into the address
    const second = page.locator('.lt-pages .ant-pagination-item-2');
    await second.waitFor();
    // Busy until the step back has arrived, which the browser takes on its own.
    await page.evaluate(() => {
      const push = history.pushState.bind(history);
      history.pushState = (...to) => {
        history.pushState = push;
        push(...to);
        history.back();
        for (const end = performance.now() + 300; performance.now() < end;);
      };
    });
    const stepped = page.evaluate(() =>
      new Promise((done) => addEventListener('popstate', done, { once: true })).then(() => true),
    );
    await second.click();
    await stepped;
    await page.locator('.lt-pages .ant-pagination-item-1.ant-pagination-item-active').waitFor();
    expect(new URL(page.url()).searchParams.has('page')).toBe(false);
  });

  inTurn('chooses a range in the calendar; back and a shared link keep it', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    // The calendar comes when it is asked for: here by keyboard.
    expect(await page.locator('.ant-picker').count()).toBe(0);
    await page.getByLabel(say.range, { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.ant-picker-dropdown:visible').getByText(say.yesterday, { exact: true }).click();
    await page.getByRole('button', { name: say.query, exact: true }).click();
    await waitForText(page, say.none); // the member is of today
    const asked = page.url();
    const [day] = /\d{4}-\d{2}-\d{2}/.exec(decodeURIComponent(asked)) ?? [];
    expect(day).toBeDefined();

    await page.getByRole('link', { name: say.loginLog, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say.loginLog }).waitFor();
    await rows(page).first().waitFor();
    await page.goBack();
    await waitForText(page, say.none);
    expect(page.url()).toBe(asked);
    expect(await page.locator('.lg-range input').first().inputValue()).toBe(`${day ?? ''} 00:00:00`);

    const { pathname, search } = new URL(asked);
    const other = await gotoAs(pathname + search, await newMember(), lang);
    await waitForText(other, say.none);
    await other
      .getByLabel(say.range, { exact: true })
      .getByText(`${day ?? ''} 23:59:59`)
      .waitFor();
    await other.getByLabel(say.range, { exact: true }).click();
    await other.locator('.ant-picker-dropdown:visible').getByText(say.last30, { exact: true }).click();
    await other.getByRole('button', { name: say.query, exact: true }).click();
    await rows(other).first().waitFor();
  });

  inTurn('keeps the rows when they cannot be read again, says so, and tries again', async () => {
    const page = await gotoAs('/UserCenterAccountLog', member, lang);
    await rows(page).first().waitFor();
    await page.route('**/memberAccountLog/page**', (route) => route.abort());
    await page.getByRole('button', { name: say.query, exact: true }).click(); // the same question: look again
    await page.getByRole('status').getByText(say.stale).waitFor();
    expect(await rows(page).count()).toBeGreaterThan(0);
    await page.unroute('**/memberAccountLog/page**');
    await page.getByRole('button', { name: say.again, exact: true }).click();
    await page.getByText(say.stale).waitFor({ state: 'detached' });
    expect(await rows(page).count()).toBeGreaterThan(0);
  });

  inTurn('shows the login that has just happened, with its client', async () => {
    const page = await gotoAs('/UserCenterLoginLog', member, lang);
    await rows(page).first().waitFor();
    const text = (await rows(page).first().textContent()) ?? '';
    expect(text).toContain(say.web);
    expect(text).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
  });

  inTurn('shows a sub-account its own logs only', async () => {
    const main = await demoMain();
    const child = await newChild(main);
    try {
      const page = await gotoAs('/UserCenterLoginLog', await signIn(child.account, child.password), lang);
      await rows(page).first().waitFor();
      expect(await rows(page).count()).toBe(1);
      expect(await rows(page).first().textContent()).toContain(say.web);
      await page.getByRole('link', { name: say.translationLog, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: say.translationLog }).waitFor();
      await waitForText(page, say.noTranslations);
      expect(await rows(page).count()).toBe(0);
    } finally {
      await removeChildren(main, [child.account]);
    }
  });

  journey.each(['/UserCenterAccountLog', '/UserCenterLoginLog', '/UserCenterChangeTranslateLog'])(
    '%s does not scroll sideways on a phone',
    async (path) => {
      const page = await gotoAs(path, member, lang);
      await page.locator('.lt-card .ant-table-row, .lt-card .empty-state').first().waitFor();
      expect(await overflowsOnPhone(page)).toBe(false);
    },
  );
});
