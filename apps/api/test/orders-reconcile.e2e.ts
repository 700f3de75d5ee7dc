/** Uncredited money is refunded (docs/decisions/0014), and orders are compared with their gateway. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { cancelOrder, flushOrder, listOrders } from '@yiqiao/contracts/orders';
import { deleteUser } from '@yiqiao/contracts/user';
import { ReconcileOrder } from '../src/orders/orders.js';
import type { TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { accountOf, AMOUNT, eventsOf, openOrder, OrderFixture, orderOf, paymentFor, settle } from './support/orders.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
});

describe('uncredited money', () => {
  it('of a second payment is refunded without touching quota', async () => {
    const { id, no } = await fixture.buy(buyer);
    expect(await settle(api, await paymentFor(api, id))).toBe('double');
    const paymentId = await fixture.lastPaymentOf(id);
    expect(await fixture.exceptions()).toContainEqual(
      expect.objectContaining({ what: 'double', paymentId, amount: AMOUNT }),
    );
    const before = await accountOf(buyer);
    await fixture.startRefund(paymentId);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(await accountOf(buyer)).toEqual(before);
    expect(gateway.refundsOf(no)).toBe(1);
    expect((await fixture.exceptions()).filter(({ orderNo }) => orderNo === no)).toEqual([]);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ payStatus: 'P', refunded: false }]);
  });

  it('after log-off is refunded', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    gateway.pay(no, AMOUNT);
    await buyer.client.call(deleteUser, { userPassword: buyer.password });
    expect(await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no) }))).toBe('afterLogOff');
    const paymentId = await fixture.lastPaymentOf(id);
    await fixture.startRefund(paymentId);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
  });

  it('of a wrong amount is refunded, and the order can still be cancelled', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    gateway.pay(no, 1);
    await buyer.client.call(flushOrder, { id: String(id) });
    const paymentId = await fixture.lastPaymentOf(id);
    gateway.mode = 'down';
    await expect(fixture.startRefund(paymentId)).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
    gateway.mode = 'up';
    expect((await fixture.startRefund(paymentId)).amount).toBe(1);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(await buyer.client.call(cancelOrder, { id })).toMatchObject({ payStatus: 'C' });
  });
});

it('is refunded at its real amount if it was recorded with a wrong one', async () => {
  const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
  const { no } = await orderOf(api, id);
  gateway.pay(no, AMOUNT);
  await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no), amount: 1 }));
  const paymentId = await fixture.lastPaymentOf(id);
  // The gateway confirms the payment; its refund is a credit that is taken back at once.
  expect((await fixture.startRefund(paymentId)).amount).toBe(AMOUNT);
  expect((await eventsOf(api, id)).slice(-4)).toEqual(['wrongAmount', 'queried', 'credited', 'refundStarted']);
  expect(await fixture.executeRefund(paymentId)).toBe('done');
});

describe('reconciliation', () => {
  const reconcile = (id: number, mode: 'look' | 'settle') =>
    api.app.get(CommandBus).execute(new ReconcileOrder(id, mode));

  it('checks without changes, and settles on request', async () => {
    const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
    const { no } = await orderOf(api, id);
    expect(await reconcile(id, 'look')).toMatchObject({ gatewayState: 'absent', ledgerAmount: null, mended: false });
    gateway.pay(no, AMOUNT);
    const seen = { orderId: id, no, gateway: 'alipay', amount: AMOUNT, gatewayState: 'paid', gatewayAmount: AMOUNT };
    expect(await reconcile(id, 'look')).toEqual({ ...seen, payStatus: 'W', ledgerAmount: null, mended: false });
    expect(await reconcile(id, 'settle')).toEqual({ ...seen, payStatus: 'P', ledgerAmount: AMOUNT, mended: true });
    expect(await reconcile(id, 'settle')).toEqual({ ...seen, payStatus: 'P', ledgerAmount: AMOUNT, mended: false });
    gateway.mode = 'down';
    expect(await reconcile(id, 'look')).toMatchObject({ gatewayState: 'unknown', gatewayAmount: null });
    await expect(reconcile(999_999_999, 'look')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
