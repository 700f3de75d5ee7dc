import type { Page } from 'playwright-core';

/** Picks an option of a log's filter, and waits until the form shows it: what is asked before is the question without it. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: option }).first().click();
  await page.locator('.lg-filters .ant-select', { hasText: option }).first().waitFor();
}
