/** Two-step sign-in, as a main account meets it: switched on, used, used without the phone, switched off. */
import { createHmac } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demoMain, newChild, removeChildren, signIn } from './support/api.js';
import { seriousViolations } from './support/axe.js';
import { journey, journeysInTurn, newVisitor, withBrowser, type Language } from './support/browser.js';
import { formLabels, gotoAs, newMember, overflowsOnPhone, waitForText, type SignedIn } from './support/members.js';

withBrowser();

const SAYS = {
  zh: {
    title: '两步验证',
    off: '未开启',
    left: (n: number) => `剩余 ${n} 个恢复码`,
    turnOn: '开启两步验证',
    turnOff: '关闭两步验证',
    renew: '更换恢复码',
    password: '登录密码',
    next: '下一步',
    qr: '两步验证的二维码',
    code: '动态码',
    codeOrRecovery: '动态码或恢复码',
    confirm: '确认开启',
    endsOthers: '其他设备会退出登录',
    saved: '我已保存',
    wrong: '动态码或恢复码不正确，请重新输入',
    wrongPassword: '密码不正确，请重新输入',
    verify: '验证并登录',
    back: '返回，重新输入密码',
    failed: '两步验证状态加载失败',
  },
  en: {
    title: 'Two-step sign-in',
    off: 'Off',
    left: (n: number) => `Recovery codes left: ${n}`,
    turnOn: 'Turn on two-step sign-in',
    turnOff: 'Turn off two-step sign-in',
    renew: 'Get new recovery codes',
    password: 'Password',
    next: 'Next',
    qr: 'QR code for two-step sign-in',
    code: 'Code',
    codeOrRecovery: 'Code or recovery code',
    confirm: 'Turn on',
    endsOthers: 'Your other devices will be signed out.',
    saved: 'I have saved them',
    wrong: 'The code or recovery code is wrong. Please try again.',
    wrongPassword: 'The password is wrong. Please try again.',
    verify: 'Verify and sign in',
    back: 'Back to the password',
    failed: 'The two-step sign-in status couldn’t be loaded',
  },
} as const;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of an authenticator app (RFC 6238), `ahead` steps from now. */
function totp(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const card = (page: Page, language: Language) => page.getByRole('region', { name: SAYS[language].title });

/** Enters account and password on /login. */
async function enterPassword(page: Page, member: Pick<SignedIn, 'email' | 'password'>, language: Language) {
  const labels = formLabels(language);
  await page.goto('/login?type=1');
  await page.getByLabel(labels.account, { exact: true }).fill(member.email);
  await page.getByLabel(labels.password, { exact: true }).fill(member.password);
  await page.getByRole('button', { name: labels.logIn, exact: true }).click();
}
const waitForConsole = (page: Page): Promise<void> => page.waitForURL((url) => !url.pathname.startsWith('/login'));

describe.each(['zh', 'en'] as const)('two-step sign-in (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey('is switched on, asked for, replaced by a recovery code, and switched off', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterInfo', member, lang);
    await card(page, lang).getByText(say.off, { exact: true }).waitFor();
    await card(page, lang).getByRole('button', { name: say.turnOn }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.password, { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: say.next }).click();
    await dialog.getByText(say.wrongPassword).waitFor();
    await dialog.getByLabel(say.password, { exact: true }).fill(member.password);
    await dialog.getByRole('button', { name: say.next }).click();
    await dialog.getByLabel(say.qr).waitFor();
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByText(say.endsOthers).waitFor();
    await dialog.getByLabel(say.code, { exact: true }).fill(wrong(totp(secret)));
    await dialog.getByRole('button', { name: say.confirm }).click();
    await dialog.getByText(say.wrong).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByLabel(say.code, { exact: true }).fill(totp(secret));
    await dialog.getByRole('button', { name: say.confirm }).click();
    await dialog.getByRole('button', { name: say.saved }).waitFor();
    const codes = await dialog.locator('li code').allTextContents();
    expect(codes).toHaveLength(10);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: say.saved }).click();
    await card(page, lang).getByText(say.left(10)).waitFor();

    const visitor = await newVisitor(lang);
    await enterPassword(visitor.page, member, lang);
    const code = visitor.page.getByLabel(say.code, { exact: true });
    await code.fill(wrong(totp(secret, 1)));
    await visitor.page.getByRole('button', { name: say.verify }).click();
    await visitor.page.getByText(say.wrong).waitFor();
    expect(await visitor.page.evaluate(() => sessionStorage.getItem('sk') ?? localStorage.getItem('sk'))).toBeNull();
    expect(await seriousViolations(visitor.page)).toEqual([]);
    expect(await overflowsOnPhone(visitor.page)).toBe(false);
    // The code that switched it on cannot be used again; that of the next half minute is accepted already.
    await code.fill(totp(secret, 1));
    await visitor.page.getByRole('button', { name: say.verify }).click();
    await waitForConsole(visitor.page);

    const other = await newVisitor(lang);
    await enterPassword(other.page, member, lang);
    await other.page.getByRole('button', { name: say.back }).click();
    await other.page.getByRole('button', { name: formLabels(lang).logIn, exact: true }).click();
    await other.page.getByLabel(say.code, { exact: true }).fill(codes[0]?.toLowerCase() ?? '');
    await other.page.getByRole('button', { name: say.verify }).click();
    await waitForConsole(other.page);

    await page.reload();
    await card(page, lang).getByText(say.left(9)).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    await card(page, lang).getByRole('button', { name: say.turnOff }).click();
    await dialog.getByLabel(say.password, { exact: true }).fill(member.password);
    await dialog.getByLabel(say.codeOrRecovery, { exact: true }).fill(codes[1] ?? '');
    await dialog.getByRole('button', { name: say.turnOff }).click();
    await card(page, lang).getByText(say.off, { exact: true }).waitFor();
    const last = await newVisitor(lang);
    await enterPassword(last.page, member, lang);
    await waitForConsole(last.page);
  });

  inTurn('replaces the recovery codes', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserCenterInfo', member, lang);
    const dialog = page.getByRole('dialog');
    await card(page, lang).getByRole('button', { name: say.turnOn }).click();
    await dialog.getByLabel(say.password, { exact: true }).fill(member.password);
    await dialog.getByRole('button', { name: say.next }).click();
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByLabel(say.code, { exact: true }).fill(totp(secret));
    await dialog.getByRole('button', { name: say.confirm }).click();
    await dialog.getByRole('button', { name: say.saved }).waitFor();
    const old = await dialog.locator('li code').allTextContents();
    await dialog.getByRole('button', { name: say.saved }).click();
    await dialog.waitFor({ state: 'hidden' });
    await card(page, lang).getByRole('button', { name: say.renew }).click();
    await dialog.getByLabel(say.password, { exact: true }).fill(member.password);
    await dialog.getByLabel(say.codeOrRecovery, { exact: true }).fill(totp(secret, 1));
    await dialog.getByRole('button', { name: say.renew }).click();
    await dialog.getByRole('button', { name: say.saved }).waitFor();
    const fresh = await dialog.locator('li code').allTextContents();
    expect(fresh.filter((code) => old.includes(code))).toEqual([]);
  });

  inTurn('is not offered to a sub-account', async () => {
    const main = await demoMain();
    const child = await newChild(main);
    try {
      const page = await gotoAs('/UserCenterInfo', await signIn(child.account, child.password), lang);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      expect(await card(page, lang).count()).toBe(0);
      // It has no email: the note of the page does not mention one either.
      const note = await page.locator('.page-header-note').innerText();
      expect(note).not.toMatch(/邮箱|email/i);
    } finally {
      await removeChildren(main, [child.account]);
    }
  });

  inTurn('says that its state did not load, and loads it when asked', async () => {
    const member = await newMember();
    const page = await gotoAs('/UserWorkSpace', member, lang);
    const busy = { success: false, data: null, msg: 'too busy', code: 'SERVICE_BUSY', status: 503 };
    await page.route('**/user/twoStep', (route) => route.fulfill({ status: 503, json: busy }));
    await page.goto('/UserCenterInfo');
    await waitForText(page, say.failed);
    await page.unroute('**/user/twoStep');
    await card(page, lang).getByRole('button').click();
    await card(page, lang).getByText(say.off, { exact: true }).waitFor();
  });
});
