import { beforeAll, describe, expect } from '@jest/globals';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import {
  goWithin,
  newMember,
  overflowsOnPhone,
  waitForText,
  openPageAs,
  type SignedIn,
  gotoAs,
} from './support/members.js';

const SAYS = {
  zh: {
    greeting: /(上午|中午|下午|晚上)好，/,
    byHour: ['上午好', '上午好', '中午好', '下午好', '晚上好'],
    main: '主账号',
    balance: '剩余字符',
    copied: '复制成功',
    gift: '+5,000 字符',
    copyInvite: '复制邀请文案',
    rename: '修改昵称',
    ok: '确定',
    renamed: '修改成功',
  },
  en: {
    greeting: /Good (morning|day|afternoon|evening), /,
    byHour: ['Good morning', 'Good morning', 'Good day', 'Good afternoon', 'Good evening'],
    main: 'Main account',
    balance: 'Characters left',
    copied: 'Copied',
    gift: '+5,000 chars',
    copyInvite: 'Copy the invitation',
    rename: 'Change nickname',
    ok: 'OK',
    renamed: 'Nickname changed',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('member center (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('shows the real figures of a new member and copies the username', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.getByRole('heading', { level: 1, name: say.greeting }).waitFor();
    for (const text of [say.main, say.balance, say.gift]) await waitForText(page, text);
    expect(await page.locator('.key-figure-value').textContent()).toBe('5,000');
    await page.locator('.ov-copy button', { hasText: member.username }).last().click();
    await waitForText(page, say.copied);
  });

  inTurn('greets by the hour of the member’s own clock', async () => {
    const page = await gotoAs('/UserCenterInfo', member, lang);
    const greetings: string[] = [];
    for (const hour of [0, 9, 10, 14, 18]) {
      const now = new Date();
      now.setHours(hour, 30);
      await page.clock.setFixedTime(now);
      await goWithin(page, '/UserCenterIndex');
      const greeting = page.getByRole('heading', { level: 1, name: say.greeting });
      greetings.push((await greeting.innerText()).replace(/[,，].*$/s, ''));
      await goWithin(page, '/UserCenterInfo');
    }
    expect(greetings).toEqual(say.byHour);
  });

  inTurn('says that it copied although the browser refused, and then selects the text', async () => {
    const page = await openPageAs(member, lang);
    await page.addInitScript(() => {
      const refuse = () => Promise.reject(new Error('not allowed'));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: refuse } });
    });
    await page.goto('/UserCenterIndex');
    const selected = (): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '');
    for (const value of [member.email, member.username]) {
      await page.locator('.ov-copy button', { hasText: value }).click();
      await waitForText(page, say.copied);
      expect(await selected()).toBe(value);
    }
    await page.getByRole('button', { name: say.copyInvite }).click();
    const invitation = (await page.locator('.ov-text').textContent()) ?? '';
    expect(invitation).toMatch(/10,000.*inviteCode=/);
    expect(await selected()).toBe(invitation);
  });

  inTurn('shows the member and changes the nickname', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page
      .locator('.ov-head .avatar')
      .getByText(member.username[0]?.toUpperCase() ?? '')
      .waitFor();
    await page.getByRole('main').getByRole('button', { name: say.rename }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(`岚 ${lang}`);
    await dialog.getByRole('button', { name: say.ok, exact: true }).click();
    await waitForText(page, say.renamed);
    await page.getByRole('heading', { level: 1, name: `岚 ${lang}` }).waitFor();
    await page.locator('.ov-head .avatar').getByText('岚', { exact: true }).waitFor();
  });

  inTurn('fits a phone', async () => {
    const page = await gotoAs('/UserCenterChangeTranslateTest', member, lang);
    for (const path of ['/UserCenterIndex', '/UserCenterInfo', '/UserCenterChangeTranslateTest']) {
      await goWithin(page, path);
      await page.locator('main h1').waitFor();
      expect([path, await overflowsOnPhone(page)]).toEqual([path, false]);
    }
  });
});
