/** What to do when the trial or the package ends, said where it happens: on every page, and in the place of what cannot be used. */
import { beforeAll, describe, expect } from '@jest/globals';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { signIn } from './support/api.js';
import { runOperator } from './support/operator.js';
import { CHROMIUM } from './support/environment.js';
import { goWithin, newMember, overflowsOnPhone, gotoAs, type SignedIn } from './support/members.js';
import { PAGE, row, withFamily } from './support/families.js';

const TEST = '/UserCenterChangeTranslateTest';

const SAYS = {
  zh: {
    banner: '账号提醒',
    trial: '试用已结束，选择一个套餐继续使用',
    choose: '选择套餐',
    over: '套餐已过期，充值后剩余额度恢复可用',
    renew: '续期',
    ask: '请联系主账号续期',
    left: '当前剩余',
    distribute: /^分配/,
  },
  en: {
    banner: 'Account reminder',
    trial: 'The trial is over. Choose a package to continue.',
    choose: 'Choose a package',
    over: 'The package has expired. What is left can be used again after a top-up.',
    renew: 'Renew',
    ask: 'Ask your main account to renew it',
    left: 'You have',
    distribute: /^Distribute/,
  },
} as const;

withBrowser();
const family = withFamily();

/** Takes more days from the member than any package of these journeys has. */
const endPackage = ({ username }: SignedIn): Promise<string> =>
  runOperator('account', 'adjust', username, '--days', '-100', '--reason', 'the package ends');

let trial: SignedIn;
beforeAll(async () => {
  if (!CHROMIUM) return;
  trial = await newMember();
  await endPackage(trial);
  await endPackage(family.main);
});

describe.each(['zh', 'en'] as const)('when the package is over (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];

  journey(
    'a member on trial is led to the packages: on every page, in the test, and on the recharge page',
    async () => {
      const page = await gotoAs(TEST, trial, lang);
      const banner = page.getByRole('status', { name: say.banner });
      await banner.getByText(say.trial).waitFor();
      for (const tab of ['', '?tab=voice', '?tab=image']) {
        await page.goto(TEST + tab);
        const line = page.locator('.tt-lack:visible');
        await line.getByText(say.trial).waitFor();
        expect(await line.getByRole('link', { name: say.choose }).getAttribute('href')).toBe('/UserCenterRecharge');
      }
      await page.locator('.tt-lack:visible').getByRole('link', { name: say.choose }).click();
      await page.waitForURL('**/UserCenterRecharge');
      const head = page.locator('header.page-header');
      await head.getByText(say.trial).waitFor();
      expect(await head.textContent()).not.toContain(say.left); // what is left cannot be used: it is not promised
      expect(await overflowsOnPhone(page)).toBe(false);
    },
  );

  inTurn('tells a main account in the distribution dialog and on the overview', async () => {
    const child = await family.child();
    const page = await gotoAs(PAGE, family.main, lang);
    await row(page, child.account).getByRole('button', { name: say.distribute }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(say.over).waitFor();
    await dialog.getByRole('link', { name: say.renew }).waitFor();
    await goWithin(page, '/UserCenterIndex');
    await page.locator('.ov-quota').getByText(say.over).waitFor();
  });

  inTurn('tells a sub-account whom to ask and offers nothing it may not do', async () => {
    const { account, password } = await family.child();
    const page = await gotoAs(TEST, await signIn(account, password), lang);
    const line = page.locator('.tt-lack:visible');
    await line.getByText(say.over).waitFor();
    await line.getByText(say.ask).waitFor();
    const banner = page.getByRole('status', { name: say.banner });
    await banner.getByText(say.ask).waitFor();
    expect(await page.locator('main a[href="/UserCenterRecharge"]').count()).toBe(0);
    await goWithin(page, '/UserCenterIndex');
    const panel = page.locator('.ov-quota');
    await panel.getByText(say.over).waitFor();
    await panel.getByText(say.ask).waitFor();
    expect(await panel.locator('a[href="/UserCenterRecharge"]').count()).toBe(0);
  });
});
