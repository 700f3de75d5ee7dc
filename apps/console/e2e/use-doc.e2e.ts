import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone } from './support/members.js';

withBrowser();

const PARTS = {
  zh: ['注册', '操作', '翻译截图'],
  en: ['Registration', 'Operation', 'Translation capture'],
} as const;

describe.each(['zh', 'en'] as const)('the usage document (%s)', (lang) => {
  journey('has three numbered parts, on a phone too', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/useDoc');
    await page.locator('.doc-part').last().waitFor();
    expect(await page.locator('main h2').allTextContents()).toEqual(
      PARTS[lang].map((part, index) => `${index + 1}${part}`),
    );
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
