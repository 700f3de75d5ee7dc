import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAY_CHANNELS, type OrderChannel } from '@yiqiao/domain/orders';
import type {
  GatewayOrder,
  GatewayRefund,
  PayChannel,
  RawNotification,
} from '../src/orders/pay-channels/pay-channel.js';
import { PayChannels } from '../src/orders/pay-channels/pay-channels.js';
import { loadConfig } from '../src/platform/config.js';
import { stubServer, type StubRequest } from './support/stub-server.js';
import { waitUntil } from './support/wait-until.js';
import {
  breakFor,
  mendFor,
  openForm,
  payAtCashier,
  someOrder,
  tradeOf,
  type Fault,
} from './support/sandbox-gateways.js';

const unknown = { name: 'Refusal', code: 'GATEWAY_UNKNOWN' };
const refused = { name: 'Refusal', code: 'GATEWAY_REFUSED' };

const waitFor = async <T>(look: () => T | undefined): Promise<T> => {
  for (let left = 100; left > 0; left--) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not come');
};

/** Each channel over HTTP against gateways that share no code with it. */
describe.each(['ALI_NATIVE', 'WC_NATIVE', 'ALI_LIAN', 'WC_LIAN'] as const)('%s', (code: OrderChannel) => {
  const { gateway, kind } = PAY_CHANNELS[code];
  let door: Awaited<ReturnType<typeof stubServer>>;
  let channels: PayChannels;
  let channel: PayChannel;
  /** A client with a short time-out, only for gateways that are too slow. */
  let hasty: PayChannel;
  let answer: { status: number; body: string };

  const open = (extra: Record<string, string> = {}): PayChannels => {
    const env = {
      DATABASE_URL: 'postgresql://none',
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
      PAY_NOTIFY_URL: door.url,
    };
    return new PayChannels(loadConfig({ ...process.env, ...env, ...extra }));
  };
  const logged: string[] = [];
  beforeAll(async () => {
    const keep = (line: unknown) => void logged.push(JSON.stringify(line));
    Logger.overrideLogger({ log: keep, error: keep, warn: keep, debug: keep });
    answer = { status: 200, body: '' };
    door = await stubServer(() => answer);
    channels = open();
    channel = channels.channel(code);
    hasty = open({ PAY_GATEWAY_TIMEOUT_MS: '400' }).channel(code);
    const accepted = channels.notifications(gateway)?.accepted;
    answer = { status: accepted?.status ?? 0, body: accepted?.body ?? '' };
  });
  afterAll(async () => {
    await door.close();
    Logger.overrideLogger(true);
  });

  /** An order that a member is about to pay. */
  const shown = async (): Promise<GatewayOrder> => {
    const order = someOrder(code);
    const offer = await channel.createPayment(order);
    if (kind === 'form') expect((await openForm(offer)).status).toBe(302);
    else expect(offer).toContain(order.no);
    return order;
  };
  const paid = async (): Promise<GatewayOrder> => {
    const order = await shown();
    expect(await payAtCashier(order.no)).toBe(true);
    return order;
  };
  const paymentOf = async (order: GatewayOrder) => ({
    gateway,
    orderNo: order.no,
    tradeNo: (await tradeOf(order.no))?.tradeNo,
    amount: 9900,
    currency: 'CNY',
    paidAt: expect.any(Date),
  });
  const refundOf = async (order: GatewayOrder): Promise<GatewayRefund> => ({
    order,
    tradeNo: (await tradeOf(order.no))?.tradeNo ?? '',
    refundNo: `R${order.no}`,
    amount: 9900,
    total: 9900,
    reason: '重复付款 double payment',
  });
  const broken = async (order: GatewayOrder, fault: Fault, call: () => Promise<unknown>): Promise<void> => {
    await breakFor(order.no, fault);
    try {
      await call();
    } finally {
      await mendFor(order.no);
    }
  };
  const notificationsOf = (order: GatewayOrder): StubRequest[] =>
    door.asked.filter(
      ({ body, url }) => url === `/pay/notify/${gateway}` && (gateway === 'wechat' || body.includes(order.no)),
    );
  const read = (asked: StubRequest) => {
    const raw: RawNotification = { headers: asked.headers, body: Buffer.from(asked.body) };
    return channels.notifications(gateway)?.read(raw);
  };

  it('reports an order as unknown, unpaid and paid', async () => {
    const order = someOrder(code);
    expect(await channel.query(order)).toEqual({ state: 'absent' });
    const before = await shown();
    expect(await channel.query(before)).toEqual({ state: 'unpaid' });
    expect(await payAtCashier(before.no)).toBe(true);
    expect(await channel.query(before)).toEqual({ state: 'paid', payment: await paymentOf(before) });
  });

  it('creates the same order again under its number', async () => {
    const order = await shown();
    const again = await channel.createPayment(order);
    if (kind === 'form') expect((await openForm(again)).status).toBe(302);
    expect(await payAtCashier(order.no)).toBe(true);
    expect(await channel.query(order)).toMatchObject({ state: 'paid' });
  });

  it('creates an order that expires after seconds', async () => {
    const order = { ...someOrder(code), expiresAt: new Date(Date.now() + 30_000) };
    const offer = await channel.createPayment(order);
    if (kind === 'form') expect((await openForm(offer)).status).toBe(302);
    expect(await channel.query(order)).toEqual({ state: 'unpaid' });
  });

  it('parses a payment notification, and acknowledges it so that it is not repeated', async () => {
    const order = await shown();
    await payAtCashier(order.no, 'notify');
    const asked = await waitFor(() => notificationsOf(order).at(-1));
    expect(await read(asked)).toEqual({
      kind: 'payment',
      subject: expect.stringContaining((await tradeOf(order.no))?.tradeNo ?? '?'),
      payment: await paymentOf(order),
    });
    const trade = (await tradeOf(order.no)) as unknown as { notifications: { state: string }[] };
    expect(trade.notifications.map(({ state }) => state)).toEqual(['delivered']);
  });

  it('parses a notification with a wrong amount, and rejects one with a wrong signature', async () => {
    const wrong = await shown();
    await broken(wrong, { mode: 'wrong-amount', in: 'notifications' }, async () => {
      const before = notificationsOf(wrong).length;
      await payAtCashier(wrong.no, 'notify');
      const reading = await read(await waitFor(() => notificationsOf(wrong)[before]));
      expect(reading).toMatchObject({ kind: 'payment', payment: { orderNo: wrong.no } });
      expect(reading?.kind === 'payment' && reading.payment.amount).not.toBe(9900);
    });
    const forged = await shown();
    await broken(forged, { mode: 'bad-signature', in: 'notifications' }, async () => {
      const before = notificationsOf(forged).length;
      await payAtCashier(forged.no, 'notify');
      expect(await read(await waitFor(() => notificationsOf(forged)[before]))).toMatchObject({ kind: 'forged' });
    });
  });

  it('closes an order, which can no longer be paid, and closes it again', async () => {
    const order = await shown();
    expect(await channel.close(order)).toEqual({ state: 'closed' });
    expect(await payAtCashier(order.no)).toBe(false);
    expect(await channel.query(order)).toEqual({ state: 'closed' });
    expect(await channel.close(order)).toEqual({ state: 'closed' });
    expect(await channel.close(someOrder(code))).toEqual({ state: 'absent' });
  });

  it('returns the payment when it is too late to close', async () => {
    const order = await paid();
    expect(await channel.close(order)).toEqual({ state: 'paid', payment: await paymentOf(order) });
  });

  it('refunds once, however often the refund is requested', async () => {
    const order = await paid();
    const refund = await refundOf(order);
    const states = [];
    for (let time = 0; time < 3; time++) states.push((await channel.refund(refund)).state);
    expect(states.at(-1)).toBe('done');
    expect(['pending', 'done']).toContain(states[0]);
    expect((await tradeOf(order.no))?.refunds).toMatchObject([{ no: refund.refundNo, amount: 9900 }]);
    // LianLian's order is unchanged.
    expect((await channel.query(order)).state).toBe(gateway === 'lianlian' ? 'paid' : 'refunded');
  });

  it('refunds in parts, never more than was paid', async () => {
    const order = await shown();
    await payAtCashier(order.no);
    const part = async (refundNo: string, amount: number) =>
      channel.refund({ ...(await refundOf(order)), refundNo: `${refundNo}${order.no}`, amount });
    const done = (refundNo: string, amount: number) =>
      waitUntil(
        () => part(refundNo, amount),
        ({ state }) => state !== 'pending',
      );
    expect(await done('A', 3_300)).toEqual({ state: 'done' });
    expect(await done('B', 1)).toEqual({ state: 'done' });
    // A repetition is the same refund.
    expect(await done('A', 3_300)).toEqual({ state: 'done' });
    expect(await part('C', 6_600)).toMatchObject({ state: 'refused' });
    expect(await done('D', 6_599)).toEqual({ state: 'done' });
    expect((await tradeOf(order.no))?.refunds).toMatchObject([3_300, 1, 6_599].map((amount) => ({ amount })));
    const { state } = await channel.query(order);
    expect(state).toBe(gateway === 'lianlian' ? 'paid' : 'refunded');
  });

  it('returns a refused refund in the gateway’s own words', async () => {
    const order = await shown();
    const refund = { ...(await refundOf(order)), tradeNo: (await tradeOf(order.no))?.tradeNo ?? '' };
    expect(await channel.refund(refund)).toEqual({ state: 'refused', why: expect.stringMatching(/^[\w.]+ \S/) });
    const whole = await paid();
    await channel.refund(await refundOf(whole));
    const second = { ...(await refundOf(whole)), refundNo: `S${whole.no}` };
    expect(await channel.refund(second)).toMatchObject({ state: 'refused' });
    expect((await tradeOf(whole.no))?.refunds).toHaveLength(1);
  });

  const calls = [
    { call: 'query', ask: (of: PayChannel, order: GatewayOrder) => of.query(order) },
    { call: 'close', ask: (of: PayChannel, order: GatewayOrder) => of.close(order) },
    // Alipay has no call for a new payment: the form is posted.
    ...(kind === 'form'
      ? []
      : [{ call: 'pay', ask: (of: PayChannel, order: GatewayOrder) => of.createPayment(order) } as const]),
  ] as const;

  it.each(calls)('retries $call once, and then reports an unknown result', async ({ call, ask }) => {
    const order = await shown();
    for (const mode of ['error-5xx', 'close-connection'] as const)
      await broken(order, { mode, call, count: 1 }, () => expect(ask(channel, order)).resolves.toBeDefined());
    for (const fault of [
      { mode: 'error-5xx' },
      { mode: 'bad-signature', in: 'answers' },
      { mode: 'close-connection' },
    ] as const)
      await broken(order, { ...fault, call }, () => expect(ask(channel, order)).rejects.toMatchObject(unknown));
    const began = Date.now();
    await broken(order, { mode: 'slow', call, delayMs: 20_000 }, () =>
      expect(ask(hasty, order)).rejects.toMatchObject(unknown),
    );
    expect(Date.now() - began).toBeLessThan(20_000);
    // Finally the gateway can be queried, and nothing is lost.
    expect(['unpaid', 'closed']).toContain((await channel.query(order)).state);
  });

  it('finds a refund whose response was lost, without repeating it', async () => {
    const order = await paid();
    const refund = await refundOf(order);
    await broken(order, { mode: 'close-connection', call: 'refund', count: 1 }, async () => {
      expect(['pending', 'done']).toContain((await channel.refund(refund)).state);
    });
    await channel.refund(refund);
    expect(await channel.refund(refund)).toEqual({ state: 'done' });
    expect((await tradeOf(order.no))?.refunds).toHaveLength(1);
  });

  it('reports an unknown result of a refund', async () => {
    const order = await paid();
    const refund = await refundOf(order);
    await breakFor(order.no, { mode: 'bad-signature', in: 'answers' });
    await expect(channel.refund(refund)).rejects.toMatchObject(unknown);
    await mendFor(order.no);
    await channel.refund(refund);
    expect(await channel.refund(refund)).toEqual({ state: 'done' });
  });

  if (kind === 'qr') {
    it('is refused another amount under the same number, and reports a payment instead of a new code', async () => {
      const order = await shown();
      await expect(channel.createPayment({ ...order, amount: 9901 })).rejects.toMatchObject(refused);
      await payAtCashier(order.no);
      await expect(channel.createPayment(order)).rejects.toMatchObject(unknown);
    });
  }

  it('does not accept a response with another amount, and reports it', async () => {
    const order = await paid();
    await broken(order, { mode: 'wrong-amount', in: 'answers', call: 'query' }, async () => {
      const standing = await channel.query(order);
      expect(standing).toMatchObject({ state: 'paid' });
      expect(standing.state === 'paid' && standing.payment.amount).not.toBe(9900);
    });
  });

  it('logs errors without signed content', async () => {
    const order = await shown();
    await broken(order, { mode: 'bad-signature', in: 'answers', call: 'query' }, () =>
      expect(channel.query(order)).rejects.toMatchObject(unknown),
    );
    expect(logged.filter((line) => line.includes(order.no)).length).toBeGreaterThan(0);
    // Nothing as long as a signature or a key, and none of the request.
    for (const line of logged) expect(line).not.toMatch(/[\w+/]{60}|"sign|Authorization|biz_content/);
  });
});
