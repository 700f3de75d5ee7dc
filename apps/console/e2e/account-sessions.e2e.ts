/** /UserCenterInfo of a main account and of a sub-account: who one is, the password, the devices that are signed in. */
import { describe, expect } from '@jest/globals';
import { withDemoFamily } from './support/families.js';
import { isSignedIn, signInOn } from './support/api.js';
import { journey, withBrowser } from './support/browser.js';
import {
  escapeDialog,
  waitForNoDialog,
  overflowsOnPhone,
  waitForText,
  type SignedIn,
  gotoAs,
} from './support/members.js';

const SAYS = {
  zh: {
    devices: '登录设备',
    name: 'Chrome 141 · Windows',
    unknown: '未知设备',
    app: 'iOS 客户端',
    more: '显示其余 3 台设备',
    here: '当前设备',
    end: /^退出 Windows/,
    endOne: '退出',
    others: '退出其他设备',
    all: '全部退出',
    cancel: '取消',
    ended: '已退出',
    signedOut: '你已退出登录',
    change: '修改密码',
    byEmail: '用邮箱修改',
    old: '旧密码',
    fresh: '新密码',
    repeat: '确认新密码',
    submit: '确认修改',
    changed: '修改成功,请重新登陆',
    kind: '子账号',
  },
  en: {
    devices: 'Signed-in devices',
    name: 'Chrome 141 · Windows',
    unknown: 'Unknown device',
    app: 'iOS app',
    more: 'Show 3 more devices',
    here: 'This device',
    end: /^Sign out Windows/,
    endOne: 'Sign out',
    others: 'Sign out other devices',
    all: 'Sign out everywhere',
    cancel: 'Cancel',
    ended: 'Signed out',
    signedOut: 'You have signed out',
    change: 'Change password',
    byEmail: 'By email',
    old: 'Old password',
    fresh: 'New password',
    repeat: 'Confirm new password',
    submit: 'Change password',
    changed: 'Password changed. Please sign in again.',
    kind: 'Sub-account',
  },
} as const;

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

withBrowser();

const { newAccount } = withDemoFamily();
const account = (who: SignedIn) => ({ account: who.username, password: who.password });

describe.each([
  ['zh', 'main'],
  ['en', 'sub'],
] as const)('the devices that are signed in (%s, %s)', (lang, kind) => {
  const say = SAYS[lang];

  journey('lists devices and signs one out after confirmation', async () => {
    const who = await newAccount(kind);
    const [windows, phone] = [await signInOn('windows', account(who)), await signInOn('ios', account(who))];
    const page = await gotoAs('/UserCenterInfo', who, lang);
    const devices = page.getByRole('list', { name: say.devices });
    await devices.getByRole('listitem').nth(2).waitFor();
    expect(await devices.getByRole('listitem').count()).toBe(3);
    expect(await devices.getByText(say.here).count()).toBe(1);

    await devices.getByRole('button', { name: say.end }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: say.cancel }).click();
    await waitForNoDialog(page);
    expect(await isSignedIn(windows)).toBe(true);
    await devices.getByRole('button', { name: say.end }).click();
    await Promise.all([
      waitForText(page, say.ended),
      dialog.getByRole('button', { name: say.endOne, exact: true }).click(),
    ]);
    await devices.getByRole('listitem').nth(2).waitFor({ state: 'detached' });
    expect([await isSignedIn(windows), await isSignedIn(phone)]).toEqual([false, true]);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  journey('names browser and system, and shows the first eight devices until the others are wanted', async () => {
    const who = await newAccount(kind);
    await signInOn('ios', account(who));
    await signInOn('web', account(who), CHROME);
    for (let n = 0; n < 8; n++) await signInOn('web', account(who));
    const page = await gotoAs('/UserCenterInfo', who, lang);
    const devices = page.getByRole('list', { name: say.devices }).getByRole('listitem');
    await devices.nth(7).waitFor();
    expect(await devices.count()).toBe(8);
    await devices.filter({ hasText: say.unknown }).first().waitFor();
    await page.getByRole('button', { name: say.more }).click();
    await devices.filter({ hasText: say.app }).waitFor();
    expect(await devices.count()).toBe(11);
    const named = devices.filter({ hasText: say.name });
    await devices.nth(8).getByRole('button').and(page.locator(':focus')).waitFor();
    await named.getByRole('button', { name: new RegExp(say.name) }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    await page.goto('/UserCenterLoginLog');
    await page.getByRole('row').filter({ hasText: say.name }).waitFor();
  });

  journey('signs out all others', async () => {
    const who = await newAccount(kind);
    const phone = await signInOn('ios', account(who));
    const page = await gotoAs('/UserCenterInfo', who, lang);
    await page.getByRole('button', { name: say.others }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.endOne, exact: true }).click();
    await page.getByRole('button', { name: say.others }).waitFor({ state: 'detached' });
    expect(await isSignedIn(phone)).toBe(false);
    await page.reload();
    await page.getByText(say.here).waitFor();
  });

  journey('signs out all, including this one, through the exit page', async () => {
    const who = await newAccount(kind);
    const phone = await signInOn('ios', account(who));
    const page = await gotoAs('/UserCenterInfo', who, lang);
    await page.getByRole('button', { name: say.all }).click();
    await page.getByRole('dialog').getByRole('button', { name: say.all }).click();
    await page.waitForURL('**/UserCenterExit');
    await waitForText(page, say.signedOut);
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});
    expect([await isSignedIn(who), await isSignedIn(phone)]).toEqual([false, false]);
    await page.waitForURL('**/home');
  });
});

describe('the password in a dialog', () => {
  journey('of a main account has both ways, and is given back to the button when it closes', async () => {
    const say = SAYS.zh;
    const who = await newAccount('main');
    const page = await gotoAs('/UserCenterInfo', who, 'zh');
    const button = page.getByRole('button', { name: say.change });
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tab', { name: say.byEmail }).waitFor();
    await escapeDialog(page);
    await waitForNoDialog(page);
    await button.and(page.locator(':focus')).waitFor();
  });

  journey('of a sub-account wants the old password and nothing else; changed, it signs out', async () => {
    const say = SAYS.en;
    const who = await newAccount('sub');
    const page = await gotoAs('/UserCenterInfo', who, 'en');
    await waitForText(page, say.kind);
    await page.getByRole('button', { name: say.change }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(say.old, { exact: true }).fill(who.password);
    expect(await dialog.getByRole('tab').count()).toBe(0);
    await dialog.getByLabel(say.fresh, { exact: true }).fill('another-2026');
    await dialog.getByLabel(say.repeat, { exact: true }).fill('another-2026');
    const sent: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/user/changePassword') && sent.push(request.url())));
    await Promise.all([waitForText(page, say.changed), dialog.getByRole('button', { name: say.submit }).dblclick()]);
    await page.waitForURL('**/home');
    expect(sent).toHaveLength(1);
    expect(await isSignedIn(who)).toBe(false);
  });

  journey('has a page of its own, which offers a sub-account no code by email', async () => {
    const say = SAYS.zh;
    const page = await gotoAs('/UserCenterChangePassword', await newAccount('sub'), 'zh');
    await page.getByLabel(say.old, { exact: true }).waitFor();
    expect(await page.getByText(say.byEmail).count()).toBe(0);
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
