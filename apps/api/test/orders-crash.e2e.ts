/** kill -9 of the api and of the worker at every step of an order (decisions §5): after a restart it ends correctly, once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { cancelOrder, flushOrder, listOrders, payOrder } from '@yiqiao/contracts/orders';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { RetryRefunds } from '../src/orders/retry-refunds.js';
import { ExecuteRefund, StartRefund } from '../src/orders/orders.js';
import { ProcessPendingNotifications } from '../src/orders/process-pending-notifications.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { giveReason } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { spawnApi, spawnProgram, type ApiProcess } from './support/process.js';
import type { FakeGateway } from './support/fake-gateway.js';
import {
  AMOUNT,
  charsOf,
  eventsOf,
  notify,
  onlyGateway,
  OrderFixture,
  orderOf,
  placeOrder,
  rechargesOf,
  STANDARD_ORDER,
} from './support/orders.js';
import { startWorker } from './support/worker.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;
let doomed: ApiProcess | undefined;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  buyer = await makeMain(api);
});
afterEach(async () => {
  await doomed?.stop();
  doomed = undefined;
  expect((await auditLedger(api.db, {})).difference).toBeNull();
});

/** An api that exits at `failpoint`, as after kill -9. */
const spawnDoomed = async (failpoint: string): Promise<ApiProcess> => {
  doomed = await spawnApi(api.env, { FAILPOINT: failpoint });
  return doomed;
};
const creditedOnce = async (id: number) => {
  expect((await orderOf(api, id)).payStatus).toBe('P');
  expect(await rechargesOf(api, id)).toEqual([{ amount: AMOUNT, chars: 2_000_000 }]);
  expect((await eventsOf(api, id)).filter((event) => event === 'credited')).toHaveLength(1);
  expect(await charsOf(buyer)).toBe(2_005_000);
};

describe('the api', () => {
  it.each(['after-order-commit', 'after-offer'])(
    'killed %s: a retry under the same key returns the same order',
    async (at) => {
      const { url, exited } = await spawnDoomed(at);
      const key = { 'Idempotency-Key': `killed-${at}` };
      await expect(new TestClient(url, buyer.session, key).send(payOrder, STANDARD_ORDER)).rejects.toThrow();
      expect(await exited).toBe(137);
      // The lease of the dead request expires after 30 s; the test does not wait for it.
      await api.db.query("UPDATE idempotency_key SET locked_until = now() - interval '1 second'");
      const { orderId, scanQRCodeUrl } = await buyer.client.with(key).call(payOrder, STANDARD_ORDER);
      expect(scanQRCodeUrl).toContain('<form');
      expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ id: orderId, payStatus: 'W' }]);
      expect(await eventsOf(api, orderId)).toEqual(['created', 'shown']);
    },
  );

  it.each(['after-notification-commit', 'before-payment-commit', 'after-payment-commit'])(
    'killed %s: the repeated notification or the scheduled job credits once',
    async (at) => {
      const { id, no } = await placeOrder(buyer);
      gateway.pay(no, AMOUNT);
      const message = gateway.notification(no);
      const { url, exited } = await spawnDoomed(at);
      await expect(notify({ url }, message)).rejects.toThrow();
      expect(await exited).toBe(137);
      expect(await rechargesOf(api, id)).toHaveLength(at === 'after-payment-commit' ? 1 : 0);
      await api.db.query("UPDATE pay_notification SET last_at = now() - interval '1 minute' WHERE outcome IS NULL");
      await Promise.all([
        notify(api, message),
        notify(api, message),
        api.app.get(CommandBus).execute(new ProcessPendingNotifications()),
      ]);
      await creditedOnce(id);
      const { rows } = await api.db.query('SELECT 1 FROM pay_notification WHERE outcome IS NULL');
      expect(rows).toEqual([]);
    },
  );

  it.each(['after-query', 'before-payment-commit', 'after-payment-commit'])('killed %s of a refresh', async (at) => {
    const { id, no } = await placeOrder(buyer);
    gateway.pay(no, AMOUNT);
    const { url, exited } = await spawnDoomed(at);
    await expect(new TestClient(url, buyer.session).send(flushOrder, { id: String(id) })).rejects.toThrow();
    expect(await exited).toBe(137);
    expect(await buyer.client.call(flushOrder, { id: String(id) })).toMatchObject({ payStatus: 'P' });
    await creditedOnce(id);
  });

  it('killed after the gateway closed the order: a second cancel succeeds', async () => {
    const { id, no } = await placeOrder(buyer);
    gateway.show(no, AMOUNT);
    const { url, exited } = await spawnDoomed('after-close');
    await expect(new TestClient(url, buyer.session).send(cancelOrder, { id })).rejects.toThrow();
    expect(await exited).toBe(137);
    expect((await orderOf(api, id)).payStatus).toBe('W');
    expect(await buyer.client.call(cancelOrder, { id })).toMatchObject({ payStatus: 'C' });
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'cancelled']);
  });
});

describe('the operator’s command', () => {
  it.each(['after-refund-start', 'after-refund-answer'])('killed %s: the refund is made once', async (at) => {
    const { id, no } = await placeOrder(buyer);
    gateway.pay(no, AMOUNT);
    await buyer.client.call(flushOrder, { id: String(id) });
    const args = ['payments', 'refund', no, '--reason', 'asked for', '--by', 'tester'];
    expect(await spawnProgram('operator', { ...api.env, FAILPOINT: at }, args).exited).toBe(137);
    expect(await charsOf(buyer)).toBe(5_000);
    expect(gateway.refundsOf(no)).toBe(at === 'after-refund-start' ? 0 : 1);
    await api.app.get(CommandBus).execute(new RetryRefunds());
    expect(gateway.refundsOf(no)).toBe(1);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ payStatus: 'P', refunded: true }]);
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'queried', 'credited', 'refundStarted', 'refunded']);
  });
});

describe('the worker', () => {
  /** Jobs of a dead worker become available to others after half a minute. */
  it('killed while it queries, closes, credits or refunds: the next process finishes', async () => {
    const quick = await startApi({ ...onlyGateway(gateway.env), ORDER_LIFE_SECONDS: '1' });
    const ordersOf = async () => (await buyer.client.call(listOrders, {})).rows;
    const dieAt = async (failpoint: string) => {
      const worker = spawnProgram('worker', { ...quick.env, FAILPOINT: failpoint });
      const code = await worker.exited;
      expect(code).toBe(137);
    };
    try {
      buyer = await makeMain(quick);
      const unpaid = await placeOrder(buyer);
      gateway.show(unpaid.no, AMOUNT);
      await dieAt('after-query');
      const closing = await placeOrder(buyer);
      gateway.show(closing.no, AMOUNT);
      await dieAt('after-close');
      const paid = await placeOrder(buyer);
      gateway.pay(paid.no, AMOUNT);
      await dieAt('before-payment-commit');
      const back = await placeOrder(buyer);
      gateway.pay(back.no, AMOUNT);
      await buyer.client.call(flushOrder, { id: String(back.id) });
      const { rows } = await quick.db.query<{ id: number }>('SELECT paid_by AS id FROM recharge_order WHERE id = $1', [
        back.id,
      ]);
      const paymentId = Number(rows[0]?.id);
      const by = {
        managerId: await giveReason(quick.db, { cmdId: crypto.randomUUID(), userId: buyer.session.userId }),
        reason: 'asked for',
      };
      await quick.app.get(CommandBus).execute(new StartRefund(paymentId, by));
      await dieAt('after-refund-answer');
      const worker = await startWorker(quick.env);
      try {
        const ended = async () => {
          const all = await ordersOf();
          return all.every(({ payStatus }) => payStatus !== 'W') && all.some(({ refunded }) => refunded);
        };
        for (const deadline = Date.now() + 150_000; Date.now() < deadline && !(await ended());)
          await new Promise((resolve) => setTimeout(resolve, 100));
        expect((await ordersOf()).map(({ payStatus, refunded }) => [payStatus, refunded])).toEqual([
          ['P', true],
          ['P', false],
          ['T', false],
          ['T', false],
        ]);
      } finally {
        await worker.stop();
      }
      expect(gateway.refundsOf(back.no)).toBe(1);
      expect(await quick.app.get(CommandBus).execute(new ExecuteRefund(paymentId))).toBe('done');
      for (const { no } of [unpaid, closing]) expect(gateway.statusOf(no)).toBe('TRADE_CLOSED');
      expect(await charsOf(buyer)).toBe(2_005_000);
    } finally {
      await quick.stop();
    }
  }, 240_000);
});
