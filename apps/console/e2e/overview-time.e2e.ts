import { beforeAll, describe, expect } from '@jest/globals';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { createOrder } from './support/orders.js';
import { CHROMIUM } from './support/environment.js';
import { accountOf, payAtCashier, waitUntil, type Account } from './support/payment.js';
import {
  newMember,
  escapeDialog,
  waitForNoDialog,
  overflowsOnPhone,
  waitForText,
  type SignedIn,
  gotoAs,
} from './support/members.js';

const SAYS = {
  zh: {
    mode: /按时长计费/,
    expiry: '到期时间',
    free: /^剩 \d+ 天，期内不限字符$/,
    strip: /^30 天中已过 \d+ 天$/,
    renew: '续期',
    distribute: '分配',
    totals: ['已用字符', '剩余语音', '剩余图片', '累计充值'],
    channelTitle: '更换翻译通道',
    deepl: 'DeepL（沙箱）',
  },
  en: {
    mode: /Billed per period/,
    expiry: 'Valid until',
    free: /^\d+ days left, no character limit$/,
    strip: /^\d+ of 30 days have passed$/,
    renew: 'Renew',
    distribute: 'Distribute',
    totals: ['Characters used', 'Voice left', 'Images left', 'Total topped up'],
    channelTitle: 'Change translation channel',
    deepl: 'DeepL (sandbox)',
  },
} as const;

withBrowser();

describe.each(['zh', 'en'] as const)('the overview in time mode (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  let account: Account;
  beforeAll(async () => {
    if (!CHROMIUM) return;
    member = await newMember();
    const { orderNo, plan } = await createOrder(member, { mode: 'time' });
    await payAtCashier(orderNo);
    await waitUntil(async () => {
      account = await accountOf(member);
      return account.memberGroupId === plan.id;
    });
  });

  journey('has the expiry as its figure, the days as its strip, and all the totals', async () => {
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await page.locator('.ov-who').getByText(say.mode).waitFor();
    const panel = page.locator('.ov-quota');
    await panel.getByText(say.expiry, { exact: true }).waitFor();
    const [date = '', time = ''] = account.memberAccount.expireDateTime.split(' ');
    expect(await panel.locator('.key-figure-value').textContent()).toBe(date + time.slice(0, 5));
    await panel.getByText(say.free).waitFor();
    await panel.getByRole('img', { name: say.strip }).waitFor();
    expect(await panel.locator('dt').allTextContents()).toEqual(say.totals);
    expect(await panel.locator('dd').last().textContent()).toBe(
      `¥${(account.memberAccount.rechargeAmountTotal / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
    );
    await panel.getByRole('link', { name: say.renew, exact: true }).waitFor();
    // Characters cost nothing meanwhile: there are none to hand out.
    expect(await panel.getByRole('link', { name: say.distribute, exact: true }).count()).toBe(0);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('shows the new expiry before the channel changes', async () => {
    const page = await gotoAs('/UserCenterIndex?channel=change', member, lang);
    const dialog = page.getByRole('dialog', { name: say.channelTitle });
    const dear = dialog.locator('.ant-radio-wrapper', { hasText: say.deepl });
    await dear.waitFor();
    const dates = ((await dear.textContent()) ?? '').match(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/g) ?? [];
    expect(dates[0]).toBe(account.memberAccount.expireDateTime.slice(0, 16));
    expect(dates).toHaveLength(2);
    expect((dates[1] ?? '') < (dates[0] ?? '')).toBe(true); // it is dearer
    await escapeDialog(page);
    await waitForNoDialog(page);
    await waitForText(page, say.mode);
  });
});
