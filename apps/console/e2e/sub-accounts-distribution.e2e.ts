import { beforeEach, describe, expect } from '@jest/globals';
import { ownQuota, postAs, quotaOf, type Child } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { waitForNoDialog, waitForText, gotoAs } from './support/members.js';
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

  journey('distributes characters, voice and images at once, and takes characters back', async () => {
    const before = await ownQuota(family.main);
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).getByRole('button', { name: say.share }).click();
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByRole('spinbutton');
    const confirm = button(page, say.shareVerb);
    await dialog.locator('.ds-from b', { hasText: before.usableCharNum.toLocaleString('en-US') }).waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await amount.fill(String(before.usableCharNum + 1));
    await dialog.locator('.ds-short', { hasText: say.notEnough }).waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await amount.fill('120');
    await dialog.getByText((before.usableCharNum - 120).toLocaleString('en-US'), { exact: true }).waitFor();
    await dialog.getByRole('tab', { name: say.voice }).click();
    await button(page, say.oneMore).click();
    await dialog.getByText(say.others).waitFor();
    await confirm.dblclick();
    await waitForText(page, say.shared(one.account));
    await dialog.waitFor({ state: 'hidden' });
    expect(await quotaOf(family.main, one)).toEqual({ usableCharNum: 120, usableVoiceNum: 1, usableImageNum: 0 });
    await row(page, one.account).getByText('120', { exact: true }).waitFor();
    await waitForText(page, (before.usableCharNum - 120).toLocaleString('en-US'));

    await row(page, one.account).getByRole('button', { name: say.share }).click();
    await dialog.getByText(say.take, { exact: true }).first().click();
    await amount.fill('121');
    await dialog.locator('.ds-short', { hasText: say.notEnough }).waitFor();
    await amount.fill('20');
    await amount.press('Enter');
    await waitForText(page, say.takenBack(one.account));
    expect((await quotaOf(family.main, one)).usableCharNum).toBe(100);
    expect((await ownQuota(family.main)).usableCharNum).toBe(before.usableCharNum - 100);

    await row(page, one.account).getByRole('button', { name: say.share }).click();
    await dialog.getByText(say.take, { exact: true }).first().click();
    await dialog.getByRole('button', { name: say.all, exact: true }).click();
    // Received after the figures were read: it is taken back, too.
    await postAs(family.main, '/user/distribution', { childUserId: one.userId, changeCharNum: 7 });
    await amount.press('Enter');
    await waitForText(page, say.nothingLeft(one.account));
    expect((await ownQuota(family.main)).usableCharNum).toBe(before.usableCharNum);
  });

  inTurn('turns auto-distribution on for one, and for all', async () => {
    // New ones inherit the main account's own setting.
    await postAs(family.main, '/user/changeAutoDistribution', { userId: one.userId, autoDistribution: 0 });
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, one.account).getByRole('button', { name: say.edit }).click();
    await page.getByRole('switch', { name: say.auto }).click();
    await button(page, say.autoOn).click();
    await waitForText(page, say.modified);
    await page.getByRole('dialog').nth(1).waitFor({ state: 'hidden' });
    await button(page, say.cancel).first().click();
    await row(page, one.account).getByText(say.autoTag, { exact: true }).waitFor();

    for (const all of [say.allOn, say.allOff]) {
      await button(page, say.autoAll).click();
      await page.getByRole('radio', { name: all }).check();
      const changed = page.waitForResponse(/\/user\/changeAutoDistribution/); // the sentence may be the one of the round before
      await button(page, say.apply).click();
      expect((await changed).status()).toBe(200);
      await waitForText(page, say.modifiedAll);
      await waitForNoDialog(page);
    }
    await row(page, one.account).getByText(say.autoTag, { exact: true }).waitFor({ state: 'hidden' });
  });
});

describe('sub-accounts', () => {
  const say = SAYS.zh;

  journey('distributes to a disabled sub-account', async () => {
    const one = await family.child();
    await postAs(family.main, '/user/changeEnabled', { userId: one.userId, enabled: 0 });
    const page = await gotoAs(PAGE, family.main, 'zh');
    await row(page, one.account).getByRole('button', { name: say.share }).click();
    await page.getByRole('spinbutton').fill('40');
    await button(page, say.shareVerb).click();
    await waitForText(page, say.shared(one.account));
    expect((await quotaOf(family.main, one)).usableCharNum).toBe(40);
  });

  journey('counts a distribution once when it is confirmed again after a lost response', async () => {
    const one = await family.child();
    const page = await gotoAs(PAGE, family.main, 'zh');
    let lost = 0;
    await page.route('**/user/all/distribution', async (route) => {
      if (lost > 0) return route.continue();
      lost = (await route.fetch()).status();
      return route.abort();
    });
    await row(page, one.account).getByRole('button', { name: say.share }).click();
    await page.getByRole('spinbutton').fill('50');
    const confirm = page.getByRole('button', { name: say.shareVerb });
    await confirm.click();
    await page.getByRole('alert').filter({ hasText: '网络连接失败' }).waitFor();
    expect(lost).toBe(200);
    await confirm.click();
    await waitForText(page, say.shared(one.account));
    expect((await quotaOf(family.main, one)).usableCharNum).toBe(50);
  });

  journey('shows a balance that has changed meanwhile and keeps the dialog open', async () => {
    const [one, two] = [await family.child(), await family.child()];
    await postAs(family.main, '/user/all/distribution', { childUserId: one.userId, changeImageNum: 2 });
    const page = await gotoAs(PAGE, family.main, 'zh');
    // The dialog asks for the figures once more when it opens: what changes after that it cannot know.
    const fresh = page.waitForResponse(/\/user\/getChildInfo/);
    await row(page, one.account).getByRole('button', { name: say.share }).click();
    const dialog = page.getByRole('dialog');
    await fresh;
    await dialog.getByRole('tab', { name: '图片' }).click();
    await dialog.getByText(say.take, { exact: true }).first().click();
    await dialog.getByRole('spinbutton').fill('2');
    await postAs(family.main, '/user/all/distribution', { childUserId: one.userId, changeImageNum: -1 });
    await page.getByRole('button', { name: '确认收回' }).click();
    await dialog.getByText('余额刚刚有变化').waitFor();
    await dialog.locator('.ds-to .ds-short', { hasText: say.notEnough }).waitFor();
    await dialog.getByRole('spinbutton').fill('1');
    await page.getByRole('button', { name: '确认收回' }).click();
    await waitForText(page, `收回成功，${one.account} 现有 0 张图片`);
    expect((await quotaOf(family.main, two)).usableImageNum).toBe(0);
  });
});
