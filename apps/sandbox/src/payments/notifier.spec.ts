import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { alipayMerchant } from '../../test-support/alipay-merchant.js';
import { lianlianMerchant } from '../../test-support/lianlian-merchant.js';
import { startMerchant, type Merchant } from '../../test-support/merchant.js';
import { wechatMerchant } from '../../test-support/wechat-merchant.js';

let merchant: Merchant;
let orders: Record<'alipay' | 'wechat' | 'lianlian', (no: string) => Promise<unknown>>;
let count = 0;

beforeAll(async () => {
  merchant = await startMerchant();
  const [alipay, wechat, lianlian] = [alipayMerchant(merchant), wechatMerchant(merchant), lianlianMerchant(merchant)];
  orders = { alipay: (no) => alipay.pay(no), wechat: (no) => wechat.prepay(no), lianlian: (no) => lianlian.create(no) };
});
beforeEach(async () => {
  merchant.answer = { status: 500, body: 'no' };
  await forward(31 * 24 * 3600);
  merchant.received.length = 0;
});
afterAll(async () => merchant.close());

/** A freshly paid order. */
async function paid(gateway: keyof typeof orders): Promise<string> {
  const no = `YQ2026010108000000${String((count += 1)).padStart(6, '0')}`;
  await orders[gateway](no);
  expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(200);
  return no;
}
const forward = async (seconds: number) => (await merchant.call('POST', '/payments/forward', { seconds })).json;
const firstNotification = async (no: string) => (await merchant.trade(no)).notifications[0]!;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

describe('a notification', () => {
  it.each<[keyof typeof orders, readonly number[]]>([
    ['alipay', [4 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 15 * HOUR]],
    ['wechat', [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, HOUR, 3 * HOUR, 3 * HOUR, 3 * HOUR, 6 * HOUR, 6 * HOUR]],
    ['lianlian', Array.from({ length: 30 }, () => 2 * MINUTE)],
  ])('of %s is repeated on its schedule, and then no more', async (gateway, gaps) => {
    const no = await paid(gateway);
    await forward(0);
    for (const [index, gap] of gaps.entries()) {
      expect(merchant.received).toHaveLength(index + 1);
      // Nothing is sent one second early; the last second covers time passed since.
      await forward(gap - 1);
      expect(merchant.received.length).toBeLessThanOrEqual(index + 2);
      if (merchant.received.length === index + 1) await forward(1);
    }
    expect(merchant.received).toHaveLength(gaps.length + 1);
    expect(await forward(31 * 24 * HOUR)).toEqual({ sent: 0 });
    const { state, tries, dueAt } = await firstNotification(no);
    expect([state, tries.length, dueAt]).toEqual(['given-up', gaps.length + 1, null]);
  });

  it('sends all due repetitions when time is skipped', async () => {
    await paid('wechat');
    await forward(0);
    expect(await forward(61)).toEqual({ sent: 3 });
  });

  it.each<[keyof typeof orders, { status: number; body: string }, string]>([
    ['alipay', { status: 200, body: 'success' }, 'delivered'],
    ['alipay', { status: 200, body: 'success\n' }, 'pending'],
    ['alipay', { status: 200, body: 'SUCCESS' }, 'pending'],
    ['alipay', { status: 302, body: 'success' }, 'pending'],
    ['wechat', { status: 200, body: '' }, 'delivered'],
    ['wechat', { status: 204, body: '' }, 'delivered'],
    ['wechat', { status: 202, body: '' }, 'pending'],
    ['wechat', { status: 401, body: '{"code":"FAIL"}' }, 'pending'],
    ['lianlian', { status: 200, body: 'Success' }, 'delivered'],
    ['lianlian', { status: 200, body: 'success' }, 'pending'],
    ['lianlian', { status: 500, body: 'Success' }, 'pending'],
  ])('of %s answered %j is %s', async (gateway, answer, state) => {
    merchant.answer = answer;
    const no = await paid(gateway);
    await forward(0);
    const notification = await firstNotification(no);
    expect([notification.state, notification.tries.length]).toEqual([state, 1]);
    expect(notification.tries[0]).toMatchObject({ status: answer.status, answer: answer.body });
  });

  it('that a switch sent twice keeps to its schedule', async () => {
    await merchant.call('POST', '/payments/faults', { mode: 'notify-twice', count: 2 });
    const no = await paid('wechat');
    await forward(30);
    expect((await firstNotification(no)).tries.map(({ faults }) => faults)).toEqual([
      ['notify-twice'],
      ['notify-twice'],
      ['notify-twice'],
      ['notify-twice'],
      [],
    ]);
    expect((await firstNotification(no)).turns).toBe(3);
  });

  it('has the same content every time, with a new signature', async () => {
    const wechat = wechatMerchant(merchant);
    await paid('wechat');
    await forward(15);
    const [first, second] = await merchant.waitForNotifications(2);
    expect(wechat.read(first!)).toEqual(wechat.read(second!));
    expect(first?.headers['wechatpay-nonce']).not.toBe(second?.headers['wechatpay-nonce']);
    expect((JSON.parse(first?.body ?? '') as { id: string }).id).toBe(
      (JSON.parse(second?.body ?? '') as { id: string }).id,
    );
  });

  it('that was not acknowledged is repeated after a restart, and the trade is unchanged', async () => {
    const no = await paid('wechat');
    await forward(0);
    const before = await merchant.trade(no);
    await merchant.restart();
    merchant.answer = { status: 200, body: '' };
    expect(await merchant.trade(no)).toEqual(before);
    await forward(15);
    expect(await firstNotification(no)).toMatchObject({
      state: 'delivered',
      tries: [{ status: 500 }, { status: 200 }],
    });
    expect((await merchant.call('POST', `/cashier/${no}/pay`)).status).toBe(409);
  });
});

describe('a sandbox that stops', () => {
  it('does not wait for a merchant that does not respond, and retries after a restart', async () => {
    merchant.answer = null;
    const no = await paid('lianlian');
    await merchant.waitForNotifications(1);
    const begin = performance.now();
    await merchant.restart();
    // The timeout of a merchant is five seconds.
    expect(performance.now() - begin).toBeLessThan(4_500);
    merchant.answer = { status: 200, body: 'Success' };
    await forward(0);
    expect(await firstNotification(no)).toMatchObject({ state: 'delivered', tries: [{ status: 200 }] });
    expect(merchant.received).toHaveLength(2);
  });
});

describe('time', () => {
  it('can be advanced for one order only', async () => {
    const [one, other] = [await paid('wechat'), await paid('wechat')];
    await forward(0);
    const only = { seconds: 30, orderNo: one };
    expect((await merchant.call('POST', '/payments/forward', only)).json).toEqual({ sent: 2 });
    expect([(await firstNotification(one)).tries.length, (await firstNotification(other)).tries.length]).toEqual([
      3, 1,
    ]);
  });

  it('can be advanced to the end of one order only', async () => {
    const end = async (no: string) => (await merchant.trade(no)).expiresAt ?? 0;
    await orders.wechat('ENDS0001');
    await orders.wechat('ENDS0002');
    const [one, other] = [await end('ENDS0001'), await end('ENDS0002')];
    await merchant.call('POST', '/payments/forward', { seconds: 60, expiry: true, orderNo: 'ENDS0001' });
    expect([await end('ENDS0001'), await end('ENDS0002')]).toEqual([one - 60_000, other]);
    await merchant.call('POST', '/payments/forward', { seconds: 60 });
    expect(await end('ENDS0002')).toBe(other);
  });

  it.each([{}, { seconds: -1 }, { seconds: 1.5 }, { seconds: '1' }, { seconds: 1, minutes: 1 }, { seconds: 1e9 }])(
    'is not advanced by %j',
    async (body) => {
      expect((await merchant.call('POST', '/payments/forward', body)).status).toBe(400);
    },
  );
});
