import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { BASE_URL } from './support/environment.js';
import { getAs } from './support/api.js';

withBrowser();

type Plan = { name: string; enName: string; salePrice: number };
type Product = { '@type': string; name: string; offers: { price: string; priceCurrency: string; url: string } };

const htmlOf = async (path: string): Promise<string> => (await fetch(BASE_URL + path)).text();
const attribute = (html: string, pattern: RegExp): string => pattern.exec(html)?.[1] ?? '';

describe('what search engines find', () => {
  journey('the packages on sale, at their prices', async () => {
    const plans = await getAs<Plan[]>({ sk: '', userId: 0 }, '/memberGroup/saleList');
    for (const language of ['zh', 'en'] as const) {
      const html = await htmlOf(`/price?lang=${language}`);
      const products = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
        ([, text = '']) => JSON.parse(text) as Product,
      );
      expect(products.map(({ offers }) => offers.price)).toEqual(
        plans.map((plan) => (plan.salePrice / 100).toFixed(2)),
      );
      expect(new Set(products.map(({ offers }) => offers.priceCurrency))).toEqual(new Set(['CNY']));
      expect(products[0]?.name).toContain(language === 'zh' ? plans[0]?.name : plans[0]?.enName);
    }
  });

  journey('each section of the tutorial has an address, a title and a description of its own', async () => {
    const heads = await Promise.all(
      ['/productDesc/zzhgl', '/productDesc/tpfy', '/productDesc/zzhgl?lang=en'].map(async (path) => {
        const html = await htmlOf(path);
        return {
          title: attribute(html, /<title>([^<]*)/),
          description: attribute(html, /name="description" content="([^"]*)/),
          canonical: new URL(attribute(html, /rel="canonical" href="([^"]*)/)),
        };
      }),
    );
    expect(new Set(heads.map(({ title }) => title)).size).toBe(3);
    expect(new Set(heads.map(({ description }) => description)).size).toBe(3);
    expect(heads.map(({ canonical }) => canonical.pathname + canonical.search)).toEqual([
      '/productDesc/zzhgl',
      '/productDesc/tpfy',
      '/productDesc/zzhgl?lang=en',
    ]);
  });

  journey('excludes personal and temporary pages', async () => {
    for (const path of ['/login', '/login?type=2', '/PaySuccess', '/UserCenterExit', '/UserCenterIndex']) {
      const html = await htmlOf(path);
      expect([path, html.includes('name="robots" content="noindex"'), html.includes('rel="canonical"')]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });

  journey('a picture of the declared size', async () => {
    const picture = Buffer.from(await (await fetch(`${BASE_URL}/share.png`)).arrayBuffer());
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  journey('updates the address on navigation', async () => {
    const { page } = await newVisitor();
    await page.goto('/home');
    await page.getByRole('contentinfo').getByRole('link', { name: '价格标准' }).click();
    await page.waitForURL(/\/price$/);
    await page.waitForFunction(() => document.title.startsWith('价格标准 · '));
    const canonical = await page.locator('link[rel=canonical]').getAttribute('href');
    expect(new URL(canonical ?? '').pathname).toBe('/price');
  });
});
