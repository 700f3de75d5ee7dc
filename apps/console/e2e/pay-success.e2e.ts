import { beforeAll, describe, expect } from '@jest/globals';
import { postAs } from './support/family.js';
import { journey, newPerson, withBrowser } from './support/journey.js';
import { payAtCashier, SAYS } from './support/shop.js';
import { newMember, seen, type SignedIn, signedIn, signedInAt } from './support/signed-in.js';

withBrowser();

const pathOf = (payInfo: unknown): string => `/PaySuccess?payInfo=${encodeURIComponent(JSON.stringify(payInfo))}`;

describe.each(['zh', 'en'] as const)('the page after paying (%s)', (lang) => {
  const say = SAYS[lang];
  let member: SignedIn;
  let order: { orderId: number; orderNo: string };
  beforeAll(async () => {
    member = await newMember();
    order = await postAs(member, '/orderByMemberGroup/pay', { memberGroupId: 2, salesNum: 1, payChannel: 'WC_NATIVE' });
  });

  journey('believes the server alone: confirming until it is paid, then five seconds, then the orders', async () => {
    const { orderId, orderNo } = order;
    const page = await signedInAt(pathOf({ orderId, orderNo }), member, lang);
    await seen(page, say.confirming);
    await seen(page, orderNo);
    expect(await page.getByText(say.paid).count()).toBe(0);
    await Promise.all([seen(page, say.paid), payAtCashier(orderNo)]); // the page moves on after five seconds
    await page.waitForURL(/\/UserCenterOrder$/);
  });

  journey('a forged one is never called paid', async () => {
    const { orderId, orderNo } = order;
    const stranger = await newMember();
    const page = await signedIn(stranger, lang);
    for (const path of [
      pathOf({ orderId, orderNo }),
      pathOf({ orderId, orderNo: 'YQ00000000000000000000' }),
      pathOf({ orderId, orderNo, payStatus: 'P' }),
      pathOf({ orderId: 'x', orderNo: '<b>YQ</b>' }),
      '/PaySuccess?payInfo=%7B',
      '/PaySuccess',
    ]) {
      await page.goto(path);
      await seen(page, say.unknown);
      expect([path, await page.getByText(say.paid).count()]).toEqual([path, 0]);
    }
  });

  journey('a visitor sees the number, and is asked to log in', async () => {
    const { page } = await newPerson(lang);
    await page.goto(pathOf({ orderId: order.orderId, orderNo: order.orderNo }));
    await seen(page, say.visitor);
    await seen(page, order.orderNo);
    expect(await page.getByText(say.paid).count()).toBe(0);
  });
});
