import { beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import {
  accountOf,
  waitForPackages,
  entriesOf,
  addMinutes,
  ordersOf,
  payAtCashier,
  placeOrder,
  previewed,
  SAYS,
} from './support/payment.js';
import {
  newMember,
  escapeDialog,
  waitForNoDialog,
  waitForText,
  openPageAs,
  gotoAs,
  type SignedIn,
} from './support/members.js';

const DAY_MINUTES = 24 * 60;

withBrowser();

/** The success page counts down and then shows the orders. */
async function leavesForOrders(page: Page, no: string): Promise<void> {
  await page.waitForURL(/\/UserCenterOrder$/);
  await waitForText(page, no);
}

describe.each(['zh', 'en'] as const)('buying on the recharge page (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('two character packages, paid by notification: every figure is exact', async () => {
    const before = await accountOf(member);
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    const payNow = page.getByRole('button', { name: say.pay });
    await page.getByRole('radio', { name: say.standard }).check();
    expect(await payNow.isDisabled()).toBe(true);
    await waitForText(page, say.needMethod);

    await page.getByRole('spinbutton', { name: say.quantity }).fill('2');
    const no = await placeOrder(page, lang);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('176.00').waitFor();
    await dialog.getByText(say.waiting).waitFor();
    await Promise.all([waitForText(page, say.paid), payAtCashier(no)]); // the page moves on after five seconds
    await waitForText(page, no);
    await leavesForOrders(page, no);

    const { memberGroupId, memberAccount } = await accountOf(member);
    expect(memberGroupId).toBe(2);
    expect(memberAccount).toMatchObject({
      usableCharNum: before.memberAccount.usableCharNum + 4_000_000,
      usableVoiceNum: before.memberAccount.usableVoiceNum + 120,
      usableImageNum: before.memberAccount.usableImageNum + 120,
      rechargeAmountTotal: 17_600,
      expireDateTime: addMinutes(before.memberAccount.expireDateTime, 60 * DAY_MINUTES),
    });
    expect((await ordersOf(member))[0]).toMatchObject({
      no,
      payChannel: 'WC_NATIVE',
      payStatus: 'P',
      num: 4_000_000,
      salesNum: 2,
      amount: 17_600,
    });
    expect((await entriesOf(member))[0]).toMatchObject({
      logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
      amount: 17_600,
      charChangeNum: 4_000_000,
      beforeCharNum: before.memberAccount.usableCharNum,
      lastCharNum: before.memberAccount.usableCharNum + 4_000_000,
      lastExpireDateTime: memberAccount.expireDateTime,
      rechargeOrderByMemberGroupNo: no,
    });
    await page
      .getByRole('link', { name: /充值与订单|Recharge and orders/ })
      .first()
      .click();
    await waitForText(page, memberAccount.usableCharNum.toLocaleString('en-US'));
  });

  inTurn('finds a paid monthly package by query when the gateway sends no notification', async () => {
    const before = await accountOf(member);
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    // The marks of the ways to pay are letters of the reader's language.
    const marks = await page.locator('.rc-methods[role=radiogroup]').innerText();
    expect(/\p{Script=Han}/u.test(marks)).toBe(lang === 'zh');
    await page.getByRole('radio', { name: say.standardMonthly }).check();
    await waitForText(page, say.toTime);
    const [chars, expiry = '', voice, images] = await previewed(page);
    const no = await placeOrder(page, lang);
    await payAtCashier(no, 'silently');
    await page.getByText(say.paid).waitFor({ timeout: 60_000 });
    await leavesForOrders(page, no);

    const { memberGroupId, memberGroup, memberAccount } = await accountOf(member);
    const [bought, converted] = await entriesOf(member);
    // Paid a moment later, the converted time begins a moment later.
    const moved = Date.parse(memberAccount.expireDateTime) - Date.parse(expiry);
    expect(moved >= 0 && moved < 5 * 60_000).toBe(true);
    const { usableCharNum, usableVoiceNum, usableImageNum } = memberAccount;
    expect([chars, voice, images]).toEqual([usableCharNum, usableVoiceNum, usableImageNum].map(String));
    expect([memberGroupId, memberGroup.translationBillingMode]).toEqual([7, 'time']);
    expect(converted).toMatchObject({
      logType: 'SYS_MATRIX',
      charChangeNum: -before.memberAccount.usableCharNum,
      lastCharNum: 0,
    });
    expect(bought).toMatchObject({
      logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
      amount: 12_800,
      minChangeNum: 30 * DAY_MINUTES,
      lastExpireDateTime: addMinutes(converted?.lastExpireDateTime ?? '', 30 * DAY_MINUTES),
      rechargeOrderByMemberGroupNo: no,
    });
    expect(memberAccount).toMatchObject({
      usableCharNum: 0,
      rechargeAmountTotal: 17_600 + 12_800,
      expireDateTime: bought?.lastExpireDateTime,
    });
    expect((await ordersOf(member))[0]).toMatchObject({ no, payStatus: 'P', num: 30 * DAY_MINUTES, amount: 12_800 });
  });

  inTurn('asks whether it was paid and verifies both answers', async () => {
    const page = await openPageAs(member, lang);
    await page.clock.install();
    await page.goto('/UserCenterRecharge');
    await waitForPackages(page);
    const no = await placeOrder(page, lang);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    await escapeDialog(page);
    await page.getByRole('button', { name: say.notRecharged, exact: true }).click();
    await waitForNoDialog(page);
    asked.length = 0;
    await page.clock.fastForward(6_000); // longer than the longest pause between two questions
    await page.evaluate(() => fetch('/favicon.svg'));
    expect(asked.filter((path) => path.endsWith('/getPayInfo'))).toEqual([]);
    expect((await ordersOf(member)).find((order) => order.no === no)?.payStatus).toBe('W');

    const second = await placeOrder(page, lang);
    expect(second).not.toBe(no);
    await page.getByRole('dialog').getByRole('button', { name: say.close }).click();
    await page.getByText(say.ask).waitFor();
    await page.getByRole('button', { name: say.recharged, exact: true }).click();
    await waitForText(page, say.notFound);
    expect(asked.filter((path) => path.endsWith('/flush'))).toHaveLength(1);

    const third = await placeOrder(page, lang);
    await payAtCashier(third, 'silently');
    await escapeDialog(page);
    await page.getByRole('button', { name: say.recharged, exact: true }).click();
    await waitForText(page, say.paid);
  });

  inTurn('a failed pay keeps the form, and a double click orders once', async () => {
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    await page.getByRole('radio', { name: say.high }).check();
    const quantity = page.getByRole('spinbutton', { name: say.quantity });
    const payNow = page.getByRole('button', { name: say.pay });
    await page.getByRole('radio', { name: say.wechat, exact: true }).check();
    await quantity.fill('abc');
    await waitForText(page, say.needQuantity);
    expect(await payNow.isDisabled()).toBe(true);
    await quantity.fill('1200');
    await quantity.blur();
    expect(await quantity.inputValue()).toBe('999');
    await quantity.fill('3');

    const keys: string[] = [];
    const refusal = { success: false, data: null, msg: 'the gateway says no', code: 'GATEWAY_REFUSED', status: 502 };
    await page.route('**/orderByMemberGroup/pay', (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '');
      return route.fulfill({ status: 502, json: refusal });
    });
    await payNow.click();
    await waitForText(page, refusal.msg);
    expect(await quantity.inputValue()).toBe('3');
    expect(await page.getByRole('radio', { name: say.high }).isChecked()).toBe(true);
    expect(await payNow.isEnabled()).toBe(true);
    await Promise.all([page.waitForResponse('**/orderByMemberGroup/pay'), payNow.click()]);
    expect(new Set(keys.filter((key) => /^[0-9a-f]{32}$/.test(key))).size).toBe(2);
    await page.unroute('**/orderByMemberGroup/pay');

    const before = (await ordersOf(member)).length;
    await payNow.dblclick();
    await page.getByRole('dialog').waitFor();
    expect((await ordersOf(member)).length).toBe(before + 1);
  });

  inTurn('never pays for a package that was withdrawn or repriced meanwhile', async () => {
    const page = await openPageAs(member, lang);
    const stale = async (change: (plan: { id: number; salePrice: number }) => unknown): Promise<void> => {
      await page.route('**/memberGroup/saleList', async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { data: { id: number; salePrice: number }[] };
        await route.fulfill({ json: { ...body, data: body.data.map(change) } });
      });
      await page.goto('/UserCenterRecharge?memberGroupId=2');
      await waitForPackages(page);
    };
    await stale((plan) => ({ ...plan, salePrice: 100 }));
    await waitForText(page, /^¥ ?1\.00$/);
    await placeOrder(page, lang);
    await page.getByRole('dialog').getByText('88.00').waitFor();
    await page.unroute('**/memberGroup/saleList');

    await stale((plan) => (plan.id === 2 ? { ...plan, id: 1 } : plan));
    await page.getByRole('radio', { name: say.standard }).check();
    await page.unroute('**/memberGroup/saleList');
    await page.getByRole('radio', { name: say.wechat, exact: true }).check();
    await page.getByRole('button', { name: say.pay }).click();
    await waitForText(page, say.notOnSale);
    await waitForText(page, say.needPlan);
    expect(await page.getByRole('radiogroup').first().getByRole('radio', { checked: true }).count()).toBe(0);
  });

  inTurn('continues the same order after a lost response', async () => {
    const page = await gotoAs('/UserCenterRecharge', member, lang);
    await waitForPackages(page);
    const before = (await ordersOf(member)).length;
    await page.route(
      '**/orderByMemberGroup/pay',
      async (route) => {
        await route.fetch(); // it arrives, and its answer does not
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('radio', { name: say.wechat, exact: true }).check();
    await page.getByRole('button', { name: say.pay }).click();
    await page.getByRole('alert').locator('p').waitFor();
    await placeOrder(page, lang);
    expect((await ordersOf(member)).length).toBe(before + 1);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
