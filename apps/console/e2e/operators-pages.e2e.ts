/** Every page of the side bar: nothing serious in anybody's way, and no sideways scrolling, light and dark (OPERATOR.md §7). */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { journey, withBrowser } from './support/browser.js';
import { waitForPage } from './support/members.js';
import { newOperator, openOperators } from './support/operators.js';

const WIDTHS = [1280, 1024, 390, 1440];

async function tooWide(page: Page): Promise<number[]> {
  const found: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await waitForPage(page);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(width);
  }
  return found;
}

describe.each(['zh', 'en'] as const)('the operator console in %s', (language) => {
  withBrowser();

  journey('offers pages that are in nobody’s way', async () => {
    const page = await openOperators('/', { operator: await newOperator('owner'), language });
    const links = page.getByRole('navigation').locator('a[href^="/"]');
    await links.first().waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(10);
    const found: string[] = [];
    for (const [n, path] of paths.entries()) {
      await page.locator(`nav a[href="${path}"]`).first().click();
      await page.waitForURL((url) => url.pathname === path);
      // What is light in one language is dark in the other.
      const colorScheme = n % 2 === (language === 'zh' ? 0 : 1) ? 'light' : 'dark';
      await page.emulateMedia({ colorScheme });
      const [wide, grave] = [await tooWide(page), await seriousViolations(page)];
      found.push(...wide.map((width) => `${path} at ${width}: too wide`), ...grave.map((each) => `${path}: ${each}`));
    }
    expect(found).toEqual([]);
  });
});
