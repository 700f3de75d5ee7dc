/** Purchases (decisions §5, §9): the server's price, one order per key, and no partial effects of bad input. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  cancelOrder,
  continueOrder,
  flushOrder,
  getPayInfo,
  listOrderEvents,
  listOrders,
  listPayChannels,
  payOrder,
} from '@yiqiao/contracts/orders';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { OPEN_ORDERS_MAX, QUOTA_MAX } from '@yiqiao/domain/limits';
import type { PayStatus } from '@yiqiao/domain/orders';
import { Site } from '../src/site/site.js';
import type { TestApi } from './support/api.js';
import { tester } from './support/operator.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway } from './support/fake-gateway.js';
import {
  AMOUNT,
  eventsOf,
  MONTHLY,
  notify,
  openOrder,
  OrderFixture,
  orderOf,
  STANDARD,
  STANDARD_ORDER,
} from './support/orders.js';

const GPT = 6;

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  fixture = await OrderFixture.open({ LIMIT_PAY_PER_MINUTE: '40' });
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  buyer = await makeMain(api);
});

const ordersOf = async (who: TestMember) => (await who.client.call(listOrders, { pageSize: '100' })).rows;
const setGroup = (id: number, change: string) => api.db.query(`UPDATE member_group SET ${change} WHERE id = ${id}`);

describe('pay', () => {
  it('places an order at the server’s price and returns a form in pure ASCII', async () => {
    const { orderId, orderNo, scanQRCodeUrl } = await buyer.client.call(payOrder, { ...STANDARD_ORDER, salesNum: 3 });
    expect(orderNo).toMatch(/^YQ\d{14}\d{8}$/);
    expect(scanQRCodeUrl).toMatch(/^[\x20-\x7e\s]+$/);
    expect(scanQRCodeUrl).toContain('264.00');
    expect(scanQRCodeUrl).toContain(orderNo);
    expect(await ordersOf(buyer)).toEqual([
      {
        id: orderId,
        no: orderNo,
        payChannel: 'ALI_NATIVE',
        payStatus: 'W',
        translationBillingMode: 'char',
        memberGroupName: '标准版',
        memberGroupEnName: 'Standard',
        tranChannelId: null,
        referenceChannelId: 2,
        creditedNum: null,
        num: 6_000_000,
        salesNum: 3,
        amount: 26_400,
        payDateTime: null,
        refunded: false,
        refundedAmount: 0,
        createDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        expireDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
    const minutes = await api.db.query<{ life: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM recharge_order WHERE id = $1',
      [orderId],
    );
    expect(minutes.rows).toEqual([{ life: 900 }]);
    expect(await eventsOf(api, orderId)).toEqual(['created', 'shown']);
  });

  it('copies the minutes of a time package', async () => {
    await buyer.client.call(payOrder, { ...STANDARD_ORDER, memberGroupId: MONTHLY });
    expect(await ordersOf(buyer)).toMatchObject([{ translationBillingMode: 'time', num: 43_200 }]);
  });

  it('lists only the member’s orders, newest first, page by page', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await buyer.client.call(payOrder, STANDARD_ORDER)).orderId);
    await openOrder(api, await makeMain(api));
    const pages = [1, 2, 3].map((pageNum) =>
      buyer.client.call(listOrders, { pageNum: String(pageNum), pageSize: '2' }),
    );
    const [first, second, third] = await Promise.all(pages);
    expect(first?.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(second?.rows.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(third).toEqual({ rows: [], total: 3 });
    await buyer.client.call(cancelOrder, { id: ids[1] ?? 0 });
    const of = async (payStatus: PayStatus) => {
      const { rows, total } = await buyer.client.call(listOrders, { payStatus });
      return [rows.map(({ id }) => id), total];
    };
    expect(await of('C')).toEqual([[ids[1]], 1]);
    expect(await of('W')).toEqual([[ids[0], ids[2]], 2]);
    expect(await of('P')).toEqual([[], 0]);
    const all = await buyer.client.send(listOrders, { payStatus: '-1' });
    expect(all.body).toMatchObject({ data: { total: 3 } });
    const { status, body } = await buyer.client.send(listOrders, { payStatus: 'X' });
    expect([status, body]).toMatchObject([422, { errors: [{ path: 'payStatus' }] }]);
  });
});

describe('an Idempotency-Key', () => {
  it('returns the first order again, however often it is repeated, even at once', async () => {
    const keyed = buyer.client.with({ 'Idempotency-Key': 'one' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => keyed.call(payOrder, STANDARD_ORDER)));
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await keyed.call(payOrder, STANDARD_ORDER)).toEqual(answers[0]);
    expect(await ordersOf(buyer)).toHaveLength(1);
    const other = await keyed.send(payOrder, { ...STANDARD_ORDER, salesNum: 2 });
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await buyer.client.send(payOrder, STANDARD_ORDER)).status).toBe(200);
    expect(await ordersOf(buyer)).toHaveLength(2);
  });

  it('is private to its member', async () => {
    const other = await makeMain(api);
    const key = { 'Idempotency-Key': 'mine' };
    const [a, b] = [
      await buyer.client.with(key).call(payOrder, STANDARD_ORDER),
      await other.client.with(key).call(payOrder, STANDARD_ORDER),
    ];
    expect(a.orderId).not.toBe(b.orderId);
  });
});

describe('invalid input', () => {
  const refused: [string, unknown, number, string][] = [
    ['nothing', {}, 422, 'VALIDATION_FAILED'],
    ['no package', { salesNum: 1, payChannel: 'ALI_NATIVE' }, 422, 'VALIDATION_FAILED'],
    ['an unknown package', { ...STANDARD_ORDER, memberGroupId: 999 }, 404, 'NOT_FOUND'],
    ['the largest id', { ...STANDARD_ORDER, memberGroupId: Number.MAX_SAFE_INTEGER }, 404, 'NOT_FOUND'],
    ['a package as text', { ...STANDARD_ORDER, memberGroupId: '2' }, 422, 'VALIDATION_FAILED'],
    ['the free trial', { ...STANDARD_ORDER, memberGroupId: 1 }, 422, 'PLAN_NOT_ON_SALE'],
    ['a package of a channel that does not work', { ...STANDARD_ORDER, memberGroupId: GPT }, 422, 'PLAN_NOT_ON_SALE'],
    ['no quantity', { ...STANDARD_ORDER, salesNum: 0 }, 422, 'VALIDATION_FAILED'],
    ['a negative quantity', { ...STANDARD_ORDER, salesNum: -1 }, 422, 'VALIDATION_FAILED'],
    ['half a package', { ...STANDARD_ORDER, salesNum: 1.5 }, 422, 'VALIDATION_FAILED'],
    ['too many', { ...STANDARD_ORDER, salesNum: 1000 }, 422, 'VALIDATION_FAILED'],
    ['a price of one’s own', { ...STANDARD_ORDER, amount: 1 }, 422, 'UNKNOWN_FIELD'],
    ['a currency', { ...STANDARD_ORDER, currency: 'USD' }, 422, 'UNKNOWN_FIELD'],
    ['USDT', { ...STANDARD_ORDER, payChannel: 'USDT' }, 422, 'USDT_MAKES_NO_ORDER'],
    ['a channel without keys', { ...STANDARD_ORDER, payChannel: 'WC_NATIVE' }, 422, 'PAY_CHANNEL_UNAVAILABLE'],
    ['an unknown channel', { ...STANDARD_ORDER, payChannel: 'CASH' }, 422, 'VALIDATION_FAILED'],
    ['a list', [STANDARD_ORDER], 422, 'VALIDATION_FAILED'],
  ];
  it.each(refused)('of pay: %s', async (_, body, status, code) => {
    expect(await buyer.client.send(payOrder, body)).toMatchObject({ status, body: { success: false, code } });
    expect(await ordersOf(buyer)).toEqual([]);
  });

  it.each(
    ['', ' ', 'a b', 'x'.repeat(65), '键'].map((key) => [
      JSON.stringify(encodeURIComponent(key)),
      encodeURIComponent(key),
    ]),
  )('of pay: an ill-formed key %s', async (_, key) => {
    if (/^[A-Za-z0-9_-]{1,64}$/.test(key) || key === '') return;
    const answer = await buyer.client.with({ 'Idempotency-Key': key }).send(payOrder, STANDARD_ORDER);
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(await ordersOf(buyer)).toEqual([]);
  });

  const ofOne: [string, Endpoint][] = [
    ['getPayInfo', getPayInfo],
    ['flush', flushOrder],
    ['timeline', listOrderEvents],
    ['cancel', cancelOrder],
    ['continue', continueOrder],
  ];
  it.each(ofOne)('of %s', async (_, endpoint) => {
    const foreign = await openOrder(api, await makeMain(api), { payChannel: 'ALI_NATIVE' });
    const given = (id: number) => ({ id: endpoint.method === 'GET' ? String(id) : id });
    expect(await buyer.client.send(endpoint, given(foreign))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect((await buyer.client.send(endpoint, given(Number.MAX_SAFE_INTEGER))).status).toBe(404);
    for (const bad of [{}, { id: 0 }, { id: -1 }, { id: 1.5 }, { id: 'x' }, { id: '1e3' }, { id: '9'.repeat(20) }])
      expect(await buyer.client.send(endpoint, bad)).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION_FAILED' },
      });
    expect(await buyer.client.send(endpoint, { ...given(foreign), no: 'x' })).toMatchObject({ status: 422 });
    expect((await orderOf(api, foreign)).payStatus).toBe('W');
    expect(await eventsOf(api, foreign)).toEqual(['created']);
  });

  it('of page: invalid paging', async () => {
    for (const bad of [{ pageNum: '0' }, { pageSize: '101' }, { pageSize: 'x' }, { status: 'P' }])
      expect((await buyer.client.send(listOrders, bad)).status).toBe(422);
  });

  it('of a sub-account, which can neither buy nor see orders', async () => {
    const sub = await makeSub(api, buyer);
    const { orderId: id } = await buyer.client.call(payOrder, STANDARD_ORDER);
    const calls: [Endpoint, object][] = [
      ...([
        [payOrder, STANDARD_ORDER],
        [listOrders, {}],
        [listPayChannels, {}],
        [cancelOrder, { id }],
      ] as [Endpoint, object][]),
      ...([
        [flushOrder, { id: String(id) }],
        [getPayInfo, { id: String(id) }],
      ] as [Endpoint, object][]),
    ];
    for (const [endpoint, input] of calls)
      expect(await sub.client.send(endpoint, input)).toMatchObject({
        status: 403,
        body: { code: 'MAIN_ACCOUNT_ONLY' },
      });
    expect((await orderOf(api, id)).payStatus).toBe('W');
  });
});

describe('a refused order', () => {
  it('is for a plan that is not on sale, free, or dearer than a gateway accepts', async () => {
    await setGroup(STANDARD, 'on_sale = false');
    expect(await buyer.client.send(payOrder, STANDARD_ORDER)).toMatchObject({
      status: 422,
      body: { code: 'PLAN_NOT_ON_SALE' },
    });
    await setGroup(STANDARD, 'on_sale = true, sale_price = 2000000000');
    const dear = await buyer.client.send(payOrder, { ...STANDARD_ORDER, salesNum: 999 });
    expect(dear).toMatchObject({ status: 422, body: { code: 'ORDER_AMOUNT_TOO_LARGE' } });
    await setGroup(STANDARD, `sale_price = ${AMOUNT}`);
    expect(await ordersOf(buyer)).toEqual([]);
  });

  it('exceeds what the account can hold', async () => {
    await setChars(api, buyer.session.userId, QUOTA_MAX - 1_999_999);
    expect(await buyer.client.send(payOrder, STANDARD_ORDER)).toMatchObject({
      status: 422,
      body: { code: 'QUOTA_TOO_LARGE' },
    });
    await setChars(api, buyer.session.userId, QUOTA_MAX - 2_000_000);
    expect((await buyer.client.send(payOrder, STANDARD_ORDER)).status).toBe(200);
  });

  it('is the twenty-first unpaid order, even in a burst', async () => {
    for (let i = 0; i < OPEN_ORDERS_MAX - 2; i++) await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => buyer.client.send(payOrder, STANDARD_ORDER)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'TOO_MANY_OPEN_ORDERS' });
    const [newest] = await ordersOf(buyer);
    await buyer.client.call(cancelOrder, { id: newest?.id ?? 0 });
    expect((await buyer.client.send(payOrder, STANDARD_ORDER)).status).toBe(200);
  });

  it('exceeds the rate limit', async () => {
    const body = { ...STANDARD_ORDER, memberGroupId: 999 };
    const answers = await Promise.all(Array.from({ length: 45 }, () => buyer.client.send(payOrder, body)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('payInfo/channel', () => {
  const channels = () => buyer.client.call(listPayChannels, {});
  const site = () => api.app.get(Site, { strict: false });
  const setUsdt = (valued: unknown) => site().set({ id: 'USDT_PAY_INFO', valued, public: true }, tester);

  it('lists gateways with keys, and USDT if it has an address and is enabled', async () => {
    expect(await channels()).toEqual(['ALI_NATIVE']);
    await setUsdt({ url: 'https://pay.example/usdt' });
    expect(await channels()).toEqual(['ALI_NATIVE', 'USDT']);
    await setUsdt({ enabled: false, url: 'https://pay.example/usdt' });
    expect(await channels()).toEqual(['ALI_NATIVE']);
    for (const odd of [{ enabled: true }, { url: '' }, 'text', null, []]) {
      await setUsdt(odd);
      expect(await channels()).toEqual(['ALI_NATIVE']);
    }
  });
});

it('completes a purchase: pay, notification, balance, group, order and ledger', async () => {
  const { orderId, orderNo } = await buyer.client.call(payOrder, STANDARD_ORDER);
  gateway.pay(orderNo, AMOUNT);
  expect(await notify(api, gateway.notification(orderNo))).toEqual({ status: 200, text: 'success' });
  expect(await ordersOf(buyer)).toMatchObject([{ id: orderId, payStatus: 'P', amount: AMOUNT }]);
  const timeline = await buyer.client.call(listOrderEvents, { id: String(orderId) });
  expect(timeline.map(({ event }) => event)).toEqual(['created', 'shown', 'notified', 'credited']);
});
