import { beforeAll, describe, expect } from '@jest/globals';
import { postAs } from './support/api.js';
import { journey, journeysInTurn, newVisitor, withBrowser } from './support/browser.js';
import { payAtCashier, SAYS } from './support/payment.js';
import { newMember, waitForText, type SignedIn, openPageAs, gotoAs } from './support/members.js';

withBrowser();

const pathOf = (payInfo: unknown): string => `/PaySuccess?payInfo=${encodeURIComponent(JSON.stringify(payInfo))}`;

describe.each(['zh', 'en'] as const)('the page after paying (%s)', (lang) => {
  const inTurn = journeysInTurn(lang);
  const say = SAYS[lang];
  let member: SignedIn;
  let order: { orderId: number; orderNo: string };
  beforeAll(async () => {
    member = await newMember();
    order = await postAs(member, '/orderByMemberGroup/pay', { memberGroupId: 2, salesNum: 1, payChannel: 'WC_NATIVE' });
  });

  journey('trusts only the server: confirms until paid, then goes to the orders after five seconds', async () => {
    const { orderId, orderNo } = order;
    const page = await gotoAs(pathOf({ orderId, orderNo }), member, lang);
    await waitForText(page, say.confirming);
    await waitForText(page, orderNo);
    expect(await page.getByText(say.paid).count()).toBe(0);
    // The page moves on after five seconds: everything that it says meanwhile is awaited at once.
    const facts = {
      zh: ['¥88.00', '2,000,000 字符', '2,005,000 字符'],
      en: ['¥88.00', '2,000,000 characters', '2,005,000 characters'],
    };
    await Promise.all([
      waitForText(page, say.paid),
      ...facts[lang].map((fact) => waitForText(page, fact)),
      payAtCashier(orderNo),
    ]);
    await page.waitForURL(/\/UserCenterOrder$/);
  });

  inTurn('never shows a forged order as paid', async () => {
    const { orderId, orderNo } = order;
    const stranger = await newMember();
    const page = await openPageAs(stranger, lang);
    for (const path of [
      pathOf({ orderId, orderNo }),
      pathOf({ orderId, orderNo: 'YQ00000000000000000000' }),
      pathOf({ orderId, orderNo, payStatus: 'P' }),
      pathOf({ orderId: 'x', orderNo: '<b>YQ</b>' }),
      '/PaySuccess?payInfo=%7B',
      '/PaySuccess',
    ]) {
      await page.goto(path);
      await waitForText(page, say.unknown);
      expect([path, await page.getByText(say.paid).count()]).toEqual([path, 0]);
    }
  });

  inTurn('shows a visitor the order number and asks for a login', async () => {
    const { page } = await newVisitor(lang);
    await page.goto(pathOf({ orderId: order.orderId, orderNo: order.orderNo }));
    await waitForText(page, say.visitor);
    await waitForText(page, order.orderNo);
    expect(await page.getByText(say.paid).count()).toBe(0);
  });
});
