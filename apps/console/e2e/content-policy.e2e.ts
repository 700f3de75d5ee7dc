/** Documents of two kinds and their content security policies (docs/decisions/0027): what crosses, and that nothing is refused. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoMain } from './support/api.js';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import {
  goWithin,
  logIn,
  newMember,
  waitForHydration,
  waitForNoDialog,
  waitForPage,
  openPageAs,
  gotoAs,
} from './support/members.js';
import { CONSOLE_PAGES, PUBLIC_PAGES } from './support/routes.js';
import { SAYS } from './support/sub-account-messages.js';
import { button } from './support/families.js';

withBrowser();

/** Marks the document on screen; a new one has no mark. */
const mark = (page: Page): Promise<unknown> => page.evaluate(() => Object.assign(window, { marked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'marked' in window);
const pathOf = (page: Page): string => new URL(page.url()).pathname;

describe('the policy', () => {
  journey('does not restrict any page of the console', async () => {
    const page = await openPageAs(await demoMain(), 'zh');
    for (const { path } of CONSOLE_PAGES) {
      await page.goto(path);
      await waitForPage(page);
    }
    // What antd makes at run time is there, in a style of its own that carries the nonce.
    const styled = await page.evaluate(() =>
      [...document.querySelectorAll('style')].map(({ nonce, sheet }) => [
        nonce !== '',
        (sheet?.cssRules.length ?? 0) > 0,
      ]),
    );
    expect(styled.length).toBeGreaterThan(0);
    expect(styled.every(([nonce, rules]) => nonce && rules)).toBe(true);
  });

  journey('lets a dialog lock the page behind it, and a text grow', async () => {
    const page = await gotoAs('/UserCenterChild', await demoMain(), 'zh');
    await page.locator('.ant-table-row').first().waitFor();
    await button(page, SAYS.zh.add).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).toBe('hidden');
    await button(page, SAYS.zh.cancel).click();
    await waitForNoDialog(page);
    await goWithin(page, '/UserCenterChangeTranslateTest');
    const text = page.locator('textarea').first();
    await text.waitFor();
    const low = await text.evaluate((area) => area.clientHeight);
    await text.fill('译\n'.repeat(9));
    await page.waitForFunction((before) => (document.querySelector('textarea')?.clientHeight ?? 0) > before, low);
  });

  journey('does not restrict any public page', async () => {
    const { page } = await newVisitor('zh');
    for (const path of PUBLIC_PAGES) {
      await page.goto(path);
      await waitForPage(page);
      const html = await (await page.request.get(path)).text();
      const inline = /<style|<[^>]* (style|on[a-z]+)="|<script(?![^>]* src=)(?! type="application\/ld\+json")/i;
      expect([path, inline.exec(html)?.[0]]).toEqual([path, undefined]);
    }
  });

  journey('a prerendered form sends nothing before hydration', async () => {
    const { page } = await newVisitor('zh');
    for (const type of [1, 2]) {
      const html = await (await page.request.get(`/login?type=${type}`)).text();
      const tags = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([tag]) => tag);
      const submits = tags(/<button[^>]* type="submit"[^>]*>/g);
      const passwords = tags(/<input[^>]* type="password"[^>]*>/g);
      expect([submits.length > 0, passwords.length > 0]).toEqual([true, true]);
      expect(submits.filter((tag) => !tag.includes(' disabled'))).toEqual([]);
      expect(passwords.filter((tag) => !/ readonly/i.test(tag))).toEqual([]);
    }
  });

  journey('is detected when the server refuses it', async () => {
    const { page } = await newVisitor('zh');
    await page.goto('/home');
    const refused = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const heard = (event: SecurityPolicyViolationEvent): void => {
            event.stopImmediatePropagation(); // this once it is no fault
            resolve(event.effectiveDirective);
          };
          window.addEventListener('securitypolicyviolation', heard, { capture: true });
          document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }));
        }),
    );
    expect(refused).toBe('style-src-elem');
  });
});

describe('documents of two kinds', () => {
  journey(
    'nothing is loaded again within a kind, and a document between them; back and forward go the same way',
    async () => {
      const page = await gotoAs('/home', await newMember(), 'zh');
      await waitForHydration(page);
      await mark(page);
      await page.locator('footer a[href="/price"]').click();
      await page.waitForURL('**/price');
      expect(await isMarked(page)).toBe(true);
      await page.locator('header a[href="/UserCenterIndex"]').click();
      await page.waitForURL('**/UserCenterIndex');
      await waitForPage(page);
      expect(await isMarked(page)).toBe(false);
      await mark(page);
      await page.locator('a[href="/UserCenterInfo"]:visible').first().click();
      await page.waitForURL('**/UserCenterInfo');
      expect(await isMarked(page)).toBe(true);

      const went: string[] = [];
      for (const step of ['goBack', 'goBack', 'goForward', 'goBack', 'goBack'] as const) {
        await page[step]();
        await waitForPage(page);
        went.push(pathOf(page));
        await page.locator('.navigation-progress').waitFor({ state: 'detached' });
      }
      expect(went).toEqual(['/UserCenterIndex', '/price', '/UserCenterIndex', '/price', '/home']);
    },
  );

  journey('returns to the page and its filters after login', async () => {
    const member = await newMember();
    const { page } = await newVisitor('zh');
    await page.goto('/UserCenterAccountLog?pageSize=20');
    await page.waitForURL('**/login?type=1');
    expect(new URL(page.url()).search).toBe('?type=1');
    await logIn(page, member);
    await page.waitForURL(/\/UserCenterAccountLog\?pageSize=20/);
    // Once: who signs in later, from nowhere, comes home.
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('way-back');
  });

  journey.each(['//evil.example/', 'https://evil.example/UserCenterIndex', '/home', '%'])(
    'a way back that somebody else wrote (%s) leads home',
    async (written) => {
      const member = await newMember();
      const { page, context } = await newVisitor('zh');
      await page.goto('/login?type=1');
      const { origin } = new URL(page.url());
      await context.addCookies([
        { name: 'way-back', value: encodeURIComponent(written), domain: new URL(origin).hostname, path: '/login' },
      ]);
      await logIn(page, member);
      await page.waitForURL(`${origin}/home`);
    },
  );

  journey('shows a toast of one page on the next, once', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterChangePassword', member, 'zh');
    await page.getByLabel('旧密码', { exact: true }).fill(member.password);
    await page.getByLabel('新密码', { exact: true }).fill(`${member.password}-2`);
    await page.getByLabel('确认新密码', { exact: true }).fill(`${member.password}-2`);
    await button(page, '确认修改').click();
    await page.waitForURL('**/home');
    await page.getByRole('status').filter({ hasText: '修改成功' }).first().waitFor();
    await page.waitForFunction(() => !document.cookie.includes('message='));
    await page.reload();
    await waitForPage(page);
    expect(await page.getByText('修改成功').count()).toBe(0);
  });
});
