/** What members paid for what they used against what vendors asked for it, and the bills that correct it (operators §9). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getMargin, listVendorBills } from '@yiqiao/contracts/operator/margin';
import { CHANNELS } from '@yiqiao/domain/channels';
import { Ledger } from '../src/ledger/ledger.js';
import { GetMargin, GetMarginHandler, MarginDays } from '../src/operators/vendors/get-margin.js';
import { MARGIN_DAY, type MarginRow } from '../src/operators/vendors/margin-day.js';
import { Clock } from '../src/platform/clock.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { makeMain } from './support/family.js';
import { usage } from './support/ledger-fixture.js';
import type { OperatorBrowser } from './support/operators.js';
import { MONTHLY, STANDARD } from './support/orders.js';
import type { TestMember } from './support/test-members.js';
import { WhatIfFixture } from './support/what-if.js';

type Margin = Answer<typeof getMargin>;
type Bills = Answer<typeof listVendorBills>;

const REASON = 'a test of the margin';
const { google, deepl } = CHANNELS;

let service: WhatIfFixture;
let finance: OperatorBrowser;
let account: number;

beforeAll(async () => {
  service = await WhatIfFixture.open();
  finance = await service.operators.signIn(await service.operators.enrol('finance-1', 'finance'));
  const { rows } = await service.api.db.query<{ id: number }>(
    `INSERT INTO vendor_account (code, name, origin) VALUES ('google', 'billed', 'environment') RETURNING id`,
  );
  account = rows[0]?.id ?? 0;
});
afterAll(() => service.close());

const clock = (): Clock => service.api.app.get(Clock, { strict: false });
const today = (): string => clock().day(clock().now());

async function onGoogle(): Promise<TestMember> {
  const main = await makeMain(service.api);
  await service.change(main, google.id);
  return main;
}

/** A text that a vendor served at this cost, micro-yuan. */
async function use(main: TestMember, charNum: number, { own = google.id, cost }: { own?: number; cost: number }) {
  const ledger = service.api.app.get(Ledger, { strict: false });
  const to = { id: uuid7(), userId: main.session.userId, familyId: main.session.userId };
  await ledger.hold({ ...to, ask: { kind: 'text', codePoints: charNum, charNum }, ownChannelId: own });
  await ledger.settle({ ...to, usage: { ...usage, tranChannelId: own, vendor: { accountId: account, cost } } });
}

/** Not through the endpoint, which keeps what it has read of the day for half a minute. */
function margin(): Promise<Margin> {
  const em = service.operators.app.get(EntityManager, { strict: false });
  const handler = new GetMarginHandler(em, new MarginDays(em, clock()), clock());
  return handler.execute(new GetMargin({ from: today(), to: today() }, 'en'));
}

const sumsOf = (of: Margin, code: string) => of.channels.find((channel) => channel.code === code);

/** Everything that the family was credited, as what it is worth at the list price, micro-yuan. */
async function worthOf({ session: { userId } }: TestMember): Promise<number> {
  const { rows } = await service.api.db.query<{ worth: string }>(
    `SELECT sum(char_change * c.price) AS worth FROM account_log JOIN tran_channel c ON c.id = last_tran_channel_id
     WHERE user_id = $1 AND log_type NOT IN (2, 6, 7)`,
    [userId],
  );
  return Number(rows[0]?.worth);
}

describe('the margin', () => {
  it('values what was used at what the family paid for all that it got, whatever the channel', async () => {
    const main = await onGoogle();
    await service.pay(main, STANDARD);
    const rate = 88_000_000 / (await worthOf(main));
    const before = await margin();
    await use(main, 1_000, { cost: 30_000 });
    await service.change(main, deepl.id);
    await use(main, 500, { own: deepl.id, cost: 50_000 });
    const after = await margin();
    const worth = 1_000 * google.price;
    expect(sumsOf(after, 'google')).toMatchObject({
      chars: (sumsOf(before, 'google')?.chars ?? 0) + 1_000,
      cost: (sumsOf(before, 'google')?.cost ?? 0) + 30_000,
    });
    // 500 characters of DeepL are worth 1,000 of Google.
    for (const code of ['google', 'deepl'])
      expect((sumsOf(after, code)?.value ?? 0) - (sumsOf(before, code)?.value ?? 0)).toBeCloseTo(worth * rate, -1);
    expect(after.total.cost - before.total.cost).toBe(80_000);
    expect(after.days).toEqual([{ day: today(), ...after.total }]);
    expect(after.plans.find(({ id }) => id === STANDARD)).toMatchObject({ cost: after.total.cost });
  });

  it('has no value where nothing was paid, and knows what has no cost', async () => {
    const main = await onGoogle();
    const before = await margin();
    await use(main, 100, { cost: 4_000 });
    await service.charge(main, { codePoints: 10, charNum: 10 }, { own: google.id });
    const { total } = await margin();
    expect(total).toMatchObject({
      value: before.total.value,
      cost: before.total.cost + 4_000,
      chars: before.total.chars + 110,
      costless: before.total.costless + 1,
    });
  });

  it('values a time package by the minutes of its life that passed', async () => {
    const main = await makeMain(service.api);
    await service.pay(main, MONTHLY);
    const { rows: plans } = await service.api.db.query<{ num: string; price: string; minute: number }>(
      'SELECT num, sale_price AS price, minute_price AS minute FROM member_group WHERE id = $1',
      [MONTHLY],
    );
    const [plan] = plans;
    const worth = (await worthOf(main)) + Number(plan?.num) * (plan?.minute ?? 0);
    const tomorrow = clock().fromWire(`${today()} 00:00:00`).getTime() + 26 * 3_600_000;
    const begin = clock().fromWire(`${clock().day(new Date(tomorrow))} 00:00:00`);
    const em = service.operators.app.get(EntityManager, { strict: false }).fork();
    const noon = new Date(begin.getTime() + 12 * 3_600_000);
    const found = await em.execute<MarginRow[]>(MARGIN_DAY, [begin, noon]);
    const passed = found.filter((row) => row.plan === MONTHLY);
    expect(passed.map(({ minutes, chars, cost }) => [minutes, chars, cost])).toEqual([[720, 0, 0]]);
    const value = (720 * (plan?.minute ?? 0) * Number(plan?.price) * 10_000) / worth;
    expect(passed[0]?.value).toBeCloseTo(value, -1);
  });

  it.each([
    ['backwards', '2026-03-02', '2026-03-01'],
    ['of more days than a quarter has', '2026-01-01', '2026-12-31'],
    ['of a day that is none', '2026-02-30', '2026-03-01'],
  ])('is not read %s', async (_, from, to) => {
    expect((await finance.get(`/margin?from=${from}&to=${to}`)).body.code).toBe('VALIDATION_FAILED');
  });

  it('is for everybody to read', async () => {
    const { status, body } = await service.viewer.get(`/margin?from=${today()}&to=${today()}`);
    expect([status, (body.data as Margin).channels.length]).toEqual([200, Object.keys(CHANNELS).length]);
  });
});

describe('a bill', () => {
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await finance.post(path, body);
    return { status, code: answer.code, data: answer.data };
  };
  const bill = (more: object = {}) => ({
    ...{ accountId: account, month: '2026-01', number: 'B-1', amount: 12_345, reason: REASON },
    ...more,
  });
  const bills = async (): Promise<Bills> => (await finance.get('/vendor-bills')).body.data;

  it('stands beside what the log adds up to, is in the action log, and can be voided', async () => {
    const { data } = await post('/vendor-bills', bill());
    expect((await bills()).rows).toMatchObject([
      { month: '2026-01', account: 'billed', amount: 12_345, recorded: 0, enteredBy: 'finance-1', voidedAt: null },
    ]);
    expect((await post('/vendor-bills', bill())).code).toBe('VENDOR_BILL_EXISTS');
    const { id } = data as { id: number };
    expect((await post(`/vendor-bills/${id}/void`, { reason: REASON })).status).toBe(200);
    expect((await bills()).rows[0]?.voidedAt).not.toBeNull();
    expect((await post('/vendor-bills', bill())).status).toBe(200);
    const { rows } = await service.api.db.query<{ action: string }>(
      `SELECT action FROM operator_action WHERE action LIKE 'vendorBill.%' ORDER BY n`,
    );
    expect(rows.map(({ action }) => action)).toEqual(['vendorBill.create', 'vendorBill.void', 'vendorBill.create']);
  });

  it.each([
    ['for a month that is not over', () => ({ month: today().slice(0, 7) }), 'VALIDATION_FAILED'],
    ['of an account that there is not', () => ({ accountId: 999_999 }), 'NOT_FOUND'],
    ['without a number', () => ({ number: ' ' }), 'VALIDATION_FAILED'],
    ['without a reason', () => ({ reason: '' }), 'VALIDATION_FAILED'],
  ])('is refused %s', async (_, more, code) => {
    expect((await post('/vendor-bills', bill(more()))).code).toBe(code);
  });

  it('is not for a viewer to enter', async () => {
    expect((await service.viewer.post('/vendor-bills', bill())).status).toBe(403);
  });

  it('corrects the cost of its account in its month', async () => {
    const main = await onGoogle();
    await use(main, 200, { cost: 1_000_000 });
    const before = await margin();
    // Not by the command: the month is not over.
    await service.api.db.query(
      `INSERT INTO vendor_bill (vendor_account_id, month, number, amount, entered_by) VALUES ($1, $2, 'B-9', $3, 'a test')`,
      [account, `${today().slice(0, 7)}-01`, Math.round((before.total.contractCost * 2) / 10_000)],
    );
    const after = await margin();
    expect(after.total.contractCost).toBe(before.total.contractCost);
    expect(after.total.cost / before.total.cost).toBeCloseTo(2, 2);
  });
});
