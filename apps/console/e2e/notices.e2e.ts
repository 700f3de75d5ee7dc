/** What operators tell everybody: at each load, live, and not again today (specification §2, §4; decisions §6). */
import { afterAll, afterEach, describe, expect } from '@jest/globals';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { HOSTILE } from './support/xss-payloads.js';
import {
  journey,
  journeysInTurn,
  newVisitor,
  showNotices,
  takeViolations,
  withBrowser,
  type Language,
} from './support/browser.js';
import { publishNotice, withdrawNotice, withdrawNotices } from './support/operator.js';
import { newMember, waitForPage, openPageAs } from './support/members.js';

withBrowser();
// Other journeys have the same site.
afterEach(withdrawNotices);
afterAll(withdrawNotices);

/** An operator's command starts the whole product once: four of them, on a machine that is busy. */
const OPERATOR_PATIENCE_MS = 480_000;

const WORDS = {
  zh: { notices: '公告', gotIt: '知道了', notAgain: '今天不再显示', close: '关闭' },
  en: { notices: 'Notices', gotIt: 'Got it', notAgain: 'Not again today', close: 'Close' },
} as const;

const texts = (name: string, content: string) => ({
  name,
  title: `${name} title`,
  subTitle: `${name} in short`,
  content,
});
/** A notice whose words tell which language it is in. */
const notice = (name: string, content = `<p>${name} <b>in bold</b></p>`) => ({
  zh: texts(`${name} 中`, content),
  en: texts(`${name} En`, content),
});
const nameIn = (language: Language, name: string): string => `${name} ${language === 'zh' ? '中' : 'En'}`;

/** Somebody to whom notices appear. */
async function reader(language: Language): Promise<{ context: BrowserContext; page: Page }> {
  const { context, page } = await newVisitor(language);
  await showNotices(context);
  return { context, page };
}

/** These stand for what the server shows, and the stream tells nothing: for journeys that need no server for it. */
async function given(page: Page, rows: readonly object[]): Promise<void> {
  await page.route('**/client-user/notice/openSse/**', (route) => route.abort());
  await page.route('**/client-user/notice/list', (route) =>
    route.fulfill({ json: { success: true, data: rows, msg: '' } }),
  );
}
const row = (id: number, name = `N${id}`, content = `<p>content of ${name}</p>`) => ({ id, ...texts(name, content) });

const modalIn = (page: Page, language: Language): Locator =>
  page.getByRole('dialog', { name: WORDS[language].notices, exact: true });
const gone = (modal: Locator): Promise<void> => modal.waitFor({ state: 'detached' });
/** Until the page has asked for its notices and drawn what it was told. */
const listed = (page: Page): Promise<unknown> => page.waitForResponse('**/client-user/notice/list');

describe.each(['zh', 'en'] as const)('notices (%s)', (language) => {
  const inTurn = journeysInTurn(language);
  const say = WORDS[language];

  journey(
    'appear live in a second browser, with a tab each, and disappear when they are withdrawn',
    async () => {
      const { page: first } = await reader(language);
      const second = await openPageAs(await newMember(), language);
      await showNotices(second.context());
      await Promise.all([first.goto('/price'), second.goto('/UserCenterIndex')]);
      await Promise.all([waitForPage(first), waitForPage(second)]);
      const id = await publishNotice(notice('Wartung'));
      for (const page of [first, second]) {
        const modal = modalIn(page, language);
        await modal.getByRole('tab', { name: nameIn(language, 'Wartung'), selected: true }).waitFor();
        await modal.getByRole('heading', { name: `${nameIn(language, 'Wartung')} title` }).waitFor();
        expect(await modal.getByText('in bold').evaluate((word) => word.tagName)).toBe('B');
      }
      const other = await publishNotice(notice('Neues'));
      for (const page of [first, second]) {
        const modal = modalIn(page, language);
        await modal.getByRole('tab', { name: nameIn(language, 'Neues') }).waitFor();
        // What is being read stays.
        expect(await modal.getByRole('tab', { selected: true }).innerText()).toBe(nameIn(language, 'Wartung'));
      }
      await withdrawNotice(id);
      for (const page of [first, second])
        await modalIn(page, language)
          .getByRole('tab', { name: nameIn(language, 'Neues'), selected: true })
          .waitFor();
      await withdrawNotice(other);
      for (const page of [first, second]) await gone(modalIn(page, language));
    },
    OPERATOR_PATIENCE_MS,
  );

  inTurn('appear on every load until hidden for today; new ones appear anyway', async () => {
    const { page } = await reader(language);
    const modal = modalIn(page, language);
    await given(page, [row(2), row(1)]);
    await page.goto('/price');
    await modal.getByRole('button', { name: say.gotIt }).click();
    await gone(modal);
    // Not on the next page of the same load, but on the next load.
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: language === 'zh' ? '下载' : 'Download' })
      .click();
    await page.waitForURL('**/download');
    await waitForPage(page);
    expect(await modal.count()).toBe(0);
    await page.reload();
    await modal.getByLabel(say.notAgain).check();
    await modal.getByRole('button', { name: say.gotIt }).click();
    await gone(modal);

    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    expect(keys.filter((key) => key !== 'language')).toEqual([]);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'notices');
    const midnight = await page.evaluate(() => new Date().setHours(24, 0, 0, 0) / 1_000);
    expect([cookie?.value, cookie?.expires]).toEqual(['2.1', midnight]);

    await Promise.all([listed(page), page.reload()]);
    await waitForPage(page);
    expect(await modal.count()).toBe(0);
    await given(page, [row(3), row(2), row(1)]);
    await page.reload();
    await modal.waitFor();
    expect(await modal.getByRole('tab').allInnerTexts()).toEqual(['N3']);
  });

  inTurn(
    'are closed by Escape, the cross and the button, never by the mask; Tab stays inside, arrow keys go along the tabs',
    async () => {
      const { page } = await reader(language);
      const modal = modalIn(page, language);
      await given(page, [row(3), row(2), row(1)]);
      await page.goto('/home');
      await modal.waitFor();
      // Neither on a tab nor on a button, which somebody who is just typing would press.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('N3 title');
      await page.mouse.click(8, 450);
      await page.mouse.click(1_400, 880);
      expect(await modal.isVisible()).toBe(true);

      await modal.getByRole('tab', { name: 'N3' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('N2');
      await modal.getByRole('tabpanel', { name: 'N2' }).getByText('content of N2').waitFor();
      await page.keyboard.press('End');
      await modal.getByRole('tabpanel', { name: 'N1' }).getByText('N1 in short').waitFor();
      await page.keyboard.press('ArrowRight');
      await modal.getByRole('tab', { name: 'N3', selected: true }).waitFor();
      for (let n = 0; n < 8; n++) {
        await page.keyboard.press('Tab');
        const where = await page.evaluate(
          () => document.activeElement?.closest('dialog') ?? document.activeElement?.tagName,
        );
        expect(where).not.toBe('A');
      }
      expect(await seriousViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await gone(modal);
      await page.reload();
      await modal.getByRole('button', { name: say.close, exact: true }).click();
      await gone(modal);
      // Escape before anything else: the browser then closes without asking.
      await page.reload();
      await modal.waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await gone(modal);
    },
  );

  inTurn('fit a phone of 360 pixels, also in dark mode and when long', async () => {
    const { page } = await reader(language);
    const modal = modalIn(page, language);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const long = `<h3>维护</h3>${'<p>Überlängeohneleerzeichen'.repeat(3)}${'<p>今晚 22:00 起。</p>'.repeat(60)}`;
    await given(page, [row(9, '一二三四五六七八九十一二三四五六七八九十', long), ...[8, 7, 6, 5].map((id) => row(id))]);
    await page.goto('/home');
    await modal.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const box = await modal.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 360 && box.y >= 0 && box.y + box.height <= 640).toBe(true);
    // The button stands below the text, which scrolls by itself.
    await modal.getByRole('button', { name: say.gotIt }).click({ trial: true });
    await modal.getByRole('tab', { name: 'N5' }).click();
    await modal.getByRole('tabpanel', { name: 'N5' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});

describe('notices', () => {
  journey('render harmless elements only, whatever their HTML', async () => {
    const { page } = await reader('zh');
    const strange: string[] = [];
    page.on('request', (request) => {
      if (/evil|plain\.example/.test(request.url())) strange.push(request.url());
    });
    await given(
      page,
      HOSTILE.map((html, n) => row(n + 1, `N${n + 1}`, `<p>before</p>${html}<p>after</p>`)),
    );
    await page.goto('/price');
    const modal = modalIn(page, 'zh');
    await modal.waitFor();
    await modal.getByRole('tab').first().focus();
    for (const [n, html] of HOSTILE.entries()) {
      await modal.getByRole('tabpanel', { name: `N${n + 1}`, exact: true }).waitFor();
      const found = await modal
        .locator('.notice-content')
        .evaluate((content) =>
          [...content.querySelectorAll('*')].map((element) => [
            element.tagName,
            ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
          ]),
        );
      const wrong = found.filter(
        ([tag = '', ...attributes]) =>
          !/^(P|BR|B|STRONG|I|EM|U|UL|OL|LI|H3|H4|A|BLOCKQUOTE|CODE)$/.test(tag) ||
          !['', 'href=/price'].includes(attributes.join(' ')),
      );
      expect([html, wrong]).toEqual([html, []]);
      expect(await modal.locator('.notice-content').innerText()).toContain('before');
      await page.keyboard.press('ArrowRight');
    }
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
    expect(strange).toEqual([]);
    // Chromium reports what the policy would refuse although nothing runs where the text is only read.
    expect(
      takeViolations().filter((line) => !/ · (inline|https:\/\/evil\.example\/) · .*\/notice-modal/.test(line)),
    ).toEqual([]);
  });

  journey('have a stream that is closed while the page is hidden, and that comes back', async () => {
    const { page } = await reader('zh');
    const opened = page.waitForRequest('**/notice/openSse/**');
    const first = listed(page);
    await page.goto('/useDoc');
    const id = (await opened).url().split('/').at(-1) ?? '';
    expect(id).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
    await first;
    const closed = page.waitForRequest((request) => request.method() === 'DELETE' && request.url().endsWith(`/${id}`));
    const hide = (state: string): Promise<void> =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await hide('hidden');
    await closed;
    const again = page.waitForRequest('**/notice/openSse/**');
    const afresh = listed(page);
    await hide('visible');
    expect((await again).url()).not.toContain(id);
    await afresh;
  });

  journey('are requested without a stream, and the page works without both', async () => {
    const { page } = await reader('zh');
    await page.route('**/client-user/notice/**', (route) => route.abort());
    await Promise.all([page.waitForRequest('**/client-user/notice/list'), page.goto('/price')]);
    await waitForPage(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await modalIn(page, 'zh').count()).toBe(0);
  });

  journey('cost nothing when empty', async () => {
    const { page } = await reader('zh');
    await given(page, []); // whatever other journeys publish
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await Promise.all([listed(page), page.goto('/price')]);
    await waitForPage(page);
    expect(scripts.filter((url) => /notice-modal/.test(url))).toEqual([]);
  });
});
