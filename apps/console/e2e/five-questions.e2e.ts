/** What a stranger, given only the site, finds within three clicks of the overview. */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { getAs, postAs, quotaOf, signIn, type Child } from './support/api.js';
import { journey, withBrowser, type Language } from './support/browser.js';
import { CHROMIUM } from './support/environment.js';
import { accountOf, ordersOf } from './support/payment.js';
import { goWithin, waitForText, gotoAs } from './support/members.js';
import { row, withFamily } from './support/families.js';

const TEXT = '您的订单已经发货，预计三天内送达。';
const MOST_CLICKS = 3;

const SAYS = {
  zh: {
    left: '剩余字符',
    until: (date: string) => `${date} 到期`,
    week: '近 7 天',
    shares: '近 7 天各账号用量',
    children: '分配',
    give: '分配',
    fifty: '5 万',
    confirm: '确认分配',
    given: /^分配成功/,
    usage: '近 30 天用量',
    yesterday: '昨天的账变',
    fell: (name: string) => `分配给子账号「${name}」`,
    recharge: '充值与订单',
    orders: '充值订单',
    bought: (chars: number) => `${chars / 10_000} 万字符`,
  },
  en: {
    left: 'Characters left',
    until: (date: string) => `Valid until ${date}`,
    week: 'Last 7 days',
    shares: 'By account, last 7 days',
    children: 'Distribute',
    give: 'Distribute',
    fifty: '50k',
    confirm: 'Distribute',
    given: /^Done\./,
    usage: 'Usage, last 30 days',
    yesterday: 'Yesterday',
    fell: (name: string) => `Distributed to the sub-account “${name}”`,
    recharge: 'Recharge and orders',
    orders: 'Recharge orders',
    bought: (chars: number) => `${(chars / 1_000).toLocaleString('en-US')}k characters`,
  },
} as const;

withBrowser();
const family = withFamily();

/** The overview, and a way to press things there that counts. */
async function atOverview(lang: Language): Promise<{ page: Page; press: (what: Locator) => Promise<void> }> {
  const page = await gotoAs('/UserCenterIndex', family.main, lang);
  let clicks = 0;
  const press = async (what: Locator): Promise<void> => {
    await what.click();
    expect(++clicks).toBeLessThanOrEqual(MOST_CLICKS);
  };
  return { page, press };
}

describe.each(['zh', 'en'] as const)('a search engine finds (%s)', (lang) => {
  const say = SAYS[lang];
  let heavy: Child;
  let light: Child;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    [heavy, light] = [await family.child(), await family.child()];
    for (const [child, times] of [
      [heavy, 5],
      [light, 1],
    ] as const) {
      await postAs(family.main, '/user/all/distribution', { childUserId: child.userId, changeCharNum: 1_000 });
      const who = await signIn(child.account, child.password);
      for (let n = 0; n < times; n++)
        await postAs(who, '/translation/text', { source: 'zh-Hans', target: 'zh-Hant', text: TEXT });
    }
  });

  journey('how many characters are left, and until when', async () => {
    const { page } = await atOverview(lang);
    const { memberAccount } = await accountOf(family.main);
    const panel = page.locator('.ov-quota');
    await panel.getByText(say.left, { exact: true }).waitFor();
    await panel.getByText(memberAccount.usableCharNum.toLocaleString('en-US'), { exact: true }).waitFor();
    await panel.getByText(say.until(memberAccount.expireDateTime.slice(0, 10))).waitFor();
  });

  journey('who used most last week', async () => {
    const { page, press } = await atOverview(lang);
    await press(page.locator('.ov-share').getByRole('link', { name: say.week }));
    const most = page.getByRole('region', { name: say.shares }).getByRole('listitem').first();
    await most.waitFor();
    const usage = await getAs<{ days: object[]; children: { nickname: string; charNum: number }[] }>(
      family.main,
      '/user/usage?days=7',
    );
    expect(usage.days).toHaveLength(7);
    const [first] = usage.children;
    await most
      .filter({ hasText: first?.nickname })
      .filter({ hasText: first?.charNum.toLocaleString('en-US') })
      .waitFor();
    // The question is in the address: reloading and sharing keep it.
    expect(page.url()).toContain('days=7');
    await page.reload();
    await page.getByRole('region', { name: say.shares }).getByRole('listitem').first().waitFor();
  });

  journey('how to give a colleague 50,000 characters', async () => {
    const before = await quotaOf(family.main, light);
    const { page, press } = await atOverview(lang);
    await press(page.locator('.ov-quota').getByRole('link', { name: say.children }));
    await press(row(page, light.account).getByRole('button', { name: say.give }));
    await press(page.getByRole('dialog').getByRole('button', { name: say.fifty, exact: true }));
    expect(await page.getByRole('dialog').getByRole('spinbutton').inputValue()).toMatch(/^50,?000$/);
    await page.getByRole('dialog').getByRole('button', { name: say.confirm, exact: true }).click();
    await waitForText(page, say.given);
    expect((await quotaOf(family.main, light)).usableCharNum).toBe(before.usableCharNum + 50_000);
  });

  journey('why the balance fell on a day', async () => {
    const { page, press } = await atOverview(lang);
    const chart = page.getByRole('region', { name: say.usage }).getByRole('slider');
    await chart.waitFor();
    const box = await chart.boundingBox();
    if (!box) throw new Error('the chart has no place');
    await chart.click({ position: { x: box.width - 6, y: 120 } });
    await page.waitForURL(/\/UserCenterAccountLog\?/);
    await page.locator('.ant-table-row').first().waitFor();
    await press(page.locator('.ant-table-row').first().getByRole('button'));
    await page.locator('.le-details').first().getByText(say.fell(light.account)).waitFor();
    // And of yesterday: the same log, narrowed to that day.
    await goWithin(page, '/UserCenterIndex');
    await page.getByRole('link', { name: say.yesterday }).click();
    await page.waitForURL(/\/UserCenterAccountLog\?/);
    const asked = decodeURIComponent(page.url());
    const [, day] = /[?&]from=(\d{4}-\d{2}-\d{2})(?:&|$)/.exec(asked) ?? [];
    expect(day).toBeDefined();
    expect(asked).toContain(`until=${day}`);
  });

  journey('what the last order bought, and when it was paid', async () => {
    const [last] = (await ordersOf(family.main)) as unknown as { no: string; num: number; payDateTime: string }[];
    if (!last) throw new Error('there is no order');
    const { page, press } = await atOverview(lang);
    await press(page.getByRole('navigation').getByRole('link', { name: say.recharge, exact: true }));
    await press(page.getByRole('main').getByRole('link', { name: say.orders }));
    const order = row(page, last.no);
    await order.waitFor();
    const text = (await order.textContent()) ?? '';
    expect(text).toContain(say.bought(last.num));
    for (const part of last.payDateTime.split(' ')) expect(text).toContain(part);
  });
});
