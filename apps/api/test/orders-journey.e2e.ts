/** Purchases through every gateway of the sandbox, over their real protocols: notified, not notified, unanswered, refused, refunded. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
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
import type { OrderChannel } from '@yiqiao/domain/orders';
import { ExecuteRefund, StartRefund } from '../src/orders/orders.js';
import { TimeOutOrder } from '../src/orders/time-out-order.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { giveReason } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { freePort } from '../bench/child.js';
import { openForm, payAtCashier, tradeOf } from './support/sandbox-gateways.js';
import { AMOUNT, charsOf, eventsOf, orderOf, rechargesOf, STANDARD } from './support/orders.js';

const CHANNELS = ['ALI_NATIVE', 'WC_NATIVE', 'ALI_LIAN', 'WC_LIAN'] as const;

/** A proxy to the sandbox that can be cut. */
class Line {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  isCut = false;

  constructor() {
    const { hostname, port } = new URL(process.env['SANDBOX_URL'] ?? '');
    this.#server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (this.isCut) {
        socket.destroy();
        return;
      }
      const far = connect(Number(port), hostname);
      far.on('error', () => socket.destroy());
      for (const end of [socket, far]) {
        this.#open.add(end);
        end.on('close', () => this.#open.delete(end));
      }
      socket.pipe(far).pipe(socket);
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const end of this.#open) end.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

const line = new Line();
let api: TestApi;
let buyer: TestMember;

beforeAll(async () => {
  const url = await line.open();
  const port = String(await freePort());
  api = await startApi({
    PORT: port,
    PAY_NOTIFY_URL: `http://127.0.0.1:${port}`,
    ALIPAY_GATEWAY_URL: `${url}/gateway.do`,
    WECHAT_PAY_URL: url,
    LIANLIAN_URL: url,
  });
});
afterAll(async () => {
  await api.stop();
  line.close();
});
beforeEach(async () => {
  line.isCut = false;
  buyer = await makeMain(api);
});

const wishOf = (payChannel: OrderChannel) => ({ memberGroupId: STANDARD, salesNum: 1, payChannel });
/** Pays and does what a member does with the result: scans the code, or lets the form open its page. */
const buy = async (payChannel: OrderChannel) => {
  const { orderId: id, orderNo: no, scanQRCodeUrl } = await buyer.client.call(payOrder, wishOf(payChannel));
  if (payChannel === 'ALI_NATIVE') expect((await openForm(scanQRCodeUrl)).status).toBeLessThan(400);
  else expect(scanQRCodeUrl).toMatch(/^\S+$/);
  return { id, no, shown: scanQRCodeUrl };
};
const becomes = async (id: number, payStatus: string) => {
  const now = async () => (await buyer.client.call(getPayInfo, { id: String(id) })).payStatus;
  for (let tries = 0; tries < 900 && (await now()) !== payStatus; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await now()).toBe(payStatus);
};

it('offers every channel of a configured gateway', async () => {
  expect(await buyer.client.call(listPayChannels, {})).toEqual([...CHANNELS]);
});

describe.each(CHANNELS)('through %s', (channel) => {
  it('paid, notified and credited', async () => {
    const { id, no } = await buy(channel);
    expect(await payAtCashier(no, 'notify')).toBe(true);
    await becomes(id, 'P');
    expect(await charsOf(buyer)).toBe(2_005_000);
    expect(await rechargesOf(api, id)).toEqual([{ amount: AMOUNT, chars: 2_000_000 }]);
    expect(await eventsOf(api, id)).toEqual(['created', 'shown', 'notified', 'credited']);
    const { rows } = await api.db.query<{ trade_no: string; amount: number }>(
      'SELECT trade_no, amount FROM payment WHERE order_id = $1',
      [id],
    );
    expect(rows).toEqual([{ trade_no: (await tradeOf(no))?.tradeNo, amount: AMOUNT }]);
  });

  it('paid without a notification: polling finds it', async () => {
    const { id, no } = await buy(channel);
    await payAtCashier(no, 'silently');
    expect((await buyer.client.call(getPayInfo, { id: String(id) })).payStatus).toBe('W');
    expect((await buyer.client.call(flushOrder, { id: String(id) })).payStatus).toBe('P');
    expect(await charsOf(buyer)).toBe(2_005_000);
    const events = await buyer.client.call(listOrderEvents, { id: String(id) });
    expect(events.map(({ event }) => event)).toEqual(['created', 'shown', 'queried', 'credited']);
  });

  it('cancelled or timed out, and can no longer be paid', async () => {
    const [cancelled, late] = [await buy(channel), await buy(channel)];
    expect((await buyer.client.call(flushOrder, { id: String(cancelled.id) })).payStatus).toBe('W');
    expect(await buyer.client.call(cancelOrder, { id: cancelled.id })).toMatchObject({ payStatus: 'C' });
    await api.app.get(CommandBus).execute(new TimeOutOrder(late.id));
    expect((await orderOf(api, late.id)).payStatus).toBe('T');
    for (const { no } of [cancelled, late]) expect(await payAtCashier(no)).toBe(false);
  });

  it('refunded, once', async () => {
    const { id, no } = await buy(channel);
    await payAtCashier(no, 'silently');
    await buyer.client.call(flushOrder, { id: String(id) });
    const { paidBy } = await orderOf(api, id);
    const managerId = await giveReason(api.db, { cmdId: crypto.randomUUID(), userId: buyer.session.userId });
    const bus = api.app.get(CommandBus);
    await bus.execute(new StartRefund(paidBy ?? 0, { managerId, reason: 'asked for' }));
    for (let tries = 0; tries < 5 && (await bus.execute(new ExecuteRefund(paidBy ?? 0))) !== 'done'; tries++);
    expect((await buyer.client.call(listOrders, {})).rows).toMatchObject([{ payStatus: 'P', refunded: true }]);
    expect((await tradeOf(no))?.refunds).toMatchObject([{ amount: AMOUNT }]);
    expect(await charsOf(buyer)).toBe(5_000);
  });

  it('changes and loses nothing while the gateway is unavailable', async () => {
    const { id, no } = await buy(channel);
    await payAtCashier(no, 'silently');
    line.cut();
    for (const refused of [
      await buyer.client.send(cancelOrder, { id }),
      await buyer.client.send(flushOrder, { id: String(id) }),
    ])
      expect(refused).toMatchObject({ status: 504, body: { code: 'GATEWAY_UNKNOWN' } });
    expect((await orderOf(api, id)).payStatus).toBe('W');
    line.isCut = false;
    const answer = await buyer.client.send(cancelOrder, { id });
    expect(answer).toMatchObject({ status: 409, body: { code: 'ORDER_NOT_OPEN', data: { id, no, payStatus: 'P' } } });
    expect(await charsOf(buyer)).toBe(2_005_000);
  });
});

describe.each(['WC_NATIVE', 'ALI_LIAN', 'WC_LIAN'] as const)('the payment code of %s', (channel) => {
  it('is the same when the order is continued', async () => {
    const { id, no, shown } = await buy(channel);
    expect(await buyer.client.call(continueOrder, { id })).toEqual({ orderId: id, orderNo: no, scanQRCodeUrl: shown });
  });

  it('can be requested again under the same key if the gateway did not respond', async () => {
    line.cut();
    const keyed = buyer.client.with({ 'Idempotency-Key': 'unanswered' });
    const unknown = await keyed.send(payOrder, wishOf(channel));
    expect(unknown).toMatchObject({ status: 504, body: { code: 'GATEWAY_UNKNOWN' } });
    const [order] = (await buyer.client.call(listOrders, {})).rows;
    expect(unknown.body.data).toEqual({ orderId: order?.id, orderNo: order?.no });
    expect(order).toMatchObject({ payStatus: 'W' });
    expect((await keyed.send(payOrder, wishOf(channel))).body.data).toEqual(unknown.body.data);
    line.isCut = false;
    const { orderId, scanQRCodeUrl } = await keyed.call(payOrder, wishOf(channel));
    expect(orderId).toBe(order?.id);
    expect(await keyed.call(payOrder, wishOf(channel))).toMatchObject({ orderId, scanQRCodeUrl });
    expect((await buyer.client.call(listOrders, {})).total).toBe(1);
    await payAtCashier(order?.no ?? '', 'notify');
    await becomes(orderId, 'P');
  });
});

it('is refused with its order, and the key is free again', async () => {
  const stranger = await startApi({ WECHAT_PAY_APP_ID: 'wx0000000000000000' });
  try {
    const who = await makeMain(stranger);
    const keyed = who.client.with({ 'Idempotency-Key': 'refused' });
    for (const count of [1, 2]) {
      expect(await keyed.send(payOrder, wishOf('WC_NATIVE'))).toMatchObject({
        status: 502,
        body: { code: 'GATEWAY_REFUSED' },
      });
      const { rows, total } = await who.client.call(listOrders, {});
      expect(total).toBe(count);
      expect(rows[0]?.payStatus).toBe('C');
      expect(await eventsOf(stranger, rows[0]?.id ?? 0)).toEqual(['created', 'failed']);
    }
  } finally {
    await stranger.stop();
  }
});
