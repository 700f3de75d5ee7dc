import { beforeAll, describe, expect } from '@jest/globals';
import { journey, journeysInTurn, withBrowser } from './support/browser.js';
import { openOrders, openDetails, ORDERS, createOrder, rowOf, timelineOf, yuan } from './support/orders.js';
import { entriesOf, ordersOf, payAtCashier } from './support/payment.js';
import { newMember, waitForText, type SignedIn, openPageAs } from './support/members.js';

withBrowser();

describe.each(['zh', 'en'] as const)('an order (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = ORDERS[lang];
  let member: SignedIn;
  beforeAll(async () => {
    member = await newMember();
  });

  journey(
    'tells what happened to it, asks the gateway when told that it is paid, and leads to its ledger entry',
    async () => {
      const order = await createOrder(member);
      const page = await openOrders(member, lang);
      const drawer = await openDetails(page, order.orderNo, lang);
      expect(await timelineOf(drawer, 2)).toEqual(say.byQuery.slice(0, 2));

      await payAtCashier(order.orderNo, 'silently');
      await drawer.getByRole('button', { name: say.havePaid }).click();
      await drawer.locator('.badge').getByText(say.P, { exact: true }).waitFor();
      expect(await timelineOf(drawer, 4)).toEqual([...say.byQuery]);
      expect(await drawer.getByRole('button', { name: say.havePaid }).count()).toBe(0);

      await drawer.getByRole('link', { name: say.ledger }).click();
      await page.waitForURL('**/UserCenterAccountLog?*');
      await page.locator('.ant-table-row .lg-toggle').first().waitFor(); // the orders' rows are there until the log has come
      expect(await page.locator('.ant-table-row').count()).toBe(1);
      await page.locator('.ant-table-row .lg-toggle').click();
      await page.locator('.ant-table-expanded-row').getByText(order.orderNo).first().waitFor();
      const entries = await entriesOf(member);
      expect(entries.filter((entry) => entry.rechargeOrderByMemberGroupNo === order.orderNo)).toHaveLength(1);
    },
  );

  inTurn('prints a receipt and nothing else once it is paid', async () => {
    const order = await createOrder(member, { salesNum: 2 });
    await payAtCashier(order.orderNo);
    const page = await openPageAs(member, lang);
    await page.addInitScript(() => {
      Object.assign(window, { printed: 0, print: () => Object.assign(window, { printed: 1 }) });
    });
    await page.goto('/UserCenterOrder');
    await rowOf(page, order.orderNo).getByText(say.P, { exact: true }).waitFor();
    const drawer = await openDetails(page, order.orderNo, lang);
    await page.waitForFunction(() => Boolean(document.activeElement?.closest('[role=dialog]')));
    expect(await timelineOf(drawer, 4)).toEqual([...say.byNotification]);
    const receipt = page.locator('.receipt');
    expect(await receipt.isVisible()).toBe(false);

    await drawer.getByRole('button', { name: say.print }).click();
    expect(await page.evaluate(() => (window as unknown as { printed: number }).printed)).toBe(1);

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const row = (await ordersOf(member)).find(({ no }) => no === order.orderNo);
    const text = await receipt.innerText();
    const { salePrice } = order.plan;
    const facts = [
      say.brand,
      say.receipt,
      say.seller,
      order.orderNo,
      member.email,
      say.standard,
      say.chars,
      say.wechat,
    ];
    for (const part of [...facts, `¥${yuan(salePrice * 2)}`]) expect(text).toContain(part);
    expect(text).toMatch(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/);
    expect(row?.amount).toBe(salePrice * 2);
    // Light on paper, whatever the screen is; and alone on it.
    const paper = await page.evaluate(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      ink: getComputedStyle(document.querySelector('.receipt dd') ?? document.body).color,
      others: [...document.body.children].filter((e) => !e.matches('.receipt') && e.getClientRects().length > 0).length,
    }));
    expect(paper).toEqual({ ground: 'rgb(255, 255, 255)', ink: 'rgb(18, 36, 43)', others: 0 });
  });

  inTurn('that was not paid has no receipt', async () => {
    const order = await createOrder(member);
    const page = await openOrders(member, lang);
    const drawer = await openDetails(page, order.orderNo, lang);
    await waitForText(page, say.havePaid);
    expect(await drawer.getByRole('button', { name: say.print }).count()).toBe(0);
    expect(await page.locator('.receipt').count()).toBe(0);
  });
});
