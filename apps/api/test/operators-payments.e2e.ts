/** Payments as operators see them: orders, exceptions, refunds of two persons, statements and their differences (operators §10). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer as AnswerOf } from '@yiqiao/contracts/endpoint';
import type {
  getMoneyLine,
  getPaymentOrder,
  getPaymentSummary,
  listExceptions,
  listPaymentOrders,
  listRefunds,
} from '@yiqiao/contracts/operator/payments';
import type { getReconciliation, listDifferences } from '@yiqiao/contracts/operator/reconciliations';
import type { TestApi } from './support/api.js';
import { makeMain, setChars } from './support/family.js';
import type { FakeGateway } from './support/fake-gateway.js';
import { type Answer, type OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';
import { AMOUNT, charsOf, openOrder, OrderFixture, orderOf, paymentFor, settle } from './support/orders.js';
import { alipayStatement, beijing, type StatedLine } from './support/statements.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

type Run = AnswerOf<typeof getReconciliation>;
type Order = AnswerOf<typeof getPaymentOrder>;
type Differences = AnswerOf<typeof listDifferences>;
type Paid = { id: number; no: string; tradeNo: string };

let fixture: OrderFixture;
let gateway: FakeGateway;
let api: TestApi;
let operators: TestOperators;
let buyer: TestMember;
const people = {} as Record<'finance' | 'owner' | 'support', TestOperator>;
const at = {} as Record<keyof typeof people, OperatorBrowser>;
const REASON = 'paid by mistake, the member has asked';

beforeAll(async () => {
  fixture = await OrderFixture.open();
  ({ gateway, api } = fixture);
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  for (const role of ['finance', 'owner', 'support'] as const) {
    people[role] = await operators.enrol(`${role}-1`, role);
    at[role] = await operators.signIn(people[role]);
  }
});
afterAll(async () => {
  await operators.stop();
  await fixture.close();
});
beforeEach(async () => {
  gateway.mode = 'up';
  buyer = await makeMain(api);
});

const read = async <T>(path: string, who: keyof typeof people = 'finance'): Promise<T> => {
  const { status, body } = await at[who].get(path);
  expect({ status, msg: body.msg, path }).toMatchObject({ status: 200 });
  return body.data;
};
const order = async (): Promise<{ id: number; no: string }> => {
  const id = await openOrder(api, buyer, { payChannel: 'ALI_NATIVE' });
  return { id, no: (await orderOf(api, id)).no };
};
/** Paid at the gateway; credited if it was reported. */
const pay = async (reported = true): Promise<Paid> => {
  const made = await order();
  gateway.pay(made.no, AMOUNT);
  const tradeNo = gateway.tradeNoOf(made.no);
  if (reported) expect(await settle(api, await paymentFor(api, made.id, { tradeNo }))).toBe('credit');
  return { ...made, tradeNo };
};
const stated = ({ no, tradeNo }: Pick<Paid, 'no' | 'tradeNo'>, but: Partial<StatedLine> = {}): StatedLine => {
  return { tradeNo, orderNo: no, amount: AMOUNT, at: beijing(), ...but };
};
const upload = async (bytes: Buffer, name = 'alipay.csv', who: keyof typeof people = 'finance'): Promise<Answer> => {
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const headers = { Cookie: at[who].cookie, Origin: at[who].origin, 'x-csrf-token': at[who].csrf };
  const answer = await fetch(`${at[who].url}/operator-api/statements`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Answer['body'], headers: answer.headers };
};
const imported = async (lines: readonly StatedLine[]): Promise<{ run: Run; found: Differences['rows'] }> => {
  const { status, body } = await upload(alipayStatement(lines));
  expect({ status, msg: body.msg }).toMatchObject({ status: 200 });
  const run = body.data as Run;
  return { run, found: (await read<Differences>(`/differences?runId=${run.id}&pageSize=100`)).rows };
};
const differencesOf = async (no: string): Promise<Differences['rows']> =>
  (await read<Differences>('/differences?pageSize=100')).rows.filter(({ orderNo }) => orderNo === no);
const actionsOn = async (id: string): Promise<string[]> => {
  const { rows } = await api.db.query<{ action: string }>(
    `SELECT action FROM operator_action WHERE body::jsonb -> 'target' ->> 'id' = $1 ORDER BY n`,
    [id],
  );
  return rows.map(({ action }) => action);
};

describe('a statement', () => {
  it('is matched with orders, payments and refunds, and every difference has its kind', async () => {
    const [plain, unheard, other, absent, late] = [
      await pay(),
      await pay(false),
      await pay(),
      await pay(),
      await pay(),
    ];
    await api.db.query(`UPDATE payment SET received_at = now() + interval '2 hours' WHERE trade_no = $1`, [
      late.tradeNo,
    ]);
    const { run, found } = await imported([
      stated(plain),
      stated(unheard),
      stated(other, { amount: AMOUNT + 100 }),
      stated(late),
      stated({ no: 'YQ2026010100000099999999', tradeNo: 'NOBODY' }, { amount: 1 }),
      stated(plain, { kind: 'refund', refundNo: 'BY-HAND', amount: 2_200 }),
    ]);
    const named = found.filter(({ orderNo, what }) => what !== 'missingThere' || orderNo === absent.no);
    expect(Object.fromEntries(named.map(({ what, orderNo, here, there }) => [what, { orderNo, here, there }]))).toEqual(
      {
        missingHere: { orderNo: unheard.no, here: null, there: AMOUNT },
        amount: { orderNo: other.no, here: AMOUNT, there: AMOUNT + 100 },
        late: { orderNo: late.no, here: AMOUNT, there: AMOUNT },
        unknownOrder: { orderNo: 'YQ2026010100000099999999', here: null, there: 1 },
        refund: { orderNo: plain.no, here: null, there: 2_200 },
        missingThere: { orderNo: absent.no, here: AMOUNT, there: null },
      },
    );
    const { there, here, refundedThere } = run.totals[0] ?? { there: 0, here: 0, refundedThere: 0 };
    // The named differences add up to the difference of the totals.
    const sum = found
      .filter(({ kind }) => kind === 'payment')
      .reduce((total, d) => total + (d.there ?? 0) - (d.here ?? 0), 0);
    expect({ difference: there - here, refundedThere }).toEqual({ difference: sum, refundedThere: 2_200 });
    expect(run).toMatchObject({
      source: 'statement',
      state: 'done',
      startedBy: people.finance.name,
      files: [{ name: 'alipay.csv', gateway: 'alipay', lines: 6, refunded: 2_200 }],
    });
    expect(await actionsOn(String(run.id))).toEqual(['statement.import']);
    // What is imported again is found again, and is the same difference.
    const again = await imported([stated(unheard)]);
    expect(again.found.find(({ what }) => what === 'missingHere')).toMatchObject({
      firstRun: run.id,
      lastRun: again.run.id,
    });
  });

  it('is refused when it is none, incomplete, or of a role that may not', async () => {
    const refused = async (bytes: Buffer): Promise<string> => {
      const { status, body } = await upload(bytes, 'notes.csv');
      return `${status} ${body.code ?? ''}`;
    };
    expect(await refused(Buffer.from('a,b\n1,2\n'))).toBe('422 STATEMENT_UNKNOWN');
    expect(await refused(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]))).toBe('422 STATEMENT_UNKNOWN');
    const whole = alipayStatement([stated(await pay())]);
    expect(await refused(whole.subarray(0, -160))).toBe('422 STATEMENT_INCOMPLETE');
    expect((await upload(whole, 'a.csv', 'support')).status).toBe(403);
    const { body } = await upload(Buffer.from('a,b\n'), 'notes.csv');
    expect(body.msg).toMatch(/^notes\.csv 不是支付宝业务明细/);
  });

  it('closes what a later one matches, and keeps what was closed with a reason', async () => {
    const [absent, other] = [await pay(), await pay()];
    const first = await imported([stated(other, { amount: 1 })]);
    const missing = first.found.find(({ orderNo }) => orderNo === absent.no);
    const amount = first.found.find(({ orderNo }) => orderNo === other.no);
    const close = (reason: string) => at.finance.post(`/differences/${amount?.id}/close`, { reason });
    expect((await close('no')).status).toBe(422);
    expect((await close('a discount of the gateway')).body.data).toMatchObject({
      closedHow: 'reason',
      closedBy: 'finance-1',
    });
    expect((await close('a discount of the gateway')).body).toMatchObject({ code: 'DIFFERENCE_CLOSED' });
    expect((await at.support.post(`/differences/${missing?.id}/close`, { reason: 'because' })).status).toBe(403);
    const second = await imported([stated(other, { amount: 1 }), stated(absent)]);
    expect(second.run.open).toBe(second.found.filter(({ closedAt }) => closedAt === null).length);
    expect(await differencesOf(absent.no)).toMatchObject([{ closedHow: 'matched' }]);
    expect(await differencesOf(other.no)).toMatchObject([{ closedHow: 'reason', lastRun: second.run.id }]);
    expect(await actionsOn(String(amount?.id))).toEqual(['difference.close']);
    const rewrite = api.db.query(`UPDATE payment_difference SET close_reason = 'another' WHERE id = ${amount?.id}`);
    await expect(rewrite).rejects.toThrow(/is closed/);
  });
});

describe('the gateway', () => {
  it('is asked about one order, credits it, and closes the difference in the action log', async () => {
    const unheard = await pay(false);
    await imported([stated(unheard)]);
    const before = await charsOf(buyer);
    expect((await at.support.post(`/orders/${unheard.no}/ask-gateway`)).status).toBe(403);
    const { body } = await at.finance.post(`/orders/${unheard.no}/ask-gateway`);
    expect(body.data).toEqual({ gatewayState: 'paid', gatewayAmount: AMOUNT, payStatus: 'P', credited: true });
    expect(await charsOf(buyer)).toBe(before + 2_000_000);
    expect(await differencesOf(unheard.no)).toMatchObject([{ closedHow: 'settled', closedBy: 'finance-1' }]);
    expect(await actionsOn(unheard.no)).toEqual(['payment.settle', 'payment.askGateway']);
    const again = await at.finance.post(`/orders/${unheard.no}/ask-gateway`);
    expect(again.body.data).toMatchObject({ credited: false });
    expect(await actionsOn(unheard.no)).toEqual(['payment.settle', 'payment.askGateway', 'payment.askGateway']);
    expect((await at.finance.post('/orders/YQ0000000000/ask-gateway')).status).toBe(404);
  });

  it('is asked about every order of a time, in the background, one run at a time', async () => {
    await api.db.query(`UPDATE recharge_order SET created_at = now() - interval '60 days' WHERE user_id <> $1`, [
      buyer.session.userId,
    ]);
    const [good, unheard] = [await pay(), await pay(false)];
    const times = { from: beijing(60), to: beijing(-5) };
    const { body } = await at.finance.post('/reconciliations', times);
    const { id } = body.data as { id: number };
    expect((await at.owner.post('/reconciliations', times)).body.code).toBe('RECONCILIATION_UNDER_WAY');
    const show = () => read<Run>(`/reconciliations/${id}`);
    expect(await waitUntil(show, ({ state }) => state !== 'running')).toMatchObject({
      state: 'done',
      total: 2,
      done: 2,
      open: 1,
      differentOrders: 1,
      totals: [{ gateway: 'alipay', count: 2, there: 2 * AMOUNT, here: AMOUNT, recharged: AMOUNT }],
    });
    expect(await differencesOf(unheard.no)).toMatchObject([{ source: 'gateway', what: 'missingHere', there: AMOUNT }]);
    expect(await differencesOf(good.no)).toEqual([]);
  });
});

describe('a refund', () => {
  const ask = async (paymentId: number, amount: number): Promise<Answer> =>
    at.finance.post('/requests', {
      kind: 'payment.refund',
      target: String(paymentId),
      payload: { amount },
      reason: REASON,
    });
  const approve = async (id: number): Promise<Answer> =>
    at.owner.post(`/requests/${id}/approve`, { reason: 'seen', code: await operators.freshCode(people.owner) });

  it('is asked for by one and approved by another, then the balance follows', async () => {
    const { id, no } = await pay();
    const paymentId = await fixture.lastPaymentOf(id);
    const shown = await read<Order>(`/orders/${no}`);
    expect(shown.payments).toMatchObject([
      {
        verdict: 'credit',
        refundable: { amount: AMOUNT, quota: { kind: 'characters', before: 2_005_000, after: 5_000 } },
      },
    ]);
    expect(
      (
        await at.support.post('/requests', {
          kind: 'payment.refund',
          target: String(paymentId),
          payload: { amount: AMOUNT },
          reason: REASON,
        })
      ).status,
    ).toBe(403);
    expect((await ask(paymentId, AMOUNT - 1)).body.code).toBe('REFUND_AMOUNT_CHANGED');
    const made = await ask(paymentId, AMOUNT);
    const request = (made.body.data as { id: number }).id;
    expect((await ask(paymentId, AMOUNT)).body.code).toBe('REQUEST_OPEN');
    expect((await read<Order>(`/orders/${no}`)).payments).toMatchObject([{ requestId: request }]);
    expect(gateway.refundsOf(no)).toBe(0);
    expect((await approve(request)).body.data).toMatchObject({ state: 'done' });
    expect(await charsOf(buyer)).toBe(5_000);
    expect(await fixture.executeRefund(paymentId)).toBe('done');
    expect(gateway.refundsOf(no)).toBe(1);
    const after = await read<Order>(`/orders/${no}`);
    expect(after.refunds).toMatchObject([{ amount: AMOUNT, state: 'done', by: 'finance-1', reason: REASON }]);
    expect(after.entries.map(({ type }) => type)).toEqual(['recharge', 'refund']);
    expect(after.payments).toMatchObject([{ refundable: null, refundedAmount: AMOUNT }]);
    expect(await actionsOn(no)).toEqual(['payment.refund']);
    const { rows } = await read<AnswerOf<typeof listRefunds>>('/refunds');
    expect(rows[0]).toMatchObject({ orderNo: no, amount: AMOUNT, state: 'done' });
  });

  it('ends as failed, with nothing half done, when the quota was used meanwhile', async () => {
    const { id, no } = await pay();
    const paymentId = await fixture.lastPaymentOf(id);
    const request = ((await ask(paymentId, AMOUNT)).body.data as { id: number }).id;
    await setChars(api, buyer.session.userId, 1_000_000);
    const { body } = await approve(request);
    expect(body.data).toMatchObject({ state: 'failed', outcome: { refusal: { code: 'REFUND_AMOUNT_CHANGED' } } });
    expect(await charsOf(buyer)).toBe(1_000_000);
    expect((await read<Order>(`/orders/${no}`)).refunds).toEqual([]);
  });

  it('of a second payment touches no quota', async () => {
    const { id, no } = await pay();
    await settle(api, await paymentFor(api, id, { tradeNo: `SECOND-${no}` }));
    const { rows, amount } = await read<AnswerOf<typeof listExceptions>>('/exceptions');
    const found = rows.find(({ orderNo }) => orderNo === no);
    expect(found).toMatchObject({ what: 'double', amount: AMOUNT, due: AMOUNT });
    expect(amount).toBeGreaterThanOrEqual(AMOUNT);
    const before = await charsOf(buyer);
    const request = ((await ask(found?.paymentId ?? 0, AMOUNT)).body.data as { id: number }).id;
    expect((await approve(request)).body.data).toMatchObject({ state: 'done' });
    expect(await charsOf(buyer)).toBe(before);
  });
});

describe('an exception', () => {
  it('is closed with a reason, and listed again when it happens again', async () => {
    const { id, no } = await pay();
    await settle(api, await paymentFor(api, id, { tradeNo: `SECOND-${no}` }));
    const mine = async () =>
      (await read<AnswerOf<typeof listExceptions>>('/exceptions')).rows.filter(({ orderNo }) => orderNo === no);
    const [found] = await mine();
    const close = (who: keyof typeof people, reason: string) =>
      at[who].post('/exceptions/close', { key: found?.key, reason });
    expect((await close('support', 'refunded by hand')).status).toBe(403);
    expect((await close('finance', '')).status).toBe(422);
    const before = await read<AnswerOf<typeof getPaymentSummary>>('/payments/summary');
    expect((await close('finance', 'refunded by hand')).body.data).toBe(true);
    expect(await mine()).toEqual([]);
    expect((await read<AnswerOf<typeof getPaymentSummary>>('/payments/summary')).exceptions).toBe(
      before.exceptions - 1,
    );
    expect((await close('finance', 'refunded by hand')).body.code).toBe('EXCEPTION_GONE');
    expect(await actionsOn(no)).toEqual(['exception.close']);
    await api.db.query(`UPDATE payment SET received_at = now() + interval '1 minute' WHERE trade_no = $1`, [
      `SECOND-${no}`,
    ]);
    expect(await mine()).toHaveLength(1);
  });
});

describe('the list of orders', () => {
  it('filters, adds up, and downloads what it shows', async () => {
    const [first, second] = [await pay(), await order()];
    const { userId } = buyer.session;
    const list = (query: string) => read<AnswerOf<typeof listPaymentOrders>>(`/orders?${query}`);
    const mine = await list(`query=${userId}`);
    expect(mine).toMatchObject({ total: 2, totals: { amount: 2 * AMOUNT, paid: AMOUNT, refunded: 0 } });
    expect(mine.rows.map(({ no }) => no)).toEqual([second.no, first.no]);
    for (const query of [first.no, first.tradeNo]) expect((await list(`query=${query}`)).total).toBe(1);
    expect((await list(`query=${userId}&payStatus=P`)).rows).toMatchObject([{ no: first.no, gateway: 'alipay' }]);
    expect((await list(`query=${userId}&gateway=wechat`)).total).toBe(0);
    const { status, body } = await at.support.get(`/orders/csv?query=${userId}`);
    expect(status).toBe(200);
    expect(String(body.data)).toMatch(new RegExp(`^订单号,[^]*${second.no},[^]*${first.no},`));
    expect((await list(`query=${encodeURIComponent("%' OR 1=1")}`)).total).toBe(0);
  });
});

it('the money line balances, and says what the statements cover', async () => {
  const money = () => read<AnswerOf<typeof getMoneyLine>>('/payments/money');
  const before = await money();
  expect(before.difference).toBe(0);
  const bought = await pay();
  await imported([stated(bought)]);
  const after = await money();
  expect(after).toMatchObject({ paid: before.paid + AMOUNT, recharged: before.recharged + AMOUNT, difference: 0 });
  expect(after.statement).toMatchObject({
    paid: before.statement.paid + AMOUNT,
    paidHere: before.statement.paidHere + AMOUNT,
    until: expect.any(String),
  });
});
