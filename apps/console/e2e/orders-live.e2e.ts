import { beforeAll, describe, expect } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { openOrders, ORDERS, createOrder, rowOf } from './support/orders.js';
import { accountOf, orderNoIn, payAtCashier } from './support/payment.js';
import { newMember, waitForText, type SignedIn, openPageAs, gotoAs } from './support/members.js';

const grouped = (n: number): string => n.toLocaleString('en-US');

/** The page's requests so far whose address contains `part`. */
function requestsFor(page: Page, part: string): Request[] {
  const seenSoFar: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes(part)) seenSoFar.push(request);
  });
  return seenSoFar;
}

const until = async (holds: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 45_000; !holds();) {
    if (Date.now() > deadline) throw new Error('it did not come to be');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

withBrowser();

describe.each(['zh', 'en'] as const)('paying for an order that waits (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = ORDERS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('continues the same order by QR code', async () => {
    const order = await createOrder(member);
    const page = await openOrders(member, lang);
    await rowOf(page, order.orderNo).getByRole('button', { name: say.pay }).click();
    expect(await orderNoIn(page)).toBe(order.orderNo);
    await Promise.all([waitForText(page, say.success), payAtCashier(order.orderNo)]);
  });

  inTurn('continues at Alipay in the tab opened by the click', async () => {
    const order = await createOrder(member, { payChannel: 'ALI_NATIVE' });
    const page = await openOrders(member, lang);
    const opened = page.waitForEvent('popup');
    await rowOf(page, order.orderNo).getByRole('button', { name: say.pay }).click();
    const tab = await opened;
    await tab.waitForURL(`**/cashier/${order.orderNo}*`);
    await Promise.all([page.waitForURL('**/PaySuccess*'), payAtCashier(order.orderNo)]);
  });
});

describe.each(['zh', 'en'] as const)('live updates (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = ORDERS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey('shows a payment in the list without a reload', async () => {
    const order = await createOrder(member);
    const page = await openPageAs(member, lang);
    const streams = requestsFor(page, '/notice/openSse/');
    const lists = requestsFor(page, '/orderByMemberGroup/page');
    const stands = page.waitForResponse('**/notice/openSse/**');
    await page.clock.install();
    await page.goto('/UserCenterOrder');
    await rowOf(page, order.orderNo).getByText(say.W, { exact: true }).waitFor();
    expect((await stands).status()).toBe(200);
    for (let pause = 0; pause < 3; pause++) {
      await page.clock.fastForward(6_000); // longer than the pause between two looks where there is no stream
      await page.evaluate(() => fetch('/favicon.svg'));
    }
    expect(lists.length).toBeLessThanOrEqual(2); // the first, and one when the stream has just begun to stand

    const before = lists.length;
    await Promise.all([waitForText(page, say.paidNow(order.orderNo)), payAtCashier(order.orderNo)]);
    await rowOf(page, order.orderNo).getByText(say.P, { exact: true }).waitFor();
    await page.evaluate(() => fetch('/favicon.svg'));
    expect(lists.length - before).toBe(1);
    expect(streams).toHaveLength(1);
    expect(streams[0]?.headers()['signature']).toMatch(/^[0-9a-f]{64}$/);
  });

  inTurn('the balance on the overview follows', async () => {
    const order = await createOrder(member);
    const { memberAccount } = await accountOf(member);
    const page = await gotoAs('/UserCenterIndex', member, lang);
    await waitForText(page, grouped(memberAccount.usableCharNum));
    await payAtCashier(order.orderNo);
    await waitForText(page, grouped(memberAccount.usableCharNum + order.plan.num));
  });

  inTurn('polls without a stream', async () => {
    const order = await createOrder(member);
    const page = await openPageAs(member, lang);
    await page.route('**/notice/openSse/**', (route) => route.abort());
    await page.goto('/UserCenterOrder');
    await rowOf(page, order.orderNo).getByText(say.W, { exact: true }).waitFor();
    await payAtCashier(order.orderNo);
    await rowOf(page, order.orderNo).getByText(say.P, { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0); // nobody is told of the missing stream
  });

  inTurn('a hidden page closes its stream, and reconnects and refetches when shown again', async () => {
    const order = await createOrder(member);
    const page = await openPageAs(member, lang);
    const opened = requestsFor(page, '/notice/openSse/');
    const closed = requestsFor(page, '/notice/closeSse/');
    await page.goto('/UserCenterOrder');
    await rowOf(page, order.orderNo).getByText(say.W, { exact: true }).waitFor();
    await until(() => opened.length === 1);

    const turn = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await turn('hidden');
    await until(() => closed.length === 1);
    const idOf = (request?: Request): string => request?.url().split('/').at(-1) ?? '';
    expect(closed[0]?.method()).toBe('DELETE');
    expect(idOf(closed[0])).toBe(idOf(opened[0]));

    await payAtCashier(order.orderNo);
    await turn('visible');
    await until(() => opened.length === 2);
    expect(idOf(opened[1])).not.toBe(idOf(opened[0]));
    await rowOf(page, order.orderNo).getByText(say.P, { exact: true }).waitFor();
  });
});
