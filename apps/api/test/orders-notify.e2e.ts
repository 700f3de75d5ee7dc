/** Notifications of gateways (decisions §5): stored as received, credited once, and refused if not genuine. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NOTIFICATION_BODY_BYTES } from '@yiqiao/domain/limits';
import { ListExceptions } from '../src/orders/orders.js';
import { PruneNotifications } from '../src/orders/prune-notifications.js';
import { ProcessPendingNotifications } from '../src/orders/process-pending-notifications.js';
import type { TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { charsOf, eventsOf, notify, openOrder, OrderFixture, orderOf, rechargesOf } from './support/orders.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;
let id: number;
let no: string;

beforeAll(async () => {
  fixture = await OrderFixture.open({ LIMIT_FORGED_NOTIFICATIONS_PER_HOUR: '40' });
  ({ gateway, api } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  buyer = await makeMain(api);
  id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
  ({ no } = await orderOf(api, id));
  await api.db.query('DELETE FROM pay_notification');
});

const stored = async () => {
  const { rows } = await api.db.query<{ genuine: boolean; outcome: string; times: number; body: Buffer; no: string }>(
    'SELECT genuine, outcome, times, body, order_no AS no FROM pay_notification ORDER BY id',
  );
  return rows;
};
const untouched = async () => {
  expect((await orderOf(api, id)).payStatus).toBe('W');
  expect(await rechargesOf(api, id)).toEqual([]);
  expect(await charsOf(buyer)).toBe(5_000);
};

describe('a notification', () => {
  it('credits its order, is stored unchanged and answered as the gateway expects', async () => {
    gateway.pay(no, 8_800);
    const body = gateway.notification(no);
    expect(await notify(api, body)).toEqual({ status: 200, text: 'success' });
    expect((await orderOf(api, id)).payStatus).toBe('P');
    expect(await charsOf(buyer)).toBe(2_005_000);
    const rows = await stored();
    expect(rows).toMatchObject([{ genuine: true, outcome: 'credit', times: 1, no }]);
    expect(rows[0]?.body.toString()).toBe(body);
  });

  it('received fifty times at once credits once, and is always answered with success', async () => {
    gateway.pay(no, 8_800);
    const body = gateway.notification(no);
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(api, body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 success']));
    expect(await rechargesOf(api, id)).toEqual([{ amount: 8_800, chars: 2_000_000 }]);
    expect(await charsOf(buyer)).toBe(2_005_000);
    expect(await stored()).toMatchObject([{ times: 50 }]);
    expect(await eventsOf(api, id)).toEqual(['created', 'notified', 'credited']);
  });

  it('with a wrong amount changes nothing; the correct one still credits', async () => {
    gateway.pay(no, 8_800);
    expect(await notify(api, gateway.notification(no, { total_amount: '0.01' }))).toMatchObject({ text: 'failure' });
    await untouched();
    expect(await notify(api, gateway.notification(no))).toEqual({ status: 200, text: 'success' });
    expect(await rechargesOf(api, id)).toHaveLength(1);
    expect((await stored()).map(({ outcome }) => outcome)).toEqual(['wrongAmount', 'credit']);
  });

  it.each([
    ['of another app', { app_id: '2021999999999999' }, 'stranger'],
    ['for another seller', { seller_id: '2088999999999999' }, 'stranger'],
    ['of an order that is not ours', { out_trade_no: 'YQ99999999999999999999' }, 'unknownOrder'],
  ])('%s changes nothing and is shown to operators', async (_, but, outcome) => {
    gateway.pay(no, 8_800);
    expect(await notify(api, gateway.notification(no, but))).toMatchObject({ text: 'failure' });
    await untouched();
    expect(await stored()).toMatchObject([{ genuine: true, outcome }]);
    const found = await api.app.get(QueryBus).execute(new ListExceptions());
    expect(found.filter(({ what }) => what === outcome)).toHaveLength(1);
  });

  it.each(['WAIT_BUYER_PAY', 'TRADE_CLOSED'])(
    'of a trade that is %s is accepted without effect',
    async (trade_status) => {
      expect(await notify(api, gateway.notification(no, { trade_status }))).toEqual({ status: 200, text: 'success' });
      await untouched();
      expect(await stored()).toMatchObject([{ outcome: 'other' }]);
    },
  );

  it('of a refund credits nothing', async () => {
    const refund = { refund_fee: '88.00', gmt_refund: '2026-11-21 13:00:00', out_biz_no: 'RF1' };
    expect(await notify(api, gateway.notification(no, refund))).toMatchObject({ status: 200 });
    await untouched();
  });
});

describe('a forged notification', () => {
  const forged = (): [string, string][] => {
    gateway.pay(no, 8_800);
    const body = gateway.notification(no);
    const without = new URLSearchParams(body);
    without.delete('sign');
    return [
      ['changed', body.replace('total_amount=88.00', 'total_amount=99.00')],
      ['for another order', body.replaceAll(no, 'YQ2026112112000000000000')],
      ['without a signature', without.toString()],
      ['with an empty signature', `${without.toString()}&sign=`],
      ['empty', ''],
      ['nonsense', '\u0000{"not": "a form"'],
      ['with two amounts', `${body}&total_amount=0.01`],
    ];
  };

  it('is refused, stored once without effect, and does not block the genuine one', async () => {
    for (const [what, body] of forged()) {
      expect([what, await notify(api, body)]).toMatchObject([what, { status: 400, text: 'failure' }]);
      await notify(api, body);
    }
    await untouched();
    const rows = await stored();
    expect(rows).toHaveLength(7);
    for (const row of rows) expect(row).toMatchObject({ genuine: false, outcome: 'forged', times: 2 });
    expect(await notify(api, gateway.notification(no))).toEqual({ status: 200, text: 'success' });
    expect((await orderOf(api, id)).payStatus).toBe('P');
  });

  it('with any one byte flipped is refused', async () => {
    gateway.pay(no, 8_800);
    const body = gateway.notification(no);
    for (let at = 0; at < body.length; at += 37) {
      const code = body.charCodeAt(at);
      const other = String.fromCharCode(code === 65 ? 66 : 65);
      const answer = await notify(api, body.slice(0, at) + other + body.slice(at + 1));
      expect([at, answer.text]).toEqual([at, 'failure']);
    }
    await untouched();
  });

  it('is deleted after a while', async () => {
    for (let i = 0; i < 60; i++) expect((await notify(api, `sign=${i}`)).status).toBe(400);
    expect((await stored()).length).toBeLessThanOrEqual(40);
    await api.db.query("UPDATE pay_notification SET last_at = now() - interval '91 days' WHERE outcome = 'forged'");
    await api.app.get(CommandBus).execute(new PruneNotifications());
    expect(await stored()).toEqual([]);
  });
});

describe('the notification endpoint', () => {
  it.each(['wechat', 'lianlian', 'paypal', 'constructor', '..%2falipay'])(
    'of %s does not exist without keys or for unknown gateways',
    async (name) => {
      expect((await notify(api, 'a=1', { gateway: name })).status).toBe(404);
      expect(await stored()).toEqual([]);
    },
  );

  it('accepts only POST, any content type, and a limited size', async () => {
    expect((await fetch(`${api.url}/pay/notify/alipay`)).status).toBe(405);
    gateway.pay(no, 8_800);
    const answer = await notify(api, `${gateway.notification(no)}&a=${'x'.repeat(NOTIFICATION_BODY_BYTES)}`);
    expect(answer.status).toBe(413);
    const packed = { method: 'POST', body: gateway.notification(no), headers: { 'Content-Encoding': 'gzip' } };
    expect((await fetch(`${api.url}/pay/notify/alipay`, packed)).status).toBe(415);
    for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'multipart/form-data'])
      expect(await notify(api, gateway.notification(no), { type })).toEqual({ status: 200, text: 'success' });
    expect(await rechargesOf(api, id)).toHaveLength(1);
  });
});

it('processes stored notifications later, each separately', async () => {
  gateway.pay(no, 8_800);
  await notify(api, gateway.notification(no, { out_trade_no: 'YQ99999999999999999999' }));
  // The state after a crash between the two: stored, but not settled.
  await api.db.query(
    `UPDATE pay_notification SET outcome = NULL, last_at = now() - interval '1 minute',
       payment = jsonb_set(jsonb_set(payment, '{orderNo}', to_jsonb($1::text)), '{tradeNo}', '"T-late"')`,
    [no],
  );
  await api.app.get(CommandBus).execute(new ProcessPendingNotifications());
  expect((await orderOf(api, id)).payStatus).toBe('P');
  expect(await stored()).toMatchObject([{ outcome: 'credit' }]);
  await api.app.get(CommandBus).execute(new ProcessPendingNotifications());
  expect(await rechargesOf(api, id)).toHaveLength(1);
});
