import { describe, expect } from '@jest/globals';
import { chromium } from 'playwright-core';
import { journey } from './support/browser.js';
import { BASE_URL, CHROMIUM } from './support/environment.js';

/** What can be read on each page by somebody whose browser runs no script. */
const SAYS = [
  ['/home', '客户读到母语', 'They read theirs'],
  ['/price', '198.00', '5,000k characters'],
  ['/useDoc', '只能用邮箱注册', 'Sign-up is by email only'],
  ['/developers', 'API_KEY_CAP_REACHED', 'API_KEY_CAP_REACHED'],
  ['/contactUs', '售前', 'WhatsApp'],
  ['/download', 'Windows', 'Windows'],
  ['/productDesc/zzhgl', '子账号', 'sub-account'],
  ['/term-and-condition', '18', '18'],
  ['/privacy', '隐私政策', 'Privacy policy'],
  ['/refund', '退款规则', 'Refund policy'],
  ['/status', '统计口径', 'How this is measured'],
  ['/ledger-proof', '怎样验证自己的余额', 'How to verify your own balance'],
  ['/login', '登录', 'Sign in'],
] as const;

describe('without JavaScript', () => {
  journey('every page can be read, in both languages, and its links lead on', async () => {
    const browser = await chromium.launch({
      ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      const context = await browser.newContext({ baseURL: BASE_URL, javaScriptEnabled: false });
      const page = await context.newPage();
      for (const [path, zh, en] of SAYS)
        for (const [lang, words] of [
          ['zh', zh],
          ['en', en],
        ] as const) {
          await page.goto(`${path}?lang=${lang}`);
          expect([path, lang, await page.getByText(words).first().isVisible()]).toEqual([path, lang, true]);
        }
      await page.goto('/home');
      await page.getByRole('contentinfo').getByRole('link', { name: '价格标准' }).click();
      await page.waitForURL(/\/price$/);
      expect(await page.getByRole('radio').count()).toBeGreaterThan(5);
    } finally {
      await browser.close();
    }
  });
});
