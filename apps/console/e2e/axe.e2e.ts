/** Nothing serious stands in anybody's way: every page, in both languages, light and dark in turn. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousViolations } from './support/axe.js';
import { CONSOLE_PAGES, PUBLIC_PAGES } from './support/routes.js';
import { demoMain, signIn } from './support/api.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { ORDERS } from './support/orders.js';
import { waitForPackages, placeOrder } from './support/payment.js';
import { goWithin, gotoAs, type SignedIn } from './support/members.js';
import { SAYS as CHILDREN } from './support/sub-account-messages.js';
import { PAGE, withFamily } from './support/families.js';

const SAYS = {
  zh: { rename: '修改昵称', off: '注销账号', add: '添加术语', key: '新建密钥', import: '导入', menu: /^账号菜单/ },
  en: {
    rename: 'Change nickname',
    off: 'Close this account',
    add: 'Add term',
    key: 'New key',
    import: 'Import',
    menu: /^Account menu/,
  },
} as const;

type Language = keyof typeof SAYS;
type Opening = { name: string; path: string; open: (page: Page) => Promise<unknown> };

/** The dialogs and drawers of a main account, and how each is opened; neighbours belong to different pages. */
function dialogsIn(language: Language): Opening[] {
  const [say, children, orders] = [SAYS[language], CHILDREN[language], ORDERS[language]];
  const press = (name: string | RegExp) => (page: Page) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
  const overview = '/UserCenterIndex';
  return [
    { name: 'nickname', path: overview, open: press(say.rename) },
    { name: 'new sub-account', path: PAGE, open: press(children.add) },
    { name: 'channel', path: `${overview}?channel=change`, open: (page) => page.getByRole('radio').first().waitFor() },
    { name: 'distribution', path: PAGE, open: press(new RegExp(`^${children.share}`)) },
    { name: 'log-off', path: overview, open: press(say.off) },
    { name: 'new term', path: '/UserCenterGlossary', open: press(say.add) },
    { name: 'new key', path: '/UserCenterApiKeys', open: press(say.key) },
    { name: 'new webhook', path: '/UserCenterWebhook', open: press(/^(添加接收端|Add endpoint)$/) },
    { name: 'order', path: '/UserCenterOrder', open: press(orders.show) },
    { name: 'import', path: '/UserCenterGlossary', open: press(say.import) },
    {
      name: 'payment',
      path: '/UserCenterRecharge',
      open: async (page) => {
        await waitForPackages(page);
        await placeOrder(page, language);
      },
    },
  ];
}

withBrowser();
const family = withFamily();

/** What axe has against each of the pages: nothing for most, so that a failure shows all places at once. */
async function findingsOn(
  page: Page,
  paths: readonly string[],
  open: (path: string) => Promise<unknown>,
): Promise<string[]> {
  const findings: string[] = [];
  for (const [n, path] of paths.entries()) {
    await page.emulateMedia({ colorScheme: n % 2 === 0 ? 'light' : 'dark', reducedMotion: 'reduce' });
    await open(path);
    findings.push(...(await seriousViolations(page)).map((finding) => `${path} ${finding}`));
  }
  return findings;
}

describe.each(['zh', 'en'] as const)('accessibility (%s)', (language) => {
  const inTurn = journeysInTurn(language);
  // What is light in one language is dark in the other.
  const alternating = <T>(paths: readonly T[]): T[] => (language === 'zh' ? [...paths] : [...paths].reverse());
  const findingsInConsole = async (member: SignedIn, width = 1440): Promise<string[]> => {
    const paths = alternating(CONSOLE_PAGES.map(({ path }) => path));
    const page = await gotoAs(paths.at(-1) ?? '', member, language);
    await page.setViewportSize({ width, height: 844 });
    return findingsOn(page, paths, (path) => goWithin(page, path));
  };

  journey('finds no serious violations on public pages', async () => {
    const { page } = await newVisitor(language);
    expect(await findingsOn(page, alternating(PUBLIC_PAGES), (path) => page.goto(path))).toEqual([]);
  });

  journey('finds no serious violations on the pages of a main account', async () => {
    expect(await findingsInConsole(await demoMain())).toEqual([]);
  });

  inTurn('finds no serious violations on the pages of a main account on a phone', async () => {
    expect(await findingsInConsole(await demoMain(), 390)).toEqual([]);
  });

  journey('finds no serious violations in the dialogs and the menu of a main account', async () => {
    const page = await gotoAs('/UserCenterInfo', family.main, language);
    const findings: string[] = [];
    for (const [n, { name, path, open }] of dialogsIn(language).entries()) {
      await page.emulateMedia({ colorScheme: n % 2 === (language === 'zh' ? 0 : 1) ? 'light' : 'dark' });
      await goWithin(page, path);
      await open(page);
      await page.getByRole('dialog').first().waitFor();
      findings.push(...(await seriousViolations(page)).map((finding) => `${name} ${finding}`));
    }
    await goWithin(page, '/UserCenterInfo');
    await page.getByRole('button', { name: SAYS[language].menu }).click();
    await page.getByRole('menu').waitFor();
    expect([...findings, ...(await seriousViolations(page))]).toEqual([]);
  });

  inTurn('would find a button without a name, and text that is too faint', async () => {
    const { page } = await newVisitor(language);
    await page.goto('/term-and-condition');
    await page.evaluate(() => {
      const faint = document.createElement('p');
      faint.append('faint');
      Object.assign(faint.style, { color: '#ddd', background: '#fff' });
      document.body.append(document.createElement('button'), faint);
    });
    const rules = (await seriousViolations(page)).map((finding) => finding.split(' ')[0]);
    expect(rules.sort()).toEqual(['button-name', 'color-contrast']);
  });

  journey('finds no serious violations on the pages of a sub-account and on denied pages', async () => {
    const { account, password } = await family.child();
    expect(await findingsInConsole(await signIn(account, password))).toEqual([]);
  });
});
