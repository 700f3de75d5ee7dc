import { beforeAll, describe, expect } from '@jest/globals';
import { signIn } from './support/api.js';
import { journey, withBrowser } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { type SignedIn, gotoAs } from './support/members.js';

const SAYS = {
  zh: {
    text: '原文',
    served: '翻译通道返回错误，本次未扣费。请稍后重试，或更换翻译通道。',
    own: '翻译通道返回错误，本次未扣费。请稍后重试。',
    ask: '也可以请主账号更换通道。',
    change: '更换通道',
    retry: '重试',
  },
  en: {
    text: 'Source text',
    served: 'The translation channel failed. You were not charged. Try again later, or choose another channel.',
    own: 'The translation channel failed. You were not charged. Try again later.',
    ask: 'Your main account can also change the channel.',
    change: 'Change the channel',
    retry: 'Try again',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('the translation test of a sub-account (%s)', (lang) => {
  const say = SAYS[lang];
  let child: SignedIn;
  beforeAll(async () => {
    if (CHROMIUM) child = await signIn('demo日韩', process.env['DEMO_PASSWORD'] ?? '');
  });

  journey('does not advise a sub-account to do what only its main account can', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', child, lang);
    await page.route('**/client-user/translation/text', (route) =>
      route.fulfill({
        status: 502,
        json: { success: false, data: null, msg: say.served, code: 'UPSTREAM_FAILED', status: 502 },
      }),
    );
    await page.getByLabel(say.text, { exact: true }).fill('您好');
    await page.keyboard.press('Control+Enter');
    const refusal = page.getByRole('alert').filter({ hasText: say.own });
    await refusal.waitFor();
    expect(await refusal.textContent()).not.toContain(say.served);
    await refusal.getByText(say.ask).waitFor();
    expect(await refusal.getByRole('button', { name: say.change, exact: true }).count()).toBe(0);
    await refusal.getByRole('button', { name: say.retry, exact: true }).waitFor();
  });
});
