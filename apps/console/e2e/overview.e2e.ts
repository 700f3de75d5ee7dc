import { beforeAll, describe, expect } from '@jest/globals';
import { journey, withBrowser } from './support/journey.js';
import { newMember, overflowsPhone, seen, type SignedIn, signedInAt } from './support/signed-in.js';

const SAYS = {
  zh: {
    greeting: /(上午|中午|下午|晚上)好，/,
    main: '主账号',
    balance: '剩余字符',
    copied: '复制成功',
    gift: '+5,000 字符',
  },
  en: {
    greeting: /Good (morning|day|afternoon|evening), /,
    main: 'Main account',
    balance: 'Characters left',
    copied: 'Copied',
    gift: '+5,000 chars',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('member center (%s)', (lang) => {
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('shows the real figures of a new member and copies the username', async () => {
    const page = await signedInAt('/UserCenterIndex', member, lang);
    await page.getByRole('heading', { level: 1, name: say.greeting }).waitFor();
    for (const text of [say.main, say.balance, say.gift]) await seen(page, text);
    expect(await page.locator('.hero-n').textContent()).toBe('5,000');
    await page.locator('.ov-copy button', { hasText: member.username }).last().click();
    await seen(page, say.copied);
  });

  journey('fits a phone', async () => {
    const page = await signedInAt('/UserCenterIndex', member, lang);
    for (const path of ['/UserCenterIndex', '/UserCenterInfo', '/UserCenterChangeTranslateTest']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      expect([path, await overflowsPhone(page)]).toEqual([path, false]);
    }
  });
});
