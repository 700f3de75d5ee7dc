/** Old addresses, and those that there are not (specification §2, decisions §6). */
import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';

withBrowser();

const LEADS = [
  ['/', '/home'],
  ['/index', '/home'],
  ['/nothing', '/home'],
  ['/nothing/at/all', '/home'],
  ['/productDesc/nothing', '/home'],
  ['/#/download', '/download'],
  ['/?inviteCode=YQ7K2M', '/home?inviteCode=YQ7K2M'],
  ['/userCenter/nothing', '/home'],
  ['/userCenter/price', '/price'],
  ['/userCenter', '/login?type=1'], // a page of the console, for a visitor
  ['/userCenter/UserCenterOrder', '/login?type=1'],
] as const;

describe('addresses', () => {
  journey.each(LEADS)('%s leads to %s', async (from, to) => {
    const { page } = await newVisitor();
    await page.goto(from);
    await page.waitForURL((url) => url.pathname + url.search === to);
    await page.locator('h1').first().waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });
});
