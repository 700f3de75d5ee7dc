/** The trial balance at any second equals a replay of every entry, and each line is the sum of what it opens (operators §7). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import {
  getTrialBalance,
  listHeldByFamily,
  listHeldByPlan,
  listTrialDays,
  listTrialEntries,
} from '@yiqiao/contracts/operator/trial-balance';
import { advance, emptyAccount, type AccountState, type Entry } from '@yiqiao/domain/ledger';
import { ENTRY_LINES, entryLines, type EntryLine } from '@yiqiao/domain/trial-balance';
import fc from 'fast-check';
import type pg from 'pg';
import { loadHistory } from '../bench/history-fixture.js';
import { entities } from '../src/entities.js';
import { ENTRY_COLUMNS, entryOf } from '../src/ledger/rows/entry-rows.js';
import { AccountBlocks } from '../src/ledger/time-machine/account-blocks.js';
import {
  ListHeldByFamily,
  ListHeldByFamilyHandler,
  ListHeldByPlan,
  ListHeldByPlanHandler,
  ListTrialDays,
  ListTrialDaysHandler,
  ListTrialEntries,
  ListTrialEntriesHandler,
} from '../src/ledger/trial-balance/break-down.js';
import { LedgerDays } from '../src/ledger/trial-balance/ledger-days.js';
import { GetTrialBalance, GetTrialBalanceHandler, TrialBalance } from '../src/ledger/trial-balance/trial-balance.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { parseValues } from '../src/platform/database.js';
import { freshDatabase, type FreshDatabase } from './support/database.js';
import { TestOperators } from './support/operators.js';
import { TamperFixture } from './support/tamper-fixture.js';

const ROWS = 20_000;
const DAY_MS = 86_400_000;
const ZERO = { charNum: 0, voiceNum: 0, imageNum: 0, amount: 0 };
type Sums = typeof ZERO;

describe('a ledger of a year', () => {
  let database: FreshDatabase;
  let orm: MikroORM;
  let clock: Clock;
  let days: LedgerDays;
  let trial: TrialBalance;
  let entries: Entry[];
  beforeAll(async () => {
    const config = loadConfig({
      DATABASE_URL: 'postgresql://none',
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    });
    database = await freshDatabase({ parts: 1 });
    await loadHistory(database.url, { rows: ROWS, days: 365 }, () => undefined);
    const onPoolCreated = (pool: pg.Pool): void =>
      parseValues(pool.options.types as unknown as Parameters<typeof parseValues>[0]);
    orm = new MikroORM(defineConfig({ clientUrl: database.url, entities, driverOptions: { onPoolCreated } }));
    await orm.connect();
    clock = new Clock(config);
    days = new LedgerDays(orm.em, config);
    trial = new TrialBalance(days, clock, config);
    const rows = await orm.em
      .fork()
      .execute<{ entry: never[] }[]>(
        `SELECT json_build_array(${ENTRY_COLUMNS}) AS entry FROM account_log ORDER BY user_id, seq`,
      );
    entries = rows.map(({ entry }) => entryOf(entry));
    // Half of the accounts have blocks: both ways to a past moment are read.
    const blocks = new AccountBlocks(orm.em, config);
    for (const userId of await blocks.accountsBehind()) if (userId % 2 === 0) await blocks.catchUp(userId);
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });

  const balanceAt = (at?: string) =>
    new GetTrialBalanceHandler(orm.em, trial, clock)
      .execute(new GetTrialBalance(getTrialBalance.request.parse({ at })))
      .then((answer) => getTrialBalance.response.parse(answer));

  const lineOf = (e: Entry): EntryLine => {
    if (e.type === 'RECHARGE_ORDER_BY_MEMBER_GROUP') return e.orderId === null ? 'grants' : 'purchases';
    if (e.type === 'SYS_ADJUST') return e.orderId === null ? 'adjustments' : 'refunds';
    if (e.type === 'INVITE_REWARD') return 'inviteRewards';
    if (e.type === 'OTHER') return e.imageChange < 0 ? 'images' : 'trialGifts';
    if (e.type === 'TRANSLATION_CONSUME') return 'translations';
    if (e.type === 'VOICE_CONSUME') return 'voice';
    return e.type === 'DISTRIBUTION' || e.type === 'RECOVERY' ? 'moved' : 'conversions';
  };
  const add = (sums: Sums, e: Entry, sign: number): void => {
    sums.charNum += sign * e.charChange;
    sums.voiceNum += sign * e.voiceChange;
    sums.imageNum += sign * e.imageChange;
    sums.amount += sign * e.amount;
  };

  function replayed(until: number) {
    const lines = new Map<EntryLine, Sums>(entryLines.map((key) => [key, { ...ZERO }]));
    const states = new Map<number, AccountState & { familyId: number }>();
    for (const entry of entries) {
      if (entry.createdAt > until) continue;
      const line = lineOf(entry);
      add(lines.get(line) ?? { ...ZERO }, entry, ENTRY_LINES[line].side === 'used' ? -1 : 1);
      const state = states.get(entry.userId) ?? { ...emptyAccount(), familyId: entry.familyId };
      advance(state, entry);
      states.set(entry.userId, state);
    }
    const sum = (which: (state: AccountState & { familyId: number }) => boolean): Omit<Sums, 'amount'> => {
      const of = [...states.values()].filter(which);
      const total = (name: 'charNum' | 'voiceNum' | 'imageNum'): number =>
        of.reduce((all, state) => all + state[name], 0);
      return { charNum: total('charNum'), voiceNum: total('voiceNum'), imageNum: total('imageNum') };
    };
    const expired = (familyId: number): boolean => (states.get(familyId)?.expireAt ?? Infinity) <= until;
    return { lines, held: sum(() => true), frozen: sum(({ familyId }) => expired(familyId)) };
  }

  const moments = fc
    .integer({ min: -5 * DAY_MS, max: 366 * DAY_MS })
    .map((ms) => clock.toWire(new Date(Date.now() - 365 * DAY_MS + ms)));
  const keyed = (lines: { key: string }[]): Record<string, Sums> =>
    Object.fromEntries(lines.map(({ key, ...line }) => [key, line as unknown as Sums]));

  it('is the replay of all entries at any second, and has no difference', async () => {
    await fc.assert(
      fc.asyncProperty(moments, async (at) => {
        const { lines, difference } = await balanceAt(at);
        expect(difference).toEqual(ZERO);
        const found = keyed(lines);
        const expected = replayed(clock.endOfWire(at).getTime());
        for (const [key, sums] of expected.lines) expect({ key, ...found[key] }).toMatchObject({ key, ...sums });
        expect(found['held']).toMatchObject(expected.held);
        expect(found['frozen']).toMatchObject(expected.frozen);
        expect(found['moved']).toMatchObject(ZERO);
      }),
      { numRuns: 12 },
    );
  });

  it('reads the present from the roll-up and what it does not count yet', async () => {
    const before = await balanceAt();
    expect(before.difference).toEqual(ZERO);
    await orm.em.fork().execute('DELETE FROM ledger_day_mark; DELETE FROM ledger_day');
    expect((await balanceAt()).lines).toEqual(before.lines);
    await days.catchUp();
    expect((await balanceAt()).lines).toEqual(before.lines);
  });

  it('opens by plan, by family, by day and by entry, and each adds up to its line', async () => {
    for (const at of [undefined, clock.toWire(new Date(Date.now() - 40 * DAY_MS))]) {
      const balance = keyed((await balanceAt(at)).lines);
      const plans = await new ListHeldByPlanHandler(orm.em, trial).execute(
        new ListHeldByPlan(listHeldByPlan.request.parse({ at })),
      );
      const families = await new ListHeldByFamilyHandler(orm.em, trial, clock).execute(
        new ListHeldByFamily(listHeldByFamily.request.parse({ at, pageSize: '100' })),
      );
      expect(families.total).toBe(families.rows.length);
      for (const name of ['charNum', 'voiceNum', 'imageNum'] as const) {
        const total = (rows: { charNum: number; voiceNum: number; imageNum: number }[]): number =>
          rows.reduce((sum, row) => sum + row[name], 0);
        expect([name, total(plans.rows)]).toEqual([name, balance['held']?.[name]]);
        expect([name, total(plans.rows.map(({ frozen }) => frozen))]).toEqual([name, balance['frozen']?.[name]]);
        expect([name, total(families.rows)]).toEqual([name, balance['held']?.[name]]);
      }
      for (const line of ['purchases', 'translations', 'conversions', 'images'] as const) {
        const ask = (pageNum: number) =>
          new ListTrialDaysHandler(orm.em, trial).execute(
            new ListTrialDays(listTrialDays.request.parse({ at, line, pageNum: String(pageNum), pageSize: '100' })),
          );
        const days = [1, 2, 3, 4].map(ask);
        const all = (await Promise.all(days)).flatMap(({ rows }) => rows);
        expect([line, all.reduce((sum, day) => sum + day.charNum, 0)]).toEqual([line, balance[line]?.charNum]);
        const [newest] = all;
        const of = await new ListTrialEntriesHandler(orm.em, trial, clock).execute(
          new ListTrialEntries(listTrialEntries.request.parse({ at, line, day: newest?.day ?? '', pageSize: '100' })),
        );
        expect(of.total).toBe(newest?.entries);
        if (of.total <= 100) expect(of.rows.reduce((sum, row) => sum + row.charNum, 0)).toBe(newest?.charNum);
      }
    }
  });
});

describe('purchases, refunds, gifts, grants, conversions and closed accounts', () => {
  let f: TamperFixture;
  let operators: TestOperators;
  beforeAll(async () => {
    f = await TamperFixture.open();
    operators = await TestOperators.start(f.api);
  });
  afterAll(async () => {
    await operators.stop();
    await f.close();
  });

  it('are apart, and balance with payments and balances', async () => {
    const browser = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
    const read = async (): Promise<Record<string, Sums>> => {
      const { body } = await browser.get('/trial-balance');
      const { lines, difference } = getTrialBalance.response.parse(body.data);
      expect(difference).toEqual(ZERO);
      return Object.fromEntries(lines.map(({ key, ...line }) => [key, line]));
    };
    const lines = await read();
    expect(lines['purchases']?.amount).toBe(17_600);
    expect(lines['refunds']?.amount).toBe(-8_800);
    expect([lines['paid']?.amount, lines['refunded']?.amount, lines['recharged']?.amount]).toEqual([
      17_600, 8_800, 8_800,
    ]);
    expect(lines['adjustments']?.charNum).toBe(500);
    expect(lines['inviteRewards']?.charNum).toBe(10_000);
    expect(lines['grants']?.charNum).toBeGreaterThan(0);
    expect(lines['lapsed']).toMatchObject(ZERO);
    await f.sql(
      `UPDATE member SET closed_at = now(), nickname = NULL, password_hash = NULL, invite_code = NULL WHERE id = ${f.members.adjusted}`,
    );
    const after = await read();
    expect(after['lapsed']?.charNum).toBeGreaterThanOrEqual(500);
    expect((after['held']?.charNum ?? 0) + (after['lapsed']?.charNum ?? 0)).toBe(lines['held']?.charNum);
  });

  it('show a balance, an order and a payment that were changed', async () => {
    const browser = await operators.signIn(await operators.enrol('finance-1', 'finance'));
    const difference = async (): Promise<Sums> =>
      getTrialBalance.response.parse((await browser.get('/trial-balance')).body.data).difference;
    const change = (sql: (sign: string) => string): ((sign: string) => Promise<void>) => {
      return (sign) => f.sql(sql(sign));
    };
    const balance = change(
      (sign) =>
        `UPDATE member_account SET usable_char_num = usable_char_num ${sign} 7 WHERE user_id = ${f.members.translator}`,
    );
    const order = change(
      (sign) =>
        `UPDATE recharge_order SET amount = amount ${sign} 100, sale_price = sale_price ${sign} 100 WHERE id = ${f.orders.paid}`,
    );
    await balance('+');
    expect(await difference()).toEqual({ ...ZERO, charNum: -7 });
    await balance('-');
    await order('+');
    expect(await difference()).toEqual({ ...ZERO, amount: 100 });
    await order('-');
    expect(await difference()).toEqual(ZERO);
  });
});
