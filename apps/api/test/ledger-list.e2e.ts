import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountLogRow } from '@yiqiao/contracts/account-log';
import { loadConfig } from '../src/platform/config.js';
import { Clock } from '../src/platform/clock.js';
import { ListAccountLogs, ListAccountLogsHandler } from '../src/ledger/list-account-logs.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { ledgerHouse, usage, type LedgerHouse } from './support/ledger.js';

type Filter = Partial<ListAccountLogs['filter']>;

describe('the account log', () => {
  let house: LedgerHouse;
  let clock: Clock;
  let main: number;
  let child: number;
  beforeAll(async () => {
    house = await ledgerHouse();
    const rest = { DATABASE_URL: house.url, REDIS_URL: 'r', SMTP_URL: 's', APP_SECRET: '0'.repeat(64) };
    clock = new Clock(loadConfig(rest));
    main = await house.member({ charChange: 1000, refs: { memberGroupId: 1 } });
    child = await house.member({ charChange: 0, expireAt: null }, main);
    await house.owner.query(
      `INSERT INTO identity (kind, unique_key, shown, user_id, family_id)
       VALUES ('username', 'linlan', 'LinLan', $1, $1), ('username', 'shop', 'Shop', $2, $1)`,
      [main, child],
    );
    for (let n = 1; n <= 25; n++) {
      const to = { id: uuid7(), userId: main, familyId: main };
      await house.ledger.hold({
        ...to,
        ask: n % 5 === 0 ? { kind: 'text', codePoints: n } : { kind: 'text', codePoints: 1 },
      });
      const from = n % 5 === 0 ? ({ ip: '2001:db8::1', clientType: 'android' } as const) : {};
      if (n === 7) await house.ledger.release({ ...to, usage });
      else await house.ledger.settle({ ...to, usage: { ...usage, ...from } });
    }
    await house.orm.em.fork().transactional((em) =>
      house.ledger.postAll(
        em,
        [
          { userId: child, movement: { type: 'DISTRIBUTION', charChange: 50, refs: { counterpartId: main } } },
          { userId: main, movement: { type: 'DISTRIBUTION', charChange: -50, refs: { counterpartId: child } } },
        ],
        { cmdId: uuid7() },
      ),
    );
  });
  afterAll(() => house.drop());

  const list = (userId: number, filter: Filter = {}): ReturnType<ListAccountLogsHandler['execute']> =>
    new ListAccountLogsHandler(house.orm.em, clock).execute(
      new ListAccountLogs(userId, { pageNum: 1, pageSize: 10, ...filter }, 'zh'),
    );
  const seqs = async (filter: Filter): Promise<{ total: number; changes: number[] }> => {
    const { rows, total } = await list(main, filter);
    return { total, changes: rows.map((row) => row.charChangeNum) };
  };

  it('shows the newest first, page by page, with the exact total', async () => {
    const { rows, total } = await list(main);
    expect(total).toBe(26);
    expect(rows).toHaveLength(10);
    for (const row of rows) accountLogRow.parse(row);
    expect(rows[0]).toMatchObject({
      logType: 'DISTRIBUTION',
      charChangeNum: -50,
      parentUserName: 'LinLan',
      childUserName: 'Shop',
      consumerIp: null,
    });
    expect(rows[1]).toMatchObject({
      logType: 'TRANSLATION_CONSUME',
      charChangeNum: -25,
      usedCharNum: 25,
      consumerIp: '2001:db8::1',
      consumeTranChannelId: 1,
      parentUserName: null,
      beforeTranslationBillingMode: 'char',
    });
    expect((await list(main, { pageNum: 3 })).rows).toHaveLength(6);
    expect((await list(main, { pageNum: 3 })).rows[5]).toMatchObject({
      logType: 'OTHER',
      charChangeNum: 1000,
      rechargeMemberGroupName: '试用',
      beforeExpireDateTime: null,
    });
    expect(await list(main, { pageNum: 4 })).toEqual({ rows: [], total: 26 });
    expect(await list(999_999)).toEqual({ rows: [], total: 0 });
  });

  it('filters by type, time, address and client, each with its total', async () => {
    expect(await seqs({ logType: 'TRANSLATION_CONSUME', pageSize: 3 })).toEqual({ total: 24, changes: [-25, -1, -1] });
    expect(await seqs({ logType: 'MATRIX' })).toEqual({ total: 0, changes: [] });
    expect(await seqs({ loginIp: '2001:db8::1', pageSize: 2, pageNum: 2 })).toEqual({ total: 5, changes: [-15, -10] });
    expect(await seqs({ loginIp: '2001:0db8::0001' })).toMatchObject({ total: 5 });
    expect(await seqs({ loginIp: 'x' })).toEqual({ total: 0, changes: [] });
    expect(await seqs({ clientType: 'web' })).toMatchObject({ total: 19 });
    expect(await seqs({ clientType: 'web', logType: 'DISTRIBUTION' })).toMatchObject({ total: 0 });
    const { rows } = await house.owner.query<{ at: Date }>(
      'SELECT created_at AS at FROM account_log WHERE user_id = $1 ORDER BY seq',
      [main],
    );
    const [first, last] = [rows[0]?.at ?? new Date(), rows.at(-1)?.at ?? new Date()];
    const within = { createDateTimeBegin: clock.toWire(first), createDateTimeEnd: clock.toWire(last) };
    expect(await seqs(within)).toMatchObject({ total: 26 });
    expect(await seqs({ ...within, clientType: 'android' })).toMatchObject({ total: 5 });
    const before = { createDateTimeEnd: clock.toWire(new Date(first.getTime() - 60_000)) };
    expect(await seqs(before)).toEqual({ total: 0, changes: [] });
    expect(await seqs({ ...before, clientType: 'web' })).toEqual({ total: 0, changes: [] });
    expect(await seqs({ createDateTimeBegin: clock.toWire(new Date(last.getTime() + 60_000)) })).toMatchObject({
      total: 0,
    });
  });

  it("shows the sub-account's side to the sub-account, and a closed account as nobody", async () => {
    const { rows, total } = await list(child);
    expect(total).toBe(2);
    expect(rows[0]).toMatchObject({ charChangeNum: 50, parentUserName: 'LinLan', childUserName: 'Shop' });
    await house.owner.query("DELETE FROM identity WHERE unique_key = 'shop'");
    expect((await list(main)).rows[0]).toMatchObject({ parentUserName: 'LinLan', childUserName: '–' });
  });

  it('finds each date bound exactly, wherever it falls', async () => {
    const { rows } = await house.owner.query<{ at: Date; n: number }>(
      `SELECT date_trunc('second', created_at) AS at, count(*) AS n FROM account_log WHERE user_id = $1 GROUP BY 1`,
      [main],
    );
    for (const { at, n } of rows) {
      const second = clock.toWire(at);
      expect((await list(main, { createDateTimeBegin: second, createDateTimeEnd: second })).total).toBe(Number(n));
    }
  });
});
