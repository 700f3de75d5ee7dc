import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    tree: '教程目录',
    client: '客户端',
    quick: '快捷回复',
    next: /^下一节/,
    notes: '粉丝备注',
    subAccounts: '子账号管理',
    mustRead: '新手必看',
    copy: '复制下载地址',
    copied: '复制成功',
    login: '注册与登录',
    brand: '译桥',
    search: {
      label: '搜索教程',
      word: '群发',
      section: '群发消息',
      path: '/productDesc/qfxx',
      none: '没有找到相关内容，换个词试试',
    },
    rules: ['不限邮箱类型', '垃圾邮件', '用户名或邮箱'],
  },
  en: {
    tree: 'Tutorial contents',
    client: 'Client',
    quick: 'Quick reply',
    next: /^Next/,
    notes: 'Contact notes',
    subAccounts: 'Sub-account management',
    mustRead: 'Must-read for beginners',
    copy: 'Copy the download address',
    copied: 'Copied',
    login: 'Sign-up & sign-in',
    brand: 'Yiqiao',
    search: {
      label: 'Search the tutorial',
      word: 'MASS',
      section: 'Mass messaging',
      path: '/productDesc/qfxx',
      none: 'Nothing found. Try another word.',
    },
    rules: ['any email provider works', 'spam folder', 'username or your email'],
  },
} as const;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

describe.each(['zh', 'en'] as const)('the tutorial (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('shows the section clicked in the tree, at its own address', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/productDesc');
    const tree = page.getByRole('navigation', { name: say.tree });
    await tree.getByText(say.client, { exact: true }).click();
    await tree.getByRole('link', { name: say.quick }).click();
    await page.waitForURL(/\/productDesc\/kjhf$/);
    await heading(page, say.quick).waitFor();
    expect(await page.locator('.tutorial-section:visible').count()).toBe(1);
    expect(await tree.locator('[aria-current]').textContent()).toBe(say.quick);
    await page.waitForFunction((title) => document.title === title, `${say.quick} · ${say.brand}`);
    await page.getByRole('link', { name: say.next }).click();
    await heading(page, say.notes).waitFor();
  });

  inTurn('opens at a section’s address, and the home page for an unknown one', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/productDesc/zzhgl');
    await heading(page, say.subAccounts).waitFor();
    // What it shows of the product says in words what it shows; beside the text stands where one is in it.
    const drawings = page.locator('.tutorial-section.current').getByRole('img');
    expect(await drawings.evaluateAll((all) => all.map((each) => Boolean(each.ariaLabel)))).toEqual([true, true]);
    const contents = page.locator('.doc-contents a');
    expect(await contents.first().getAttribute('aria-current')).toBe('location');
    await contents.last().click();
    await page.locator('.doc-contents a:last-child[aria-current]').waitFor();
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.locator('.doc-contents b + a[aria-current]').waitFor();
    await page.goto('/productDesc/nothing');
    await page.waitForURL(/\/home$/);
  });

  inTurn('gives newcomers the addresses to copy, and the rules', async () => {
    const { page, context } = await newVisitor(lang);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/productDesc/xsbk');
    await heading(page, say.mustRead).waitFor();
    const { origin } = new URL(page.url());
    expect(await page.locator('.tutorial-section.current code').allTextContents()).toEqual([
      `${origin}/`,
      `${origin}/#/download`,
    ]);
    await page.getByRole('button', { name: say.copy }).click();
    await page.getByText(say.copied, { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin}/#/download`);
    const text = (await page.locator('.tutorial-section.current').textContent()) ?? '';
    expect(say.rules.filter((rule) => !text.includes(rule))).toEqual([]);
  });

  journey.each([1440, 390])('finds sections by a word in them (%i px)', async (width) => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/productDesc');
    if (width < 769) await page.locator('.tutorial-contents summary').click();
    const { label, word, section, path, none } = say.search;
    const box = page.getByRole('searchbox', { name: label });
    await box.fill('zzzz');
    await page.getByText(none).waitFor();
    await box.fill(word);
    const hit = page.locator('.tutorial-hits:visible a').first();
    expect(await hit.locator('b').textContent()).toBe(section);
    await hit.click();
    await page.waitForURL(`**${path}`);
    await heading(page, section).waitFor();
    expect(await page.locator('.tutorial-hits').count()).toBe(0);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('has all sections one after another on a phone, without the tree', async () => {
    const { page } = await newVisitor(lang);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/productDesc/zzhgl');
    await heading(page, say.subAccounts).waitFor();
    expect(await page.locator('.tutorial-section:visible').count()).toBe(23);
    expect(await page.getByRole('navigation', { name: say.tree }).count()).toBe(0);
    await page.getByRole('heading', { level: 2, name: say.login, exact: true }).waitFor();
    // the address of a section leads to where it stands
    await page.waitForFunction(
      () => Math.abs(document.getElementById('zzhgl')?.getBoundingClientRect().top ?? 999) < 120,
    );
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
