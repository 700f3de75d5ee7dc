import { describe, expect } from '@jest/globals';
import { getAs, ownQuota, postAs, quotaOf, signIn, type Child } from './support/api.js';
import { journey, withBrowser } from './support/browser.js';
import { button, newFamily, PAGE, row } from './support/families.js';
import { gotoAs, overflowsOnPhone, type SignedIn, waitForNoDialog, waitForText } from './support/members.js';
import { SAYS } from './support/sub-account-messages.js';

withBrowser();

type Share = { charChangeNum: number; beforeCharNum: number; lastCharNum: number; childUserName: string | null };
/** The distributions in the account's log, newest first. */
const sharesOf = async (who: SignedIn): Promise<Share[]> =>
  (await getAs<{ rows: Share[] }>(who, '/memberAccountLog/page?logType=DISTRIBUTION&pageSize=100')).rows;

describe.each(['zh', 'en'] as const)('a family of ten (%s)', (lang) => {
  const say = SAYS[lang];

  journey('is given quota in one go', async () => {
    const { main, children } = await newFamily(10);
    const before = await ownQuota(main);
    const page = await gotoAs(PAGE, main, lang);
    const dialog = page.getByRole('dialog');
    const quotas = async () =>
      (await Promise.all(children.map((child) => quotaOf(main, child)))).map((q) => q.usableCharNum);

    await button(page, say.shareMany).click();
    expect(await dialog.getByRole('radio', { name: say.everybody }).isChecked()).toBe(true);
    const confirm = button(page, say.shareVerb);
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(say.images).fill(String(before.usableImageNum));
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(say.images).fill('0');
    await dialog.getByRole('spinbutton').first().fill('100');
    await dialog.getByText(say.sum).waitFor();
    await confirm.dblclick();
    await waitForText(page, say.sharedMany);
    await waitForNoDialog(page);
    expect(await quotas()).toEqual(children.map(() => 100));
    expect((await ownQuota(main)).usableCharNum).toBe(before.usableCharNum - 1_000);
    // One entry for each sub-account on both sides, although the button was pressed twice.
    const given = await sharesOf(main);
    expect(given.map(({ charChangeNum }) => charChangeNum)).toEqual(children.map(() => -100));
    expect(new Set(given.map(({ childUserName }) => childUserName)).size).toBe(10);
    expect(given.map(({ lastCharNum }) => before.usableCharNum - lastCharNum)).toEqual(
      children.map((_, n) => (10 - n) * 100),
    );
    for (const { account, password } of children) {
      await row(page, account).getByText('100', { exact: true }).first().waitFor();
      expect(await sharesOf(await signIn(account, password))).toMatchObject([
        { charChangeNum: 100, beforeCharNum: 0, lastCharNum: 100 },
      ]);
    }

    const [one, two] = children as [Child, Child];
    for (const { account } of [one, two]) await row(page, account).getByRole('checkbox').check();
    await button(page, say.shareMany).click();
    await dialog.getByText(say.ticked).waitFor();
    await dialog.getByText(say.topUp, { exact: true }).click();
    // More images than there are: nobody receives anything, and the dialog says why.
    await dialog.getByLabel(say.images).fill(String(before.usableImageNum));
    await dialog.getByRole('spinbutton').first().fill('150');
    await confirm.click();
    await dialog.getByText(say.mainShort).waitFor();
    expect(await quotas()).toEqual(children.map(() => 100));
    await dialog.getByLabel(say.images).fill('0');
    await confirm.click();
    await waitForText(page, say.toppedUp);
    await waitForNoDialog(page);
    expect((await quotas()).slice(0, 3)).toEqual([150, 150, 100]);

    await button(page, say.enabledMany).click();
    await dialog.getByText(say.ticked).waitFor();
    await dialog.getByRole('radio', { name: say.disableOption, exact: true }).check();
    await button(page, say.disable).click();
    await waitForText(page, say.disabledMany);
    await expect(signIn(one.account, one.password)).rejects.toThrow();
    expect((await signIn(children[2]?.account ?? '', children[2]?.password ?? '')).userId).toBe(children[2]?.userId);
  });
});

describe('a family of ten', () => {
  journey('names whoever was deleted meanwhile, and fits a phone', async () => {
    const { main, children } = await newFamily(2);
    const [one, gone] = children as [Child, Child];
    const page = await gotoAs(PAGE, main, 'zh');
    for (const { account } of [one, gone]) await row(page, account).getByRole('checkbox').check();
    await button(page, SAYS.zh.shareMany).click();
    const dialog = page.getByRole('dialog');
    await postAs(main, '/user/delChild', { userId: gone.userId });
    await dialog.getByRole('spinbutton').first().fill('10');
    await button(page, SAYS.zh.shareVerb).click();
    await dialog.getByText(`${gone.account} 已被删除`).waitFor();
    expect((await quotaOf(main, one)).usableCharNum).toBe(0);
    expect(await overflowsOnPhone(page)).toBe(false);
  });
});
