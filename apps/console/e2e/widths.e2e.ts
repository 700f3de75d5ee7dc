/** No page scrolls sideways, from small phones to large screens; tables may scroll within themselves. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONSOLE_PAGES, PUBLIC_PAGES } from './support/routes.js';
import { demoMain } from './support/api.js';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { goWithin, gotoAs, waitForPage } from './support/members.js';

const WIDTHS = [1920, 1440, 1024, 768, 390, 360];

withBrowser();

/** "path at width: so many pixels too wide", for each page and width where it is so. `open` opens a page once: the window is resized. */
async function tooWide(
  page: Page,
  paths: readonly string[],
  open: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await open(path);
    await waitForPage(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await waitForPage(page);
      const by = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (by > 0) found.push(`${path} at ${width}: ${by} px too wide`);
    }
  }
  return found;
}

describe.each(['zh', 'en'] as const)('from 360 to 1920 px (%s)', (language) => {
  journey('no page for anybody scrolls sideways', async () => {
    const { page } = await newVisitor(language);
    expect(await tooWide(page, PUBLIC_PAGES, (path) => page.goto(path))).toEqual([]);
  });

  journey('no page of the console scrolls sideways', async () => {
    const paths = CONSOLE_PAGES.map(({ path }) => path);
    const page = await gotoAs(paths.at(-1) ?? '', await demoMain(), language);
    expect(await tooWide(page, paths, (path) => goWithin(page, path))).toEqual([]);
  });
});
