import { describe, expect } from '@jest/globals';
import { journey, newVisitor, withBrowser } from './support/browser.js';
import { overflowsOnPhone } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    privacy: '隐私政策',
    kept: '翻译日志不保存原文与译文',
    long: '7 天没有使用即失效',
    refund: '退款规则',
    when: '重复支付、误付',
  },
  en: {
    privacy: 'Privacy policy',
    kept: 'keeps neither source',
    long: 'ends after 7 days without use',
    refund: 'Refund policy',
    when: 'You paid twice or by mistake',
  },
} as const;

describe.each(['zh', 'en'] as const)('the policies (%s)', (lang) => {
  const say = SAYS[lang];

  journey('are linked in every footer and show their rules', async () => {
    const { page } = await newVisitor(lang);
    await page.goto('/useDoc');
    const footer = page.getByRole('contentinfo');
    await footer.getByRole('link', { name: say.privacy }).click();
    await page.getByRole('heading', { level: 1, name: say.privacy }).waitFor();
    await page.getByText(say.kept).waitFor();
    await page.getByText(say.long).waitFor();
    await footer.getByRole('link', { name: say.refund }).click();
    await page.getByRole('heading', { level: 1, name: say.refund }).waitFor();
    await page.getByText(say.when).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
