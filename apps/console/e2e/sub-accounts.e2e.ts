import { beforeEach, describe, expect } from '@jest/globals';
import { freshName, ownQuota, postAs, signIn, type Child } from './support/api.js';
import { holdRequest, journey, journeysInTurn, withBrowser } from './support/browser.js';
import { goWithin, newMember, waitForNoDialog, overflowsOnPhone, waitForText, gotoAs } from './support/members.js';
import { SAYS } from './support/sub-account-messages.js';
import { button, PAGE, row, withFamily } from './support/families.js';

withBrowser();
const family = withFamily();

describe.each(['zh', 'en'] as const)('sub-accounts (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let one: Child;
  beforeEach(async () => {
    one = await family.child();
  });

  journey('adds one, after saying what is wrong with each field, and shows it first', async () => {
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).waitFor();
    await button(page, say.add).click();
    const drawer = page.getByRole('dialog');
    const account = drawer.getByLabel(say.account, { exact: true });
    const password = drawer.getByLabel(say.password, { exact: true });
    await button(page, say.save).click();
    await waitForText(page, say.accountRequired);
    await waitForText(page, say.passwordRequired);
    await account.fill('a b');
    await password.fill('12345');
    await account.focus();
    await waitForText(page, say.passwordMin);
    await password.focus();
    await waitForText(page, say.accountFormat);
    await account.fill(one.account.toUpperCase());
    await account.blur();
    await waitForText(page, say.taken);

    const name = freshName();
    await account.fill(name);
    await password.fill('secret-2026');
    await button(page, say.save).dblclick();
    await waitForText(page, say.added);
    await drawer.waitFor({ state: 'hidden' });
    const first = page.locator('.ant-table-row').first();
    await first.filter({ hasText: name }).waitFor();
    expect(await first.textContent()).toContain(say.never);
    // It was never given any: 0 is no alarm.
    expect(await first.textContent()).not.toContain(say.usedUp);
  });

  inTurn('shows a refusal although the page was left while the sub-account was saved', async () => {
    const page = await gotoAs('/UserCenterInfo', family.main, lang);
    await page.locator(`a[href="${PAGE}"]:visible`).first().click();
    await row(page, one.account).waitFor();
    await button(page, say.add).click();
    const drawer = page.getByRole('dialog');
    const account = freshName();
    await drawer.getByLabel(say.account, { exact: true }).fill(account);
    await drawer.getByLabel(say.password, { exact: true }).fill('secret-2026');
    const save = await holdRequest(page, '**/user/saveChildUser');
    await button(page, say.save).click();
    await save.sent;
    await page.goBack();
    await waitForNoDialog(page);
    await postAs(family.main, '/user/saveChildUser', { account, password: 'secret-2026' });
    save.release();
    await waitForText(page, say.taken);
  });

  inTurn('searches by account, keeps the search over a reload, and resets it', async () => {
    const page = await gotoAs(PAGE, family.main, lang);
    const box = page.getByRole('searchbox', { name: say.search });
    await box.fill(one.account.slice(1).toUpperCase());
    await page.waitForURL((url) => decodeURIComponent(url.search).includes(one.account.slice(1).toUpperCase()));
    await page.locator('.ant-table-row').nth(1).waitFor({ state: 'hidden' });
    await row(page, one.account).waitFor();
    await page.reload();
    await row(page, one.account).waitFor();
    expect(await box.inputValue()).toBe(one.account.slice(1).toUpperCase());
    await box.fill('%nobody_');
    await waitForText(page, say.noMatch);
    await page.locator('.empty-state').getByRole('button', { name: say.reset }).click();
    await page.locator('.ant-table-row').nth(1).waitFor();
    expect(await box.inputValue()).toBe('');
  });

  inTurn('edits the nickname without touching name or password', async () => {
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).getByRole('button', { name: say.edit }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.nickname, { exact: true }).fill('x');
    await button(page, say.save).click();
    await waitForText(page, say.nicknameMin);
    expect(await drawer.locator('input[type=password]').count()).toBe(0);
    await drawer.getByLabel(say.nickname, { exact: true }).fill('Nora & 李');
    await drawer.getByLabel(say.nickname, { exact: true }).press('Enter');
    await waitForText(page, say.modified);
    await row(page, one.account).getByText('Nora & 李').waitFor();
    expect((await signIn(one.account, one.password)).userId).toBe(one.userId);
  });

  inTurn('sets caps, which the list and the sub-account itself show with what is used', async () => {
    await postAs(family.main, '/user/distribution', { childUserId: one.userId, changeCharNum: 50 });
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).getByRole('button', { name: say.edit }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel(say.capDay).fill('12');
    await drawer.getByLabel(say.capMonth).fill('30');
    await button(page, say.save).click();
    await waitForText(page, say.modified);
    await row(page, one.account).getByText(say.capUse(0)).waitFor();
    const sub = await signIn(one.account, one.password);
    await postAs(sub, '/translation/text', { source: 'zh-Hans', target: 'zh-Hant', text: '后台发展' });
    await page.reload();
    await row(page, one.account).getByText(say.capUse(4)).waitFor();

    const own = await gotoAs('/UserCenterIndex', sub, lang);
    await waitForText(own, say.capOwn);
  });

  inTurn('sets the opposite of a switch after a confirmation only', async () => {
    const page = await gotoAs(PAGE, family.main, lang);
    const enabled = row(page, one.account).getByRole('switch');
    await enabled.click();
    await button(page, say.cancel).click();
    await waitForNoDialog(page);
    expect(await enabled.isChecked()).toBe(true);
    await enabled.click();
    await button(page, say.disable).click();
    await waitForText(page, say.modified);
    await row(page, one.account).locator('[role=switch][aria-checked=false]').waitFor();
    await expect(signIn(one.account, one.password)).rejects.toThrow();
  });

  inTurn('sets a new password, trimmed, and refuses two that differ', async () => {
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).getByRole('button', { name: say.resetPassword }).click();
    await page.getByLabel(say.fresh, { exact: true }).fill(' fresh-2026 ');
    await page.getByLabel(say.repeat, { exact: true }).fill('fresh-2027');
    await button(page, say.resetVerb).click();
    await waitForText(page, say.differs);
    await page.getByLabel(say.repeat, { exact: true }).fill('fresh-2026');
    await page.getByLabel(say.repeat, { exact: true }).press('Enter');
    await waitForText(page, say.resetDone);
    expect((await signIn(one.account, 'fresh-2026')).userId).toBe(one.userId);
  });

  inTurn('deletes several, shows the returned quota, and does nothing without a selection', async () => {
    const two = await family.child();
    await postAs(family.main, '/user/all/distribution', { childUserId: two.userId, changeCharNum: 30 });
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, two.account).waitFor();
    await button(page, say.batch).click();
    await waitForText(page, say.noneSelected);
    for (const { account } of [one, two]) await row(page, account).getByRole('checkbox').check();
    await button(page, say.batch).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain(say.comesBack);
    const before = await ownQuota(family.main);
    await button(page, say.remove).click();
    await waitForText(page, say.deleted);
    await row(page, two.account).waitFor({ state: 'hidden' });
    await row(page, one.account).waitFor({ state: 'hidden' });
    expect((await ownQuota(family.main)).usableCharNum).toBe(before.usableCharNum + 30);
    await goWithin(page, '/UserCenterAccountLog');
    await page.getByText(say.gone(two.account)).first().waitFor();
  });

  inTurn('links to a plan with sub-accounts', async () => {
    const page = await gotoAs(PAGE, await newMember(), lang);
    await page.locator('.empty-state').waitFor();
    await button(page, say.add).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText(say.upsell).waitFor();
    await drawer.getByRole('button', { name: say.close, exact: true }).last().click();
    await drawer.waitFor({ state: 'hidden' });
    await button(page, say.add).click();
    await drawer.getByRole('link', { name: say.goEnable }).click();
    await page.waitForURL(/\/UserCenterRecharge$/);
  });

  inTurn('is not there for a sub-account, neither in the menu nor by its address', async () => {
    const who = await signIn(one.account, one.password);
    const page = await gotoAs(PAGE, who, lang);
    await waitForText(page, say.noPermission);
    expect(await page.locator(`a[href="${PAGE}"]`).count()).toBe(0);
    expect(await page.locator('.ant-table, .lt-bar').count()).toBe(0);
  });
});

describe('sub-accounts', () => {
  const say = SAYS.zh;

  journey('works with the keyboard and restores the focus', async () => {
    const one = await family.child();
    const page = await gotoAs(PAGE, family.main, 'zh');
    const share = row(page, one.account).getByRole('button', { name: say.share });
    await share.focus();
    await page.keyboard.press('Enter');
    await page.locator('input[role=spinbutton]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await waitForNoDialog(page);
    await share.and(page.locator(':focus')).waitFor();
    await row(page, one.account).getByRole('button', { name: '删除' }).press('Enter');
    await page.locator('button:focus', { hasText: say.cancel }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForText(page, say.deleted);
    await page.locator('.sa-list:focus').waitFor();
  });

  journey('keeps the search after a failure and offers a retry', async () => {
    const one = await family.child();
    const page = await gotoAs(PAGE, family.main, 'zh');
    await row(page, one.account).waitFor();
    await page.route('**/user/page?**', (route) => route.abort());
    await page.getByRole('searchbox').fill(one.account);
    await waitForText(page, '子账号加载失败');
    await page.unroute('**/user/page?**');
    await page.getByRole('button', { name: '重新加载' }).click();
    await row(page, one.account).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(one.account);
  });

  journey('does not scroll sideways on a phone, nor do its dialogs', async () => {
    const one = await family.child();
    const page = await gotoAs(PAGE, family.main, 'zh');
    await row(page, one.account).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
    const english = await gotoAs(PAGE, family.main, 'en');
    expect(await overflowsOnPhone(english)).toBe(false);
    // The card cuts off what is too wide, so the page alone would not tell.
    for (const bulk of await english.locator('.lt-bulk button').all()) {
      const box = await bulk.boundingBox();
      expect(box && box.x + box.width).toBeLessThan(390 - 16);
    }
    await row(page, one.account).getByRole('button', { name: say.share }).click();
    await page.getByRole('spinbutton').waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
