import type { Page } from 'playwright-core';
import type { Language } from './browser.js';

/** Selects an option of a log's filter and waits until the form shows it; requests sent earlier would not include it. */
export async function selectOption(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click();
  await page.locator('.lg-filters .ant-select', { hasText: option }).first().waitFor();
}

/** Selects a language by typing its name, in either language, and pressing Enter. */
export async function pickLanguage(
  page: Page,
  label: string,
  { typed, code }: { typed: string; code: string },
): Promise<void> {
  await page.getByRole('combobox', { name: label }).focus();
  await page.keyboard.type(typed);
  const first = page.locator('.ant-select-dropdown:visible .ant-select-item-option-active code');
  await first.getByText(code, { exact: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** Chooses Simplified to Traditional Chinese on the translation test: the offline engine translates every text that way. */
export async function pickScripts(page: Page, lang: Language): Promise<void> {
  const [source, target] = lang === 'zh' ? ['原文语言', '译文语言'] : ['Source language', 'Target language'];
  await pickLanguage(page, source, { typed: 'zh-Hans', code: 'zh-Hans' });
  await pickLanguage(page, target, { typed: 'zh-Hant', code: 'zh-Hant' });
}
