import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { signIn } from './support/api.js';
import { overflowsOnPhone, waitForText, gotoAs } from './support/members.js';
import { withFamily } from './support/families.js';

const SAYS = {
  zh: {
    sample: '示例数据',
    groups: ['我的空间', '共享空间', '子账号空间'],
    heads: ['标题', '手机号', '公司', '阶段', '国家', '标签', '来源应用'],
    remove: '删除空间 客户跟进',
    leave: '退出空间 欧洲渠道',
    leaveChild: '退出空间 销售一组',
    noSpace: '没有空间',
    shared: '欧洲渠道',
    empty: '售后服务',
    nothing: '这个空间还没有联系人',
    country: '美国',
    contacts: '联系人',
    workspace: '工作空间',
  },
  en: {
    sample: 'Sample data',
    groups: ['My spaces', 'Shared spaces', 'Spaces of sub-accounts'],
    heads: ['Title', 'Cellphone', 'Company', 'Step', 'Country', 'Tags', 'From app'],
    remove: 'Delete space Customers',
    leave: 'Leave space European channels',
    leaveChild: 'Leave space Sales team one',
    noSpace: 'No spaces',
    shared: 'European channels',
    empty: 'After-sales',
    nothing: 'This space has no contacts yet',
    country: 'United States',
    contacts: 'Contacts',
    workspace: 'Workspace',
  },
} as const;

/** The member, and the stream that says when it has changed. */
const SHELL = /\/user\/get$|\/notice\//;

withBrowser();
const family = withFamily();

const rows = (page: Page) => page.locator('.ant-table-row');

describe.each(['zh', 'en'] as const)('the workspace (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('shows spaces, their users and their contacts, ten a page', async () => {
    const page = await gotoAs('/UserWorkSpace', family.main, lang);
    await page.getByRole('heading', { level: 1, name: say.workspace }).waitFor();
    await waitForText(page, say.sample);
    for (const name of say.groups) await page.getByRole('group', { name, exact: true }).waitFor();
    expect((await page.locator('.ant-table-thead th').allTextContents()).map((text) => text.trim())).toEqual(say.heads);
    expect(await rows(page).count()).toBe(10);
    expect(await rows(page).first().textContent()).toContain(say.country);

    await page.locator('.ant-pagination-item-3').click();
    await page.waitForFunction(() => document.querySelectorAll('.ant-table-row').length === 6);
    await page.getByRole('button', { name: say.shared }).first().click();
    await page.waitForFunction(() => document.querySelectorAll('.ant-table-row').length === 8);
    await page.getByRole('button', { name: say.empty }).first().click();
    await waitForText(page, say.nothing);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('sends no requests; its actions do nothing', async () => {
    const page = await gotoAs('/UserCenterIndex', family.main, lang);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The way of a link. What the shell asks around every page, it may ask here, too.
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/client-user/') && !SHELL.test(pathname)) asked.push(pathname);
    });
    await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
    asked.length = 0;
    await page.evaluate(() => {
      history.pushState(null, '', '/UserWorkSpace');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await rows(page).first().waitFor();
    const before = await page.locator('#main').innerHTML();
    await page.getByRole('button', { name: say.remove }).click();
    await page.getByRole('button', { name: say.leave }).click();
    await page.getByRole('button', { name: say.leaveChild }).click();
    expect(await page.locator('#main').innerHTML()).toBe(before);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: say.shared }).first().click();
    await page.waitForFunction(() => document.querySelectorAll('.ant-table-row').length === 8);
    expect(asked).toEqual([]);
  });

  inTurn('is available to a sub-account, without sub-account spaces', async () => {
    const { account, password } = await family.child();
    const page = await gotoAs('/UserWorkSpace', await signIn(account, password), lang);
    await rows(page).first().waitFor();
    await page.getByRole('group', { name: say.groups[2], exact: true }).getByText(say.noSpace).waitFor();
    expect(await page.getByRole('button', { name: say.leaveChild }).count()).toBe(0);
    await page.getByRole('button', { name: say.remove }).waitFor();
  });

  inTurn('keeps the height of the table and its head in sight', async () => {
    const page = await gotoAs('/UserWorkSpace', family.main, lang);
    await rows(page).first().waitFor();
    const area = page.getByRole('group', { name: say.contacts, exact: true });
    expect((await area.boundingBox())?.height).toBe(556);
    expect(await area.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0);
  });
});
