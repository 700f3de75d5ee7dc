/** The ways in which an order ends (decisions §5): polled, timed out, cancelled, refreshed; late payments count. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { cancelOrder, continueOrder, flushOrder, getPayInfo } from '@yiqiao/contracts/orders';
import { deleteUser } from '@yiqiao/contracts/user';
import type { DomainEvent } from '@yiqiao/domain/events';
import { TIME_OUT_GRACE_MS } from '@yiqiao/domain/limits';
import { ProductEventRoutes } from '../src/event-routes.js';
import { PollGateway } from '../src/orders/poll-gateway.js';
import { CancelOpenOrders } from '../src/orders/cancel-open-orders.js';
import { ListExceptions } from '../src/orders/orders.js';
import { TimeOutOrder } from '../src/orders/time-out-order.js';
import type { TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { AMOUNT, charsOf, eventsOf, notify, OrderFixture, orderOf, placeOrder, rechargesOf } from './support/orders.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;
let id: number;
let no: string;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
  ({ id, no } = await placeOrder(buyer));
});

const execute = (command: PollGateway | TimeOutOrder | CancelOpenOrders) => api.app.get(CommandBus).execute(command);
const statusOf = async () => (await orderOf(api, id)).payStatus;
const eventsOfType = async (type: DomainEvent['type']): Promise<DomainEvent[]> => {
  const { rows } = await api.db.query<{ fact: DomainEvent }>(
    `SELECT fact FROM outbox WHERE fact->>'type' = $1 AND (fact->>'orderId')::bigint = $2 ORDER BY id`,
    [type, id],
  );
  return rows.map(({ fact }) => fact);
};

describe('the schedule', () => {
  it('of a new order polls after eight seconds and ends it at its time limit', async () => {
    const order = await orderOf(api, id);
    const [placed] = await eventsOfType('OrderPlaced');
    expect(placed).toMatchObject({ askAt: order.createdAt.getTime() + 8_000, expiresAt: order.expiresAt.getTime() });
    expect(order.expiresAt.getTime() - order.createdAt.getTime()).toBe(15 * 60_000);
    const routes = new ProductEventRoutes();
    if (!placed) throw new Error('no event');
    expect(routes.jobsOf(placed)).toEqual(['ask-gateway', 'time-out-order']);
    expect(routes.dueAt(placed, 'ask-gateway')).toBe(order.createdAt.getTime() + 8_000);
    expect(routes.dueAt(placed, 'time-out-order')).toBe(order.expiresAt.getTime());
  });

  it('polls at least every two minutes, in one chain however often a job runs', async () => {
    for (let asked = 0; asked < 9; asked++) {
      await Promise.all([1, 2, 3].map(() => execute(new PollGateway(id, asked))));
      const next = await eventsOfType('OrderStillUnpaid');
      expect(next).toHaveLength(asked + 1);
      const { askAt } = next.at(-1) as Extract<DomainEvent, { type: 'OrderStillUnpaid' }>;
      expect(askAt - Date.now()).toBeLessThanOrEqual(80_000);
      expect(next.at(-1)).toMatchObject({ asked: asked + 1 });
    }
    expect(await statusOf()).toBe('W');
  });

  it('finds a payment whose notification was lost', async () => {
    gateway.pay(no, AMOUNT);
    await execute(new PollGateway(id, 0));
    expect(await statusOf()).toBe('P');
    expect(await charsOf(buyer)).toBe(2_005_000);
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'queried', 'credited']);
    expect(await eventsOfType('OrderStillUnpaid')).toEqual([]);
  });

  it('ends an order that the gateway closed early, and stops polling', async () => {
    gateway.expire(no, AMOUNT);
    await execute(new PollGateway(id, 0));
    expect(await statusOf()).toBe('T');
    expect(await eventsOfType('OrderStillUnpaid')).toEqual([]);
  });

  it('continues while the gateway is unavailable', async () => {
    gateway.mode = 'down';
    await execute(new PollGateway(id, 0));
    expect(await statusOf()).toBe('W');
    expect(await eventsOfType('OrderStillUnpaid')).toHaveLength(1);
  });

  it('stops before the time limit: the final poll ends it', async () => {
    await api.db.query("UPDATE recharge_order SET expires_at = now() + interval '10 seconds' WHERE id = $1", [id]);
    await execute(new PollGateway(id, 0));
    expect((await orderOf(api, id)).queryCount).toBe(1);
    expect(await eventsOfType('OrderStillUnpaid')).toEqual([]);
  });
});

describe('the time-out', () => {
  it('closes the order at the gateway, then sets T', async () => {
    gateway.show(no, AMOUNT);
    await execute(new TimeOutOrder(id));
    expect(await statusOf()).toBe('T');
    expect(gateway.statusOf(no)).toBe('TRADE_CLOSED');
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'timedOut']);
    await execute(new TimeOutOrder(id));
    expect(await eventsOf(api, id)).toHaveLength(3);
  });

  it('skips closing if the form was never submitted', async () => {
    await execute(new TimeOutOrder(id));
    expect(await statusOf()).toBe('T');
  });

  it('credits a payment of the last moment', async () => {
    gateway.pay(no, AMOUNT);
    await execute(new TimeOutOrder(id));
    expect(await statusOf()).toBe('P');
  });

  it('ends an order paid with a wrong amount', async () => {
    gateway.pay(no, 1);
    await execute(new TimeOutOrder(id));
    expect(await statusOf()).toBe('T');
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'wrongAmount', 'timedOut']);
  });

  it('waits up to an hour for an unavailable gateway', async () => {
    gateway.mode = 'down';
    await expect(execute(new TimeOutOrder(id))).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
    expect(await statusOf()).toBe('W');
    await api.db.query('UPDATE recharge_order SET expires_at = $2 WHERE id = $1', [
      id,
      new Date(Date.now() - TIME_OUT_GRACE_MS),
    ]);
    await execute(new TimeOutOrder(id));
    expect(await statusOf()).toBe('T');
    const found = await api.app.get(QueryBus).execute(new ListExceptions());
    expect(found).toContainEqual(expect.objectContaining({ what: 'unanswered', orderNo: no }));
    // And a payment is still credited when it is reported.
    gateway.mode = 'up';
    gateway.pay(no, AMOUNT);
    expect(await notify(api, gateway.notification(no))).toMatchObject({ text: 'success' });
    expect(await statusOf()).toBe('P');
  });
});

describe('cancel', () => {
  it('closes the order at the gateway first', async () => {
    gateway.show(no, AMOUNT);
    expect(await buyer.client.call(cancelOrder, { id })).toEqual({ id, no, payStatus: 'C' });
    expect(gateway.statusOf(no)).toBe('TRADE_CLOSED');
    const again = await buyer.client.send(cancelOrder, { id });
    expect(again).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_OPEN', data: { id, no, payStatus: 'C' } } });
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'cancelled']);
  });

  it('of an order that is already paid credits it and reports that', async () => {
    gateway.pay(no, AMOUNT);
    const answer = await buyer.client.send(cancelOrder, { id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_OPEN', data: { id, no, payStatus: 'P' } } });
    expect(await charsOf(buyer)).toBe(2_005_000);
  });

  it('changes nothing while the gateway is unavailable', async () => {
    gateway.mode = 'down';
    expect(await buyer.client.send(cancelOrder, { id })).toMatchObject({
      status: 504,
      body: { code: 'GATEWAY_UNKNOWN' },
    });
    expect(await statusOf()).toBe('W');
    expect(await eventsOf(api, id)).toEqual(['created', 'shown']);
  });

  it('credits a simultaneous payment and reports that', async () => {
    for (let round = 0; round < 5; round++) {
      ({ id, no } = await placeOrder(buyer));
      gateway.pay(no, AMOUNT);
      const body = gateway.notification(no);
      const [cancelled, notified] = await Promise.all([
        buyer.client.send(cancelOrder, { id }),
        notify(api, body),
      ] as const);
      expect(cancelled.status).toBe(409);
      expect(notified.text).toBe('success');
      expect(await statusOf()).toBe('P');
      expect(await rechargesOf(api, id)).toHaveLength(1);
    }
  });

  it('is followed by a credit if money still arrives', async () => {
    await buyer.client.call(cancelOrder, { id });
    gateway.pay(no, AMOUNT);
    expect(await buyer.client.call(flushOrder, { id: String(id) })).toEqual({ id, no, payStatus: 'P' });
    expect(await charsOf(buyer)).toBe(2_005_000);
  });
});

describe('flush', () => {
  it('queries the gateway, while getPayInfo never does', async () => {
    gateway.pay(no, AMOUNT);
    const asked = gateway.asked.length;
    expect((await buyer.client.call(getPayInfo, { id: String(id) })).payStatus).toBe('W');
    expect(gateway.asked).toHaveLength(asked);
    expect((await buyer.client.call(flushOrder, { id: String(id) })).payStatus).toBe('P');
    expect(gateway.asked.length).toBeGreaterThan(asked);
  });

  it('of an unpaid order changes nothing, and reports an unavailable gateway', async () => {
    expect((await buyer.client.call(flushOrder, { id: String(id) })).payStatus).toBe('W');
    gateway.mode = 'down';
    expect(await buyer.client.send(flushOrder, { id: String(id) })).toMatchObject({
      status: 504,
      body: { code: 'GATEWAY_UNKNOWN' },
    });
    expect(await statusOf()).toBe('W');
  });

  it('of an order that the gateway closed ends it at once', async () => {
    gateway.expire(no, AMOUNT);
    expect((await buyer.client.call(flushOrder, { id: String(id) })).payStatus).toBe('T');
    expect((await buyer.client.call(getPayInfo, { id: String(id) })).payStatus).toBe('T');
    expect(await buyer.client.send(continueOrder, { id })).toMatchObject({ status: 409 });
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'timedOut']);
    await execute(new TimeOutOrder(id));
    expect(await eventsOf(api, id)).toHaveLength(3);
  });

  it('of a cancelled and closed order leaves it cancelled', async () => {
    gateway.show(no, AMOUNT);
    await buyer.client.call(cancelOrder, { id });
    expect((await buyer.client.call(flushOrder, { id: String(id) })).payStatus).toBe('C');
  });

  it('is limited per account', async () => {
    const codes = await Promise.all(
      Array.from({ length: 35 }, async () => (await buyer.client.send(flushOrder, { id: String(id) })).status),
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(30);
    expect(codes.filter((code) => code === 429)).toHaveLength(5);
    const other = await makeMain(api);
    expect((await other.client.send(flushOrder, { id: (await placeOrder(other)).id })).status).toBe(200);
  });
});

describe('continue', () => {
  it('signs the form again until the time limit, and not after it', async () => {
    const again = await buyer.client.call(continueOrder, { id });
    expect(again).toMatchObject({ orderId: id, orderNo: no });
    expect(again.scanQRCodeUrl).toContain('<form');
    expect(await eventsOf(api, id)).toEqual(['created', 'shown']);
    await api.db.query("UPDATE recharge_order SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect(await buyer.client.send(continueOrder, { id })).toMatchObject({
      status: 409,
      body: { code: 'ORDER_NOT_OPEN' },
    });
    await execute(new TimeOutOrder(id));
    expect((await buyer.client.send(continueOrder, { id })).status).toBe(409);
  });
});

it('logging off closes open orders at their gateway, and a payment waits for its refund', async () => {
  const { id: other, no: orderNo } = await placeOrder(buyer);
  gateway.show(no, AMOUNT);
  gateway.pay(orderNo, AMOUNT);
  await buyer.client.call(deleteUser, { userPassword: buyer.password });
  gateway.mode = 'down';
  await expect(execute(new CancelOpenOrders(buyer.session.userId))).rejects.toMatchObject({ code: 'GATEWAY_UNKNOWN' });
  gateway.mode = 'up';
  await execute(new CancelOpenOrders(buyer.session.userId));
  expect(gateway.statusOf(no)).toBe('TRADE_CLOSED');
  expect(await statusOf()).toBe('C');
  expect((await orderOf(api, other)).payStatus).toBe('C');
  expect(await eventsOf(api, other)).toEqual(['created', 'shown', 'paidAfterLogOff', 'cancelled']);
});
