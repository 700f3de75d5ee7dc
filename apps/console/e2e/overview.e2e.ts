import { beforeAll, describe, expect } from '@jest/globals';
import { journey, withBrowser } from './support/journey.js';
import { newMember, overflowsPhone, seen, signedInAt, type SignedIn } from './support/signed-in.js';

const SAYS = {
  zh: {
    greeting: /(上午|中午|下午|晚上)好，/,
    main: '主账号',
    balance: '剩余字符',
    copied: '复制成功',
    rename: '修改昵称',
    tooShort: '昵称至少输入2位',
    renamed: '修改成功',
    ok: '确定',
    gift: '+5,000 字符',
    email: '用邮箱修改',
    differs: '两次密码不一致',
    old: '旧密码',
    fresh: '新密码',
    repeat: '确认新密码',
    submit: '确认修改',
    changed: '修改成功,请重新登陆',
  },
  en: {
    greeting: /Good (morning|day|afternoon|evening), /,
    main: 'Main account',
    balance: 'Characters left',
    copied: 'Copied',
    rename: 'Change nickname',
    tooShort: 'The nickname needs at least 2 characters',
    renamed: 'Modified',
    ok: 'OK',
    gift: '+5,000 chars',
    email: 'By email',
    differs: 'The two passwords differ',
    old: 'Old password',
    fresh: 'New password',
    repeat: 'New password again',
    submit: 'Change password',
    changed: 'Password changed. Please log in again.',
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
    await page.context().close();
  });

  journey('changes the nickname, and refuses one of a single character', async () => {
    const page = await signedInAt('/UserCenterInfo', member, lang);
    await page.getByRole('button', { name: say.rename }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('textbox');
    await field.fill('林');
    await dialog.getByRole('button', { name: say.ok, exact: true }).click();
    await seen(page, say.tooShort);
    await field.fill('林岚 & Söhne');
    await dialog.getByRole('button', { name: say.ok, exact: true }).click();
    await seen(page, say.renamed);
    await seen(page, '林岚 & Söhne');
    await page.context().close();
  });

  journey('fits a phone', async () => {
    const page = await signedInAt('/UserCenterIndex', member, lang);
    for (const path of ['/UserCenterIndex', '/UserCenterInfo', '/UserCenterChangeTranslateTest']) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      expect([path, await overflowsPhone(page)]).toEqual([path, false]);
    }
    await page.context().close();
  });

  journey('changes the password, says so, and signs out', async () => {
    const page = await signedInAt('/UserCenterChangePassword', member, lang);
    await seen(page, say.email);
    await page.getByLabel(say.old, { exact: true }).fill(member.password);
    await page.getByLabel(say.fresh, { exact: true }).fill('another-2026');
    await page.getByLabel(say.repeat, { exact: true }).fill('another-2027');
    await page.getByRole('button', { name: say.submit }).click();
    await seen(page, say.differs);
    await page.getByLabel(say.repeat, { exact: true }).fill('another-2026');
    await page.getByRole('button', { name: say.submit }).click();
    await seen(page, say.changed);
    await page.waitForURL(/\/home$/);
    expect(await page.evaluate(() => sessionStorage.getItem('sk'))).toBeNull();
    await page.context().close();
  });
});
