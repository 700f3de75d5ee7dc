/** What has changed, for everybody, without a script. */
import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';

withBrowser();

const SAYS = {
  zh: { title: '更新日志', first: '首个版本' },
  en: { title: 'Changelog', first: 'First version' },
} as const;

describe.each(['zh', 'en'] as const)('the changelog (%s)', (lang) => {
  const say = SAYS[lang];

  journey('is found in the footer, newest first', async () => {
    const { context, page } = await newVisitor(lang);
    await page.goto('/home');
    await page.getByRole('contentinfo').getByRole('link', { name: say.title }).click();
    await page.getByRole('heading', { level: 1, name: say.title }).waitFor();
    const dates = await page.locator('time').allTextContents();
    expect(dates.length).toBeGreaterThan(3);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(await (await context.request.get(`/changelog?lang=${lang}`)).text()).toContain(say.first);
  });
});
