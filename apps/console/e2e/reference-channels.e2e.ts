/** A package is worth the same on every channel: what is said before it is paid is what arrives, to the digit (decisions §4). */
import { beforeAll, describe, expect } from '@jest/globals';
import { postAs } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { openOrders, openDetails } from './support/orders.js';
import { CHROMIUM } from './support/environment.js';
import {
  accountOf,
  waitForPackages,
  entriesOf,
  ordersOf,
  payAtCashier,
  placeOrder,
  SAYS,
  waitUntil,
} from './support/payment.js';
import { newMember, waitForNoDialog, overflowsOnPhone, waitForText, type SignedIn, gotoAs } from './support/members.js';

const CHATGPT_ID = 7;
/** Standard: 2,000,000 characters at Google's 40 micro-yuan; a character through ChatGPT costs 96. */
const once = Math.floor((2_000_000 * 40) / 96);
const thrice = Math.floor((3 * 2_000_000 * 40) / 96);
/** 30 days likewise. */
const MINUTES = (30 * 24 * 60 * 40) / 96;

const TEXTS = {
  zh: {
    holds: '套餐内容',
    arrives: '到账',
    atGoogle: '按谷歌翻译单价',
    atDeepl: '按 DeepL 单价',
    onChatgpt: '通道：ChatGPT（沙箱）',
    size: '600 万字符',
    bought: '600 万字符（按谷歌翻译单价）',
    boughtTime: '1 个月（按谷歌翻译单价）',
    chars: (n: number) => `${n.toLocaleString('en-US')} 字符`,
    time: '12 天 12 小时',
    credited: '到账',
    dialog: '更换翻译通道',
    confirm: '确认更换',
    google: '谷歌翻译（沙箱）',
    ai: /^AI 翻译版/,
  },
  en: {
    holds: 'Package includes',
    arrives: 'You get',
    atGoogle: 'at Google’s price',
    atDeepl: 'at DeepL’s price',
    onChatgpt: 'on your channel, ChatGPT (sandbox)',
    size: '6,000k characters',
    bought: '6,000k characters (at Google’s price)',
    boughtTime: '1 month (at Google’s price)',
    chars: (n: number) => `${n.toLocaleString('en-US')} characters`,
    time: '12 days 12 hours',
    credited: 'Credited',
    dialog: 'Change translation channel',
    confirm: 'Change channel',
    google: 'Google (sandbox)',
    ai: /^AI Translation/,
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('buying on a channel of another price (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const [say, texts] = [SAYS[lang], TEXTS[lang]];
  let member: SignedIn;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    member = await newMember();
    await postAs(member, '/memberGroup/changeChannel', { targetChannelId: CHATGPT_ID });
  });

  journey('credits exactly the announced amount on the own channel', async () => {
    const before = (await accountOf(member)).memberAccount.usableCharNum;
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    const card = page.locator('.rc-plan', { hasText: texts.atDeepl });
    await card.getByText(texts.ai).waitFor();
    await page.getByRole('radio', { name: say.standard }).check();
    const line = (label: string) => page.locator('.rc-line').filter({ has: page.getByText(label, { exact: true }) });
    await line(texts.arrives).getByText(texts.chars(once), { exact: true }).waitFor();
    await page.getByRole('spinbutton', { name: say.quantity }).fill('3');
    await line(texts.holds).getByText(texts.size).waitFor();
    await line(texts.holds).getByText(texts.atGoogle, { exact: true }).waitFor();
    await line(texts.arrives).getByText(texts.chars(thrice), { exact: true }).waitFor();
    await line(texts.arrives).getByText(texts.onChatgpt, { exact: true }).waitFor();
    expect(await overflowsOnPhone(page)).toBe(false);

    const no = await placeOrder(page, lang);
    await page.getByRole('dialog').getByText(texts.atGoogle).waitFor();
    await Promise.all([waitForText(page, say.paid), payAtCashier(no)]);
    expect((await accountOf(member)).memberAccount.usableCharNum).toBe(before + thrice);
    expect((await entriesOf(member))[0]).toMatchObject({ charChangeNum: thrice, rechargeOrderByMemberGroupNo: no });
    expect((await ordersOf(member))[0]).toMatchObject({ no, num: 6_000_000, creditedNum: thrice });
    await page.context().close();

    const orders = await openOrders(member, lang);
    const facts = (await openDetails(orders, no, lang)).locator('.od-facts > div');
    await facts.filter({ hasText: texts.bought }).waitFor();
    await facts.filter({ hasText: texts.credited }).getByText(texts.chars(thrice), { exact: true }).waitFor();
    const receipt = (await orders.locator('.receipt').textContent()) ?? '';
    for (const text of [texts.bought, texts.chars(thrice)]) expect(receipt).toContain(text);
  });

  inTurn('shows, before the channel changes, the balance that the change makes', async () => {
    const page = await gotoAs('/UserCenterIndex?channel=change', member, lang);
    const dialog = page.getByRole('dialog', { name: texts.dialog });
    const row = dialog.locator('.ant-radio-wrapper', { hasText: texts.google });
    await row.waitFor();
    const before = (await accountOf(member)).memberAccount.usableCharNum;
    const after = Math.floor((before * 96) / 40);
    expect(await row.textContent()).toContain(after.toLocaleString('en-US'));
    await dialog.getByRole('radio', { name: texts.google }).check();
    await dialog.getByRole('button', { name: texts.confirm }).click();
    await waitForNoDialog(page);
    await page.locator('.ov-figure').getByText(after.toLocaleString('en-US'), { exact: true }).waitFor();
    expect((await accountOf(member)).memberAccount.usableCharNum).toBe(after);
    await postAs(member, '/memberGroup/changeChannel', { targetChannelId: CHATGPT_ID });
  });

  inTurn('credits the announced, fewer days of a monthly package on a more expensive channel', async () => {
    const buyMonth = async (): Promise<string> => {
      const page = await gotoAs('/UserCenterRecharge', member, lang);
      await waitForPackages(page);
      await page.getByRole('radio', { name: say.standardMonthly }).check();
      const line = page.locator('.rc-line').filter({ has: page.getByText(texts.arrives, { exact: true }) });
      await line.getByText(texts.time, { exact: true }).waitFor();
      const no = await placeOrder(page, lang);
      await Promise.all([waitForText(page, say.paid), payAtCashier(no)]);
      await page.context().close();
      return no;
    };
    const first = await buyMonth();
    await waitUntil(async () => (await accountOf(member)).memberGroup.translationBillingMode === 'time');
    expect((await entriesOf(member))[0]).toMatchObject({ minChangeNum: MINUTES, rechargeOrderByMemberGroupNo: first });
    const { expireDateTime } = (await accountOf(member)).memberAccount;
    const second = await buyMonth();
    const later = Date.parse((await accountOf(member)).memberAccount.expireDateTime.replace(' ', 'T'));
    expect(later - Date.parse(expireDateTime.replace(' ', 'T'))).toBe(MINUTES * 60_000);

    const orders = await openOrders(member, lang);
    const facts = (await openDetails(orders, second, lang)).locator('.od-facts > div');
    await facts.filter({ hasText: texts.boughtTime }).waitFor();
    await facts.filter({ hasText: texts.credited }).getByText(texts.time, { exact: true }).waitFor();
  });
});
