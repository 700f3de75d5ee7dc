import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';

withBrowser();

const TITLE = { zh: '按字符，或按月。', en: 'By the character, or by the month.' } as const;

const titleOf = (page: Page): Promise<string | null> => page.locator('h1').first().textContent();
const remembered = (page: Page): Promise<[string | null, string]> =>
  page.evaluate(() => [localStorage.getItem('language'), document.cookie]);

/** Remembers each title that the page ever showed, from the first on. */
const watchTitles = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seenTitles: seen });
    const look = (): void => {
      const title = document.querySelector('h1');
      if (!title || getComputedStyle(title).visibility === 'hidden') return;
      const text = title.textContent;
      if (text && seen.at(-1) !== text) seen.push(text);
    };
    new MutationObserver(look).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
  });
const seenTitles = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { seenTitles: string[] }).seenTitles);

const htmlOf = async (
  path: string,
  cookie = '',
): Promise<{ lang: string; language: string | null; vary: string | null }> => {
  const response = await fetch(BASE_URL + path, { headers: { cookie, 'accept-language': 'en' } });
  const lang = /<html lang="([^"]*)"/.exec(await response.text())?.[1] ?? '';
  return { lang, language: response.headers.get('content-language'), vary: response.headers.get('vary') };
};

describe('the language of a page', () => {
  journey('is Chinese unless an address or a choice says English; the address comes first', async () => {
    const said = async (path: string, cookie?: string) => (await htmlOf(path, cookie)).lang;
    expect(await said('/price')).toBe('zh-CN');
    expect(await said('/price', 'theme=dark; language=en')).toBe('en-US');
    expect(await said('/price?lang=en')).toBe('en-US');
    expect(await said('/price?lang=zh', 'language=en')).toBe('zh-CN');
    expect(await said('/price?lang=fr', 'language=xx')).toBe('zh-CN');
    const { language, vary } = await htmlOf('/home?lang=en');
    expect(language).toBe('en');
    expect(vary).toMatch(/cookie/i);
  });

  journey('is correct from the first byte and rendered once', async () => {
    const { context, page } = await newVisitor();
    await context.addCookies([{ name: 'language', value: 'en', url: BASE_URL }]);
    await watchTitles(page);
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.goto('/price');
    const first = await page.locator('h1').elementHandle();
    await page
      .getByRole('button', { name: /English/ })
      .first()
      .click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).waitFor();
    expect(await first?.evaluate((node) => node.isConnected)).toBe(true);
    expect(await seenTitles(page)).toEqual([TITLE.en]);
    expect(wrong).toEqual([]);
  });

  journey('is the stored one, without a flash of the other, when the server could not know it', async () => {
    const { page } = await newVisitor();
    await page.addInitScript(() => localStorage.setItem('language', 'en'));
    await watchTitles(page);
    await page.goto('/price');
    await page.getByRole('heading', { name: TITLE.en }).waitFor();
    expect(await seenTitles(page)).toEqual([TITLE.en]);
    expect((await remembered(page))[1]).toContain('language=en');
    await page.reload();
    expect(await page.evaluate(() => document.getElementById('root')?.dataset['language'])).toBe('en');
  });

  journey('is chosen by an address, and by the menu, which the address no longer contradicts', async () => {
    const { page } = await newVisitor();
    await page.goto('/price?lang=en');
    expect(await titleOf(page)).toBe(TITLE.en);
    await page
      .getByRole('button', { name: /English/ })
      .first()
      .click();
    const chinese = page.getByRole('menuitemradio', { name: '简体中文' });
    await chinese.waitFor();
    expect(await remembered(page)).toEqual(['en', expect.stringContaining('language=en')]);
    await chinese.click();
    await page.getByRole('heading', { name: TITLE.zh }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await remembered(page)).toEqual(['zh', expect.stringContaining('language=zh')]);
  });
});
