import { beforeAll, describe, expect } from '@jest/globals';
import { demoMain, newChild, postAs, removeChildren, signIn } from './support/api.js';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { openOrders, ORDERS, createOrder, rowOf, yuan, type Placed } from './support/orders.js';
import { accountOf, payAtCashier } from './support/payment.js';
import { newMember, overflowsOnPhone, waitForText, type SignedIn, openPageAs, gotoAs } from './support/members.js';

withBrowser();

describe.each(['zh', 'en'] as const)('the list of orders (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = ORDERS[lang];
  let member: SignedIn;
  let orders: Record<'waiting' | 'paid' | 'timedOut' | 'cancelled', Placed>;
  beforeAll(async () => {
    member = await newMember();
    orders = {
      cancelled: await createOrder(member),
      timedOut: await createOrder(member, { payChannel: 'ALI_NATIVE' }),
      paid: await createOrder(member, { mode: 'time' }),
      waiting: await createOrder(member, { salesNum: 2 }),
    };
    await postAs(member, '/orderByMemberGroup/cancel', { id: orders.cancelled.orderId });
    await payAtCashier(orders.paid.orderNo);
  });

  journey('shows orders of every status; only unpaid ones can be paid, refreshed and cancelled', async () => {
    const page = await openPageAs(member, lang);
    // Nobody waits a quarter of an hour here: one order comes as it will be then.
    await page.route('**/orderByMemberGroup/page?*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { rows: { no: string; payStatus: string }[] } };
      const rows = answer.data.rows.map((r) => (r.no === orders.timedOut.orderNo ? { ...r, payStatus: 'T' } : r));
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, rows } } });
    });
    await page.goto('/UserCenterOrder');
    await rowOf(page, orders.paid.orderNo).getByText(say.P, { exact: true }).waitFor();
    expect(await page.locator('.ant-table-row').count()).toBe(4);
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([...say.columns]);

    const waiting = rowOf(page, orders.waiting.orderNo);
    const text = await waiting.innerText();
    for (const part of [say.W, say.standard, say.chars, say.wechat, yuan(orders.waiting.plan.salePrice * 2)])
      expect(text).toContain(part);
    expect(text.toLowerCase()).toContain(say.char);
    expect(await waiting.getByRole('timer').innerText()).toMatch(say.left);

    const paid = await rowOf(page, orders.paid.orderNo).innerText();
    for (const part of [say.month, yuan(orders.paid.plan.salePrice)]) expect(paid).toContain(part);
    expect(paid.toLowerCase()).toContain(say.time);
    expect(paid.match(/\d{4}-\d{2}-\d{2}/g)).toHaveLength(2); // placed, and paid
    expect(await rowOf(page, orders.timedOut.orderNo).innerText()).toContain(say.T);
    expect(await rowOf(page, orders.timedOut.orderNo).innerText()).toContain(say.alipay);
    expect(await rowOf(page, orders.cancelled.orderNo).innerText()).toContain(say.C);

    for (const deed of [say.pay, say.flush, say.cancel]) {
      expect(await page.getByRole('button', { name: deed }).count()).toBe(1);
      expect(await waiting.getByRole('button', { name: deed }).count()).toBe(1);
    }
    await waiting.getByRole('button', { name: say.copy }).click();
    await waitForText(page, say.copied);
    expect(await overflowsOnPhone(page)).toBe(false);
  });

  inTurn('cancels after confirmation; reports an order that was cancelled elsewhere', async () => {
    const [one, other] = [await createOrder(member), await createOrder(member)];
    const page = await openOrders(member, lang);
    const cancel = async ({ orderNo }: Placed): Promise<void> => {
      await rowOf(page, orderNo).getByRole('button', { name: say.cancel }).click();
      await page.getByRole('dialog').getByText(orderNo).waitFor();
    };
    const confirm = () => page.getByRole('dialog').getByRole('button', { name: say.confirmCancel }).click();

    await cancel(one);
    await confirm();
    await waitForText(page, say.cancelled);
    await rowOf(page, one.orderNo).getByText(say.C, { exact: true }).waitFor();
    expect(await rowOf(page, one.orderNo).getByRole('button', { name: say.flush }).count()).toBe(0);

    // The stream would close the question under the hand of who answers it: here the list does not hear of it.
    await cancel(other);
    await page.route('**/orderByMemberGroup/page?*', (route) => route.abort());
    const missed = page.waitForEvent('requestfailed', (request) => request.url().includes('/orderByMemberGroup/page?'));
    await postAs(member, '/orderByMemberGroup/cancel', { id: other.orderId });
    await missed;
    await page.unroute('**/orderByMemberGroup/page?*');
    await confirm();
    await waitForText(page, say.notOpen);
    await rowOf(page, other.orderNo).getByText(say.C, { exact: true }).waitFor();
  });

  inTurn('shows the orders of one status, and keeps the choice over a reload', async () => {
    const [open, cancelled] = [await createOrder(member), await createOrder(member)];
    await postAs(member, '/orderByMemberGroup/cancel', { id: cancelled.orderId });
    const page = await openOrders(member, lang);
    await rowOf(page, open.orderNo).waitFor();
    await page.locator('.od-filter').click();
    await page.locator('.ant-select-dropdown:visible').getByText(say.C, { exact: true }).click();
    await page.waitForURL((url) => url.search === '?status=C');
    await rowOf(page, open.orderNo).waitFor({ state: 'hidden' });
    await rowOf(page, cancelled.orderNo).waitFor();
    await page.reload();
    await rowOf(page, cancelled.orderNo).waitFor();
    expect(await rowOf(page, open.orderNo).count()).toBe(0);
    await postAs(member, '/orderByMemberGroup/cancel', { id: open.orderId });
  });

  inTurn('a refresh queries the gateway and finds an unreported payment', async () => {
    const before = await accountOf(member);
    const order = await createOrder(member);
    const page = await openOrders(member, lang);
    const refresh = rowOf(page, order.orderNo).getByRole('button', { name: say.flush });
    await refresh.click();
    await waitForText(page, say.notPaidYet);

    await payAtCashier(order.orderNo, 'silently');
    await refresh.click();
    await waitForText(page, say.paidNow(order.orderNo));
    await rowOf(page, order.orderNo).getByText(say.P, { exact: true }).waitFor();
    const after = await accountOf(member);
    expect(after.memberAccount.rechargeAmountTotal - before.memberAccount.rechargeAmountTotal).toBe(
      order.plan.salePrice,
    );
  });
});

describe.each(['zh', 'en'] as const)('a list without orders (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = ORDERS[lang];

  journey('leads to the recharge page', async () => {
    const page = await openOrders(await newMember(), lang);
    await waitForText(page, say.empty);
    await page.locator('.empty-state').getByRole('link', { name: say.recharge }).click();
    await page.waitForURL('**/UserCenterRecharge');
  });

  inTurn('shows a failure and retries', async () => {
    const page = await openPageAs(await newMember(), lang);
    // Without the stream, which makes the list look again by itself.
    await page.route('**/notice/openSse/**', (route) => route.abort());
    await page.route('**/orderByMemberGroup/page?*', (route) => route.abort());
    await page.goto('/UserCenterOrder');
    await waitForText(page, say.failed);
    await page.unroute('**/orderByMemberGroup/page?*');
    await page.locator('.empty-state').getByRole('button', { name: say.reload }).click();
    await waitForText(page, say.empty);
  });

  inTurn('is not for sub-accounts', async () => {
    const main = await demoMain();
    const { account, password } = await newChild(main);
    try {
      const page = await gotoAs('/UserCenterOrder', await signIn(account, password), lang);
      await waitForText(page, say.noPermission);
    } finally {
      await removeChildren(main, [account]);
    }
  });
});
