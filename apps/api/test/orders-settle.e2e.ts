/** The effect of a payment, however it is reported (decisions §5): the only place that credits. */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { getPayInfo, listOrderEvents, listOrders } from '@yiqiao/contracts/orders';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { QUOTA_MAX } from '@yiqiao/domain/limits';
import { Members } from '../src/members/members.js';
import { rechargeOf } from '../src/orders/order-recharge.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import {
  charsOf,
  eventsOf,
  MONTHLY,
  openOrder,
  orderOf,
  paymentFor,
  rechargesOf,
  settle,
  STANDARD,
} from './support/orders.js';

let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  buyer = await makeMain(api);
});

const paymentsOf = async (orderId: number) => {
  const { rows } = await api.db.query<{ verdict: string; amount: number; seen_by: string }>(
    'SELECT verdict, amount, seen_by FROM payment WHERE order_id = $1 ORDER BY id',
    [orderId],
  );
  return rows;
};
const end = (id: number, status: 'T' | 'C') =>
  api.db.query('UPDATE recharge_order SET pay_status = $2 WHERE id = $1', [id, status]);

describe('a payment', () => {
  it('credits its order: P, recharge, group, timeline and log', async () => {
    const id = await openOrder(api, buyer, { salesNum: 2 });
    expect(await settle(api, await paymentFor(api, id))).toBe('credit');
    const { no } = await orderOf(api, id);
    expect(await buyer.client.call(getPayInfo, { id: String(id) })).toEqual({ id, no, payStatus: 'P' });
    expect(await charsOf(buyer)).toBe(5_000 + 4_000_000);
    expect((await buyer.client.call(getUser, {})).memberGroupId).toBe(STANDARD);
    expect(await rechargesOf(api, id)).toEqual([{ amount: 17_600, chars: 4_000_000 }]);
    expect((await buyer.client.call(listOrderEvents, { id: String(id) })).map(({ event }) => event)).toEqual([
      'created',
      'notified',
      'credited',
    ]);
    const [row] = (await buyer.client.call(listAccountLogs, { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' })).rows;
    expect(row).toMatchObject({ rechargeOrderByMemberGroupNo: no, amount: 17_600 });
    expect(row?.explanation).toContain(no);
    const { rows } = await buyer.client.call(listOrders, {});
    expect(rows).toMatchObject([
      { id, no, payStatus: 'P', num: 4_000_000, salesNum: 2, amount: 17_600, refunded: false },
    ]);
    expect(rows[0]?.payDateTime).toMatch(/^\d{4}-/);
    expect((await orderOf(api, id)).groupBefore).toBe(1);
  });

  it('of a time package adds its minutes', async () => {
    const id = await openOrder(api, buyer, { memberGroupId: MONTHLY, payChannel: 'ALI_NATIVE' });
    expect(await settle(api, await paymentFor(api, id), 'query')).toBe('credit');
    expect((await buyer.client.call(getUser, {})).memberGroup.translationBillingMode).toBe('time');
    expect(await eventsOf(api, id)).toEqual(['created', 'queried', 'credited']);
  });

  it('credits once when reported fifty times at once', async () => {
    const id = await openOrder(api, buyer);
    const payment = await paymentFor(api, id);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => settle(api, payment)));
    expect(outcomes.filter((outcome) => outcome === 'credit')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'again')).toHaveLength(49);
    expect(await rechargesOf(api, id)).toHaveLength(1);
    expect(await charsOf(buyer)).toBe(2_005_000);
  });

  it.each(['T', 'C'] as const)('that arrives after %s is credited', async (status) => {
    const id = await openOrder(api, buyer);
    await end(id, status);
    expect(await settle(api, await paymentFor(api, id))).toBe('credit');
    expect((await orderOf(api, id)).payStatus).toBe('P');
    expect(await rechargesOf(api, id)).toHaveLength(1);
  });

  it('that is a duplicate credits nothing and waits for its refund', async () => {
    const id = await openOrder(api, buyer);
    await settle(api, await paymentFor(api, id));
    expect(await settle(api, await paymentFor(api, id))).toBe('double');
    expect(await paymentsOf(id)).toMatchObject([{ verdict: 'credit' }, { verdict: 'double' }]);
    expect(await rechargesOf(api, id)).toHaveLength(1);
    expect(await eventsOf(api, id)).toEqual(['created', 'notified', 'credited', 'doublePaid']);
  });

  it.each([
    ['a fen too little', { amount: 8_799 }],
    ['a fen too much', { amount: 8_801 }],
    ['nothing', { amount: 0 }],
    ['another currency', { currency: 'USD' }],
    ['another gateway', { gateway: 'alipay' }],
  ] as const)('of %s changes nothing and is stored', async (_, but) => {
    const id = await openOrder(api, buyer);
    expect(await settle(api, await paymentFor(api, id, but))).toBe('wrongAmount');
    expect((await orderOf(api, id)).payStatus).toBe('W');
    expect(await rechargesOf(api, id)).toEqual([]);
    expect(await charsOf(buyer)).toBe(5_000);
    expect(await paymentsOf(id)).toMatchObject([{ verdict: 'wrongAmount' }]);
  });

  it('reported with a wrong amount first is credited by the correct report', async () => {
    const id = await openOrder(api, buyer);
    const payment = await paymentFor(api, id);
    expect(await settle(api, { ...payment, amount: 1 })).toBe('wrongAmount');
    expect(await settle(api, payment, 'query')).toBe('credit');
    expect(await settle(api, { ...payment, amount: 1 })).toBe('wrongAmount');
    expect(await settle(api, payment)).toBe('again');
    expect(await paymentsOf(id)).toEqual([{ verdict: 'credit', amount: 8_800, seen_by: 'query' }]);
    expect(await rechargesOf(api, id)).toHaveLength(1);
  });

  it('for a missing order, or with another order’s transaction, changes nothing', async () => {
    const id = await openOrder(api, buyer);
    const other = await openOrder(api, buyer);
    const payment = await paymentFor(api, id);
    expect(await settle(api, { ...payment, orderNo: 'YQ0000000000000000000000' })).toBe('unknownOrder');
    expect(await settle(api, payment)).toBe('credit');
    expect(await settle(api, { ...payment, orderNo: (await orderOf(api, other)).no })).toBe('wrongOrder');
    expect((await orderOf(api, other)).payStatus).toBe('W');
  });

  it('reported for two orders at once credits one of them and leaves no trace on the other', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await makeMain(api), await makeMain(api)];
      const ids = [await openOrder(api, one), await openOrder(api, two)];
      const payment = await paymentFor(api, ids[0] ?? 0);
      const orders = await Promise.all(ids.map((id) => orderOf(api, id)));
      const outcomes = await Promise.all(orders.map(({ no }) => settle(api, { ...payment, orderNo: no })));
      expect([...outcomes].sort()).toEqual(['credit', 'wrongOrder']);
      for (const [at, id] of ids.entries()) {
        const credited = outcomes[at] === 'credit';
        expect((await orderOf(api, id)).payStatus).toBe(credited ? 'P' : 'W');
        expect(await rechargesOf(api, id)).toHaveLength(credited ? 1 : 0);
      }
      const chars = await Promise.all([one, two].map(charsOf));
      expect(chars.sort((a, b) => a - b)).toEqual([5_000, 2_005_000]);
    }
  });

  it('after log-off waits for its refund', async () => {
    const id = await openOrder(api, buyer);
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    expect(await settle(api, await paymentFor(api, id))).toBe('afterLogOff');
    expect((await orderOf(api, id)).payStatus).toBe('W');
    expect(await rechargesOf(api, id)).toEqual([]);
    expect(await eventsOf(api, id)).toEqual(['created', 'paidAfterLogOff']);
  });

  it('that exceeds what the account can hold waits for its refund', async () => {
    const id = await openOrder(api, buyer);
    await setChars(api, buyer.session.userId, QUOTA_MAX);
    expect(await settle(api, await paymentFor(api, id))).toBe('tooLarge');
    expect((await orderOf(api, id)).payStatus).toBe('W');
    expect(await paymentsOf(id)).toMatchObject([{ verdict: 'tooLarge' }]);
    expect(await rechargesOf(api, id)).toEqual([]);
    expect((await buyer.client.call(getUser, {})).memberGroupId).toBe(1);
  });

  it('is protected from a second recharge by the database itself', async () => {
    const id = await openOrder(api, buyer);
    await settle(api, await paymentFor(api, id));
    const again = { ...rechargeOf(await orderOf(api, id)), cmdId: uuid7() };
    const members = api.app.get(Members, { strict: false });
    const twice = api.app
      .get(EntityManager)
      .fork()
      .transactional((em) => members.recharge(em, again));
    await expect(twice).rejects.toThrow(/account_log\w*_order/);
    expect(await rechargesOf(api, id)).toHaveLength(1);
  });

  it('is credited as ordered even if the price list changed since', async () => {
    const id = await openOrder(api, buyer);
    const em = api.app.get(EntityManager).fork();
    await em.execute(
      'UPDATE member_group SET num = num + 1, sale_price = sale_price + 1, on_sale = false WHERE id = 2',
    );
    expect(await settle(api, await paymentFor(api, id))).toBe('credit');
    expect(await rechargesOf(api, id)).toEqual([{ amount: 8_800, chars: 2_000_000 }]);
    await em.execute('UPDATE member_group SET num = num - 1, sale_price = sale_price - 1, on_sale = true WHERE id = 2');
  });
});
