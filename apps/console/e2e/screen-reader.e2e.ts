/** What somebody hears who does not see the pages: where the parts are, what a box means, and nothing that counts aloud. */
import { describe, expect } from '@jest/globals';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { waitForPage } from './support/members.js';

const SAYS = {
  zh: {
    agree: '我已年满 18 周岁，并同意《用户协议》、《隐私政策》和《退款规则》',
    foot: ['产品', '支持'],
    next: '下一项',
    tools: '六组能力',
    feature: '图片翻译',
    verify: '客服验证',
    out: '你已退出登录',
    soon: /秒后返回首页/,
  },
  en: {
    agree: 'I am 18 or older and accept the user agreement, privacy policy and refund policy',
    foot: ['Product', 'Support'],
    next: 'Next',
    tools: 'Six tools',
    feature: 'Image translation',
    verify: 'Verify an account',
    out: 'You have signed out',
    soon: /^Back to the home page/,
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('screen readers (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('announces a requested slide by its name without the description', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/home');
    await waitForPage(page);
    const tools = page.getByRole('group', { name: say.tools, exact: true });
    // Only what changes within a live part is read out, not a part that comes anew.
    const live = await tools.locator('[aria-live=polite]').elementHandle();
    await tools.getByRole('button', { name: say.next, exact: true }).click();
    await tools.getByRole('tabpanel', { name: say.feature, exact: true }).waitFor();
    expect(await live?.evaluate((node) => node.isConnected)).toBe(true);
    // A row is named by its first cell.
    await page.getByRole('rowheader', { name: 'DeepL', exact: true }).waitFor();
    // A drawing is its one sentence.
    expect(await page.locator('.home-hero [role=img] > :not([aria-hidden=true])').count()).toBe(0);
  });

  inTurn(
    'finds the form to log in apart from the greetings, what it needs, and all that the box agrees to',
    async () => {
      const { page } = await newVisitor(lang);
      await page.goto('/login?type=2');
      await page.getByRole('checkbox', { name: say.agree, exact: true }).waitFor();
      expect(await page.getByRole('main').locator('form input:not([required])').count()).toBe(0);
      expect(await page.getByRole('main').getByText('Olá').count()).toBe(0);
      await page.getByRole('complementary').getByRole('listitem').filter({ hasText: 'Olá' }).waitFor();
    },
  );

  inTurn('finds the links of the foot by their titles, and no second foot in a dialog', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/price');
    await waitForPage(page);
    const foot = page.getByRole('contentinfo');
    for (const name of say.foot) await foot.getByRole('navigation', { name, exact: true }).waitFor();
    await foot.getByRole('button', { name: say.verify }).click();
    const dialog = page.getByRole('dialog', { name: say.verify });
    await dialog.waitFor();
    expect(await dialog.locator('header, footer').count()).toBe(0);
  });

  inTurn('announces the countdown of the exit page once only', async () => {
    const { page } = await newVisitor(lang);
    await page.clock.install();
    await page.goto('/UserCenterExit');
    await page.getByRole('heading', { level: 1, name: say.out }).waitFor();
    await page.getByText(say.soon).waitFor();
    expect(await page.locator('main').locator('[role=status], [aria-live]').count()).toBe(0);
  });
});
