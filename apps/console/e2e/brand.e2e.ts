/** Whose site it is, is data (decisions §6). */
import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import { waitForText } from './support/members.js';

withBrowser();

type Words = Record<'zh' | 'en', string>;
type SiteInfo = { brand: Words; company: Words; copyright: Words; record: { text: string; url: string } | null };

/** What operators have set, as anybody may read it. */
async function siteInfo(): Promise<SiteInfo> {
  const response = await fetch(`${BASE_URL}/client-user/dataCus/get?id=SITE_INFO`);
  const { data } = (await response.json()) as { data: { valued: string } };
  return JSON.parse(data.valued) as SiteInfo;
}

describe.each(['zh', 'en'] as const)('the brand (%s)', (lang) => {
  journey('appears in header, footer and login page as configured', async () => {
    const { brand, company, copyright } = await siteInfo();
    const { page } = await newVisitor(lang);
    await page.goto('/home');
    await page.getByRole('banner').getByRole('link', { name: brand[lang], exact: true }).waitFor();
    const footer = page.getByRole('contentinfo');
    for (const text of [company, copyright]) await footer.getByText(text[lang], { exact: true }).waitFor();
    await page.locator('.home-hero .home-lead').getByText(brand[lang]).waitFor();
    await page.goto('/login?type=1');
    await waitForText(page, copyright[lang]);
    expect(await page.getByRole('link', { name: brand[lang], exact: true }).getAttribute('href')).toBe('/');
  });
});
