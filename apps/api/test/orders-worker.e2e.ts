/** Orders under a real worker (decisions §5): they end correctly without any request. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getPayInfo, listOrders } from '@yiqiao/contracts/orders';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { FAMILIES_TOPIC, Live } from '../src/platform/live.js';
import { startApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { FakeGateway } from './support/fake-gateway.js';
import { AMOUNT, onlyGateway, orderOf, placeOrder } from './support/orders.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

let gateway: FakeGateway;

beforeAll(async () => {
  gateway = await FakeGateway.open();
});
afterAll(() => gateway.close());

it('a real worker polls, credits, and ends orders at their time limit', async () => {
  const quick = await startApi({ ...onlyGateway(gateway.env), ORDER_LIFE_SECONDS: '2' });
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  try {
    const who = await makeMain(quick);
    const told: unknown[] = [];
    const stop = await quick.app.get(Live).listen(FAMILIES_TOPIC, (message) => told.push(message));
    const [unpaid, paid] = [await placeOrder(who), await placeOrder(who)];
    gateway.show(unpaid.no, AMOUNT);
    gateway.pay(paid.no, AMOUNT);
    // Only now: on a slow machine they would expire before the gateway knows them.
    worker = await startWorker(quick.env);
    const statuses = async () => (await who.client.call(listOrders, {})).rows.map(({ payStatus }) => payStatus);
    expect(await waitUntil(statuses, (all) => !all.includes('W'))).toEqual(['P', 'T']);
    expect(gateway.statusOf(unpaid.no)).toBe('TRADE_CLOSED');
    const familyId = who.session.userId;
    const expected = [
      { familyId, event: 'order', data: { id: unpaid.id, payStatus: 'T' } },
      { familyId, event: 'order', data: { id: paid.id, payStatus: 'P' } },
      { familyId, event: 'account', data: {} },
    ];
    const isTold = () => expected.every((message) => told.some((heard) => isDeepStrictEqual(heard, message)));
    await waitUntil(() => Promise.resolve(isTold()), Boolean);
    stop();
  } finally {
    await worker?.stop();
    await quick.stop();
  }
});

it('a payment with a lost notification is credited even after Redis lost its data', async () => {
  const forgetful = await startApi(onlyGateway(gateway.env));
  const worker = await startWorker(forgetful.env);
  const redis = new Redis(forgetful.env['REDIS_URL'] ?? '');
  try {
    const who = await makeMain(forgetful);
    const { id: orderId, no: orderNo } = await placeOrder(who);
    gateway.pay(orderNo, AMOUNT);
    const carried = async () => {
      const { rows } = await forgetful.db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM outbox WHERE fact->>'type' = 'OrderPlaced' AND relayed_at IS NOT NULL`,
      );
      return rows[0]?.count === 1;
    };
    await waitUntil(carried, Boolean);
    const keys = await redis.keys(`${forgetful.env['REDIS_PREFIX']}*`);
    expect(keys.length).toBeGreaterThan(0);
    await redis.del(...keys);
    // Unfinished events are relayed again after a minute; the test does not wait for it.
    await forgetful.db.query("UPDATE outbox SET relayed_at = now() - interval '2 minutes' WHERE done_at IS NULL");
    const status = async () => (await who.client.call(getPayInfo, { id: String(orderId) })).payStatus;
    expect(await waitUntil(status, (now) => now !== 'W')).toBe('P');
    const { createdAt } = await orderOf(forgetful, orderId);
    expect(Date.now() - createdAt.getTime()).toBeLessThan(120_000);
  } finally {
    redis.disconnect();
    await worker.stop();
    await forgetful.stop();
  }
});

it('a job from before a database restore, whose ids are reused, ends no order', async () => {
  const restored = await startApi(onlyGateway(gateway.env));
  const who = await makeMain(restored);
  const { id: orderId } = await placeOrder(who);
  const { rows } = await restored.db.query<{ id: number; fact: { type: 'OrderPlaced' } & Record<string, number> }>(
    `SELECT id, fact FROM outbox WHERE fact->>'type' = 'OrderPlaced'`,
  );
  const [row] = rows;
  const connection = new Redis(restored.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
  const queue = new Queue('deliveries', { connection, prefix: restored.env['REDIS_PREFIX'] ?? '' });
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  try {
    const fact = { ...row?.fact, expiresAt: Date.now() - 60_000 };
    const job = await queue.add(
      'time-out-order',
      { outboxId: Number(row?.id), fact },
      { jobId: `${row?.id}-time-out-order`, removeOnComplete: true },
    );
    worker = await startWorker(restored.env);
    await waitUntil(
      async () => (await queue.getJob(job.id ?? ''))?.data as { fact: { expiresAt: number } } | undefined,
      (data) => data?.fact.expiresAt !== fact.expiresAt,
    );
    expect(await who.client.call(getPayInfo, { id: String(orderId) })).toMatchObject({ payStatus: 'W' });
    // Its own timer has not been created yet: the row is open.
    const open = await restored.db.query<{ done: string[] }>('SELECT done FROM outbox WHERE id = $1', [row?.id]);
    expect(open.rows[0]?.done).not.toContain('time-out-order');
  } finally {
    await worker?.stop();
    await queue.close();
    connection.disconnect();
    await restored.stop();
  }
});
