/** The audit compares orders with entries and payments (decisions §5): no difference after any outcome, and every forgery is named. */
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteUser } from '@yiqiao/contracts/user';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { ExecuteRefund, RecordRefund, StartRefund } from '../src/orders/orders.js';
import { loadConfig } from '../src/platform/config.js';
import type { TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import { giveReason } from './support/operator.js';
import { uuid7 } from '../src/platform/uuid7.js';
import type { TestMember } from './support/test-members.js';
import { runCommand } from './support/run-command.js';
import { MONTHLY, openOrder, OrderFixture, orderOf, paymentFor, settle } from './support/orders.js';
import type { FakeGateway } from './support/fake-gateway.js';

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let buyer: TestMember;
/** Orders by their outcome. */
let paid: number;
let monthly: number;
let waiting: number;
let refunding: number;
let refunded: number;
let refused: number;
let doubled: number;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
  const refunder = await makeMain(api);
  [refunding, refunded, refused] = [
    await refund(refunder),
    await refund(refunder, 'done'),
    await refund(refunder, 'refused'),
  ];
  buyer = await makeMain(api);
  paid = await buy(buyer);
  waiting = await openOrder(api, buyer);
  doubled = await buy(buyer);
  await settle(api, await paymentFor(api, doubled));
  const cancelled = await openOrder(api, buyer);
  await api.db.query(`UPDATE recharge_order SET pay_status = 'C' WHERE id = $1`, [cancelled]);
  await settle(api, await paymentFor(api, await openOrder(api, buyer), { amount: 1 }));
  monthly = await buy(buyer, MONTHLY);
});
afterAll(() => fixture.close());

const buy = async (who: TestMember, memberGroupId = 2): Promise<number> => {
  const id = await openOrder(api, who, { memberGroupId, payChannel: 'ALI_NATIVE', salesNum: 2 });
  const { no, amount } = await orderOf(api, id);
  gateway.pay(no, amount);
  await settle(api, await paymentFor(api, id, { tradeNo: gateway.tradeNoOf(no) }));
  return id;
};

/** An order whose refund was started, or ended with the gateway's answer. */
async function refund(who: TestMember, end?: 'done' | 'refused'): Promise<number> {
  const id = await buy(who);
  const { paidBy } = await orderOf(api, id);
  if (paidBy === null) throw new Error('the order is not paid');
  const managerId = await giveReason(api.db, { cmdId: uuid7(), userId: who.session.userId });
  const bus = api.app.get(CommandBus);
  await bus.execute(new StartRefund(paidBy, { managerId, reason: 'a test' }));
  gateway.mode = end === 'refused' ? 'no-refunds' : 'up';
  if (end) expect(await bus.execute(new ExecuteRefund(paidBy))).toBe(end);
  return id;
}

async function audit(userIds?: number[]): Promise<string> {
  const { difference: d } = await auditLedger(api.db, userIds ? { scope: { userIds } } : {});
  return d ? `${d.userId}#${d.seq} ${d.field}: ${String(d.expected)} → ${String(d.found)}` : 'whole';
}

const TABLES = ['account_log', 'member_account', 'recharge_order', 'payment'];

/** The findings after a superuser's change, for all accounts and for this one; then restores everything. */
async function after(tamper: string): Promise<string> {
  const kept = TABLES.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  const back = TABLES.map(
    (table) =>
      `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
  );
  const withoutTriggers = (sql: string): Promise<unknown> =>
    api.db.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
  await api.db.query(kept.join(';'));
  await withoutTriggers(tamper);
  const found = await audit();
  const alone = found.startsWith(`${me()}#`) ? await audit([me()]) : found;
  await withoutTriggers(back.join(';'));
  expect(alone).toBe(found);
  return found;
}
const no = async (id: number): Promise<string> => (await orderOf(api, id)).no;
const seqOf = async (id: number, type = 1): Promise<number> => {
  const { rows } = await api.db.query<{ seq: number }>(
    'SELECT seq FROM account_log WHERE order_id = $1 AND log_type = $2 ORDER BY seq DESC LIMIT 1',
    [id, type],
  );
  return rows[0]?.seq ?? -1;
};
const me = (): number => buyer.session.userId;

describe('the audit of orders', () => {
  it('accepts every final state of an order', async () => {
    expect(await audit()).toBe('whole');
    expect(await audit([me()])).toBe('whole');
    const { orders } = await auditLedger(api.db);
    expect(orders).toBe(9);
    const ran = await runCommand(() => ledgerCommand(['audit'], loadConfig(api.env)));
    expect([ran.code, ran.out]).toEqual([
      0,
      expect.stringContaining('So are the orders: 9 orders match their payments.'),
    ]);
  });

  it('continues all orders after an interruption, including those of accounts already verified', async () => {
    const last = await auditLedger(api.db, { scope: { after: me() } });
    expect(last).toMatchObject({ accounts: 0, orders: 9, difference: null });
  });

  it('accepts a member who logged off, paid before or with a failed refund after', async () => {
    const gone = await makeMain(api);
    const id = await buy(gone);
    const { paidBy } = await orderOf(api, id);
    const managerId = await giveReason(api.db, { cmdId: uuid7(), userId: gone.session.userId });
    const bus = api.app.get(CommandBus);
    await bus.execute(new StartRefund(paidBy ?? 0, { managerId, reason: 'a test' }));
    await gone.client.call(deleteUser, { userPassword: gone.password });
    gateway.mode = 'no-refunds';
    expect(await bus.execute(new ExecuteRefund(paidBy ?? 0))).toBe('refused');
    expect(await audit()).toBe('whole');
  });

  it('accepts a member who logged off and was refunded in parts afterwards', async () => {
    const gone = await makeMain(api);
    const id = await buy(gone);
    const { no: orderNo, paidBy } = await orderOf(api, id);
    const managerId = await giveReason(api.db, { cmdId: uuid7(), userId: gone.session.userId });
    const record = (amount: number) => {
      gateway.refundByHand(orderNo, amount);
      const refund = { amount, refundNo: `HAND-${orderNo}-${amount}` };
      return api.app.get(CommandBus).execute(new RecordRefund(paidBy ?? 0, refund, { managerId, reason: 'a test' }));
    };
    await record(1_000);
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const amount of [2_000, 3_000, 4_000]) {
      await record(amount);
      expect(await audit()).toBe('whole');
    }
  });
});

describe('the audit detects', () => {
  it('an order that is paid without a recharge', async () => {
    const found = await after(
      `INSERT INTO payment (gateway, trade_no, order_id, family_id, amount, currency, seen_by, verdict)
         SELECT 'wechat', 'forged', id, family_id, amount, 'CNY', 'query', 'credit' FROM recharge_order WHERE id = ${waiting};
       UPDATE recharge_order SET pay_status = 'P', paid_at = now(), paid_by = (SELECT max(id) FROM payment) WHERE id = ${waiting}`,
    );
    expect(found).toBe(`${me()}#null order ${await no(waiting)}: recharges of an order that is P: 1 → 0`);
  });

  it.each(['W', 'T', 'C'])('a recharge of an order that is %s', async (status) => {
    const found = await after(
      `UPDATE recharge_order SET pay_status = '${status}', paid_at = NULL, paid_by = NULL WHERE id = ${paid}`,
    );
    expect(found).toBe(
      `${me()}#${await seqOf(paid)} order ${await no(paid)}: recharges of an order that is ${status}: 0 → 1`,
    );
  });

  it('another amount, in the order or in the payment', async () => {
    const at = `${me()}#${await seqOf(paid)} order ${await no(paid)}`;
    expect(await after(`UPDATE recharge_order SET sale_price = 1, amount = 2 WHERE id = ${paid}`)).toBe(
      `${at}: recharge: amount: 2 → 17600`,
    );
    expect(await after(`UPDATE payment SET amount = 100 WHERE order_id = ${paid}`)).toBe(
      `${me()}#null order ${await no(paid)}: payment alipay ${gateway.tradeNoOf(await no(paid))}: amount: 17600 → 100`,
    );
  });

  it.each([
    ['num = 9', 'charChange', '18 → 4000000'],
    ['sales_num = 4, amount = sale_price * 4', 'amount', '35200 → 17600'],
    ['voice_num = 7', 'voiceChange', '14 → 120'],
    ['image_num = 7', 'imageChange', '14 → 120'],
    ['member_group_id = 3', 'memberGroupId', '3 → 2'],
  ])('another purchase: %s', async (change, field, values) => {
    const found = await after(`UPDATE recharge_order SET ${change} WHERE id = ${paid}`);
    expect(found).toBe(`${me()}#${await seqOf(paid)} order ${await no(paid)}: recharge: ${field}: ${values}`);
  });

  it.each([
    ['num = 9', /^num: \d+ → 9$/],
    ['tran_channel_id = 3', /^tranChannelId: none → 3$/],
    ['minute_price = 3', /^minutePrice: 1 → 3$/],
    ['sale_price = 1, amount = sales_num', /^salePrice: \d+ → 1$/],
    ['reference_price = 7', /^referencePrice: a price of channel \d+ → 7$/],
  ])('altered copies of the plan in an order without other traces: %s', async (change, wrong) => {
    const of = `${me()}#null order ${await no(waiting)}: snapshot: `;
    const found = await after(`UPDATE recharge_order SET ${change} WHERE id = ${waiting}`);
    expect(found.slice(0, of.length)).toBe(of);
    expect(found.slice(of.length)).toMatch(wrong);
  });

  it('minutes that became characters', async () => {
    const found = await after(`UPDATE recharge_order SET billing_mode = 1 WHERE id = ${monthly}`);
    expect(found).toBe(`${me()}#${await seqOf(monthly)} order ${await no(monthly)}: recharge: charChange: 86400 → 0`);
  });

  it('another buyer', async () => {
    const found = await after(`UPDATE recharge_order SET user_id = 1, family_id = 1 WHERE id = ${paid}`);
    expect(found).toBe(`1#${await seqOf(paid)} order ${await no(paid)}: account of the recharge: 1 → ${me()}`);
    expect(await after(`UPDATE recharge_order SET user_id = 1 WHERE id = ${waiting}`)).toBe('whole');
  });

  it('a payment that was moved, exchanged, or credited twice', async () => {
    const of = `${me()}#null order ${await no(doubled)}`;
    const { rows } = await api.db.query<{ id: number; verdict: string }>(
      'SELECT id, verdict FROM payment WHERE order_id = $1 ORDER BY id',
      [doubled],
    );
    const [first = 0, second = 0] = rows.map(({ id }) => id);
    expect(await after(`UPDATE recharge_order SET paid_by = ${second} WHERE id = ${doubled}`)).toBe(
      `${of}: paidBy: ${first} → ${second}`,
    );
    expect(await after(`UPDATE payment SET verdict = 'credit' WHERE id = ${second}`)).toBe(
      `${of}: credited payments of an order that is P: 1 → 2`,
    );
    expect(await after(`UPDATE payment SET verdict = 'double' WHERE id = ${first}`)).toBe(
      `${of}: credited payments of an order that is P: 1 → 0`,
    );
    expect(await after(`UPDATE payment SET order_id = ${waiting} WHERE id = ${first}`)).toMatch(
      /credited payments of an order that is (P: 1 → 0|W: 0 → 1)$/,
    );
    expect(await after(`UPDATE payment SET gateway = 'wechat' WHERE id = ${first}`)).toMatch(
      /: gateway: alipay → wechat$/,
    );
    expect(await after(`UPDATE payment SET currency = 'USD' WHERE id = ${first}`)).toMatch(/: currency: CNY → USD$/);
  });

  it('a refund that took no quota, and quota taken without a refund', async () => {
    expect(
      await after(`UPDATE payment SET refund_state = 'started', refund_no = 'RFx', refund_cmd = gen_random_uuid()
        WHERE order_id = ${paid}`),
    ).toBe(`${me()}#null order ${await no(paid)}: taken back for a refund that is started: amount: -17600 → 0`);
    for (const order of [refunding, refunded]) {
      const gone = await after(`UPDATE payment SET refund_state = NULL, refund_no = NULL WHERE order_id = ${order}`);
      expect(gone).toMatch(
        new RegExp(`order ${await no(order)}: taken back for a refund that is not there: amount: 0 → -17600$`),
      );
    }
    expect(await after(`UPDATE payment SET refund_state = 'refused' WHERE order_id = ${refunded}`)).toMatch(
      /taken back for a refund that is refused: amount: 0 → -17600$/,
    );
    expect(await after(`UPDATE payment SET refund_state = 'done' WHERE order_id = ${refused}`)).toMatch(
      /taken back for a refund that is done: amount: -17600 → 0$/,
    );
    expect(await after(`UPDATE payment SET refund_cmd = gen_random_uuid() WHERE order_id = ${refunded}`)).toMatch(
      new RegExp(`order ${await no(refunded)}: command of the refund: [0-9a-f-]{36} → [0-9a-f-]{36}$`),
    );
  });

  it('entries and payments of missing orders', async () => {
    const found = await after(
      `DELETE FROM payment WHERE order_id = ${monthly}; DELETE FROM recharge_order WHERE id = ${monthly}`,
    );
    expect(found).toBe(`${me()}#${await seqOf(monthly)} order ${monthly} of the entry: an order → none`);
    expect(
      await after(`UPDATE payment SET order_id = 999999 WHERE order_id = ${monthly} AND verdict = 'credit'`),
    ).toMatch(new RegExp(`credited payments of an order that is P: 1 → 0$`));
    expect(await after(`UPDATE payment SET order_id = 999999 WHERE verdict = 'wrongAmount'`)).toMatch(
      /^0#null order 999999 of payment wechat \S+: an order → none$/,
    );
  });
});

it('and reports any of these to the operator, exiting with 1', async () => {
  await api.db.query(
    `SET session_replication_role = replica; UPDATE payment SET amount = amount + 1 WHERE order_id = ${paid}`,
  );
  const ran = await runCommand(() => ledgerCommand(['audit'], loadConfig(api.env)));
  await api.db.query(`UPDATE payment SET amount = amount - 1 WHERE order_id = ${paid}; RESET session_replication_role`);
  expect(ran.code).toBe(1);
  expect(ran.out).toContain(`DIFFERENCE at account ${me()}: order ${await no(paid)}: payment alipay`);
});
