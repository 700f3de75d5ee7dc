import { describe, expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone, waitForPage } from './support/members.js';

withBrowser();

/** The path of a picture's file, once it is loaded. */
async function loadedSource(image: Locator): Promise<string> {
  await image.scrollIntoViewIfNeeded();
  const source = await image.evaluate(async (element) => {
    const picture = element as HTMLImageElement;
    // Another theme or width asks for another file in the next frame.
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    await picture.decode();
    return picture.currentSrc;
  });
  return new URL(source).pathname;
}

const PARTS = {
  zh: ['注册', '操作', '翻译截图'],
  en: ['Registration', 'Operation', 'Translation capture'],
} as const;

describe.each(['zh', 'en'] as const)('the usage document (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  journey('has three numbered parts, on a phone too', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/useDoc');
    await page.locator('.doc-part').last().waitFor();
    expect(await page.locator('main h2').allTextContents()).toEqual(
      PARTS[lang].map((part, index) => `${index + 1}${part}`),
    );
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows the product as it is, in the theme of the page and on a phone', async () => {
    const { page } = await newVisitor(lang);
    const pictures = async (): Promise<string[]> => {
      const images = await page.locator('.doc-shot img:visible').all();
      return Promise.all(images.map((image) => loadedSource(image)));
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/useDoc');
    await waitForPage(page);
    const names = ['register', 'overview', 'translation'].map((name) => `/shots/${name}-${lang}`);
    expect(await pictures()).toEqual(names.map((name) => `${name}-light-wide.webp`));
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await pictures()).toEqual(names.map((name) => `${name}-dark-wide.webp`));
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await pictures()).toEqual(names.map((name) => `${name}-dark-phone.webp`));
  });
});
