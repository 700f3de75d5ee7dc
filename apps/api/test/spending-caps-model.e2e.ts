/** The caps of a sub-account under any interleaving, and at the ends of days and months. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getChildUser, saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import fc from 'fast-check';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger } from '../src/ledger/ledger.js';
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { adjust, makeMainWith, makeSub } from './support/family.js';
import { usage } from './support/ledger-fixture.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let ledger: Ledger;
let main: TestMember;
let userId: number;

beforeAll(async () => {
  api = await startApi();
  ledger = api.app.get(Ledger, { strict: false });
});
afterAll(() => api.stop());

const NONE = { charNum: 0, voiceNum: 0, imageNum: 0 };

/** A sub-account with so many characters and these caps of characters; 0: none. */
async function capped(held: number, day: number, month: number): Promise<void> {
  main = await makeMainWith(api, held);
  userId = (await makeSub(api, main, held)).session.userId;
  const caps = { day: { ...NONE, charNum: day }, month: { ...NONE, charNum: month } };
  await main.client.call(saveChildUser, { userId, caps });
}

const text = (codePoints: number) => ({ kind: 'text', codePoints }) as const;
const command = () => ({ id: uuid7(), userId, familyId: main.session.userId });
const used = async () => (await main.client.call(getChildUser, { userId: String(userId) })).caps;

/** Another process that writes the ledger. */
const writer = (options = ''): LedgerWriter =>
  new LedgerWriter({ connectionString: api.env['DATABASE_URL'], options: `-c role=${APP_ROLE} ${options}` });

/** A writer that finds this clock before the real one. */
async function fakeClock() {
  await api.db.query(`CREATE SCHEMA fake; CREATE TABLE fake.clock AS SELECT now() AS at;
    CREATE FUNCTION fake.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM fake.clock';
    GRANT USAGE ON SCHEMA fake TO ${APP_ROLE}; GRANT SELECT ON fake.clock TO ${APP_ROLE}`);
  const timed = writer('-c search_path=fake,pg_catalog,public');
  return {
    timed,
    setClock: (at: string) => api.db.query('UPDATE fake.clock SET at = $1', [at]),
    remove: async () => {
      await timed.close();
      await api.db.query('DROP SCHEMA fake CASCADE');
    },
  };
}

/** The package lasts beyond the times of these tests. */
const lasting = () => adjust(api, main.session.userId, { charChange: 1, expireAt: Date.UTC(2032, 0) });

const differences = async () => (await auditLedger(api.db, { scope: { userIds: [userId] } })).findings;

/** The refusal of the work, or null. */
const refusal = (work: Promise<unknown>): Promise<Refusal | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal && /^(API_KEY_)?CAP_REACHED$/.test(error.code)) return error;
      throw error;
    },
  );

describe('caps of a sub-account', () => {
  it('hold in any interleaving of holds, charges, partial charges and releases by two processes', async () => {
    const step = fc.record({
      n: fc.integer({ min: 1, max: 40 }),
      end: fc.constantFrom('settle', 'partly', 'release', 'leave'),
      by: fc.nat(1),
    });
    const other = writer();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
          const cap = 150;
          await capped(2_000, 0, cap);
          const ended = await Promise.all(
            steps.map(async ({ n, end, by }) => {
              const through = by === 0 ? ledger : other;
              const id = command();
              if ((await refusal(through.hold({ ...id, ask: text(n) }))) !== null) return { charged: 0, open: 0 };
              if (end === 'leave') return { charged: 0, open: n };
              if (end === 'release') {
                await through.release({ ...id, usage: null });
                return { charged: 0, open: 0 };
              }
              const delivered = end === 'partly' ? { codePoints: 1, charNum: 1, of: n } : undefined;
              const { charged } = await through.settle({ ...id, usage, ...(delivered && { delivered }) });
              return { charged, open: 0 };
            }),
          );
          const sum = (key: 'charged' | 'open'): number => ended.reduce((total, one) => total + one[key], 0);
          expect(await used()).toMatchObject({ usedThisMonth: { charNum: sum('charged') } });
          const left = cap - sum('charged') - sum('open');
          expect(left).toBeGreaterThanOrEqual(0);
          // What is left is exactly what may still be held.
          expect(await refusal(ledger.hold({ ...command(), ask: text(left + 1) }))).toMatchObject({
            details: { data: { left } },
          });
          if (left > 0) await ledger.hold({ ...command(), ask: text(left) });
        }),
        { numRuns: 15 },
      );
    } finally {
      await other.close();
    }
  });

  it('renew at midnight of APP_TIMEZONE, and with the month; a hold counts for the day on which it is charged', async () => {
    await capped(1_000, 50, 80);
    await lasting();
    const { timed, setClock, remove } = await fakeClock();
    const hold = async (n: number) => {
      const id = command();
      await timed.hold({ ...id, ask: text(n) });
      return id;
    };
    const spend = async (n: number) => timed.settle({ ...(await hold(n)), usage });
    const refused = async (n: number) => (await refusal(hold(n)))?.details.data;
    const day = (left: number, renewsAt: string) => ({ quantity: 'charNum', period: 'day', cap: 50, left, renewsAt });
    const month = (left: number, renewsAt: string) => ({ ...day(left, renewsAt), period: 'month', cap: 80 });
    try {
      await setClock('2031-01-31 23:59:59.999+08');
      await spend(20);
      const late = await hold(30);
      expect(await refused(1)).toEqual(day(0, '2031-02-01 00:00:00'));
      // A new day and a new month: what is still held counts for them once it is charged.
      await setClock('2031-02-01 00:00:00+08');
      expect(await refused(21)).toEqual(day(20, '2031-02-02 00:00:00'));
      await timed.settle({ ...late, usage });
      await spend(20);
      // Midnight of UTC is eight in the morning here.
      await setClock('2031-02-01 08:00:00+08');
      expect(await refused(1)).toEqual(day(0, '2031-02-02 00:00:00'));
      await setClock('2031-02-02 00:00:00+08');
      expect(await refused(31)).toEqual(month(30, '2031-03-01 00:00:00'));
      await spend(30);
      await setClock('2031-02-28 23:59:59.999+08');
      expect(await refused(1)).toEqual(month(0, '2031-03-01 00:00:00'));
      await setClock('2031-03-01 00:00:00+08');
      await spend(50);
      const { rows } = await api.db.query(
        'SELECT day::text, month::text, day_char_used::int AS today, month_char_used::int AS "thisMonth" FROM spending_cap WHERE user_id = $1',
        [userId],
      );
      expect(rows).toEqual([{ day: '2031-03-01', month: '2031-03-01', today: 50, thisMonth: 50 }]);
    } finally {
      await remove();
    }
    expect(await differences()).toEqual([]);
  });

  it('of API keys renew likewise; a transaction from before midnight counts for the day of its entry', async () => {
    main = await makeMainWith(api, 1_000);
    userId = main.session.userId;
    await lasting();
    const { apiKey } = await makeKey(main, { dayCap: 50, monthCap: 80 });
    const { timed, setClock, remove } = await fakeClock();
    const hold = async (n: number) => {
      const id = command();
      await timed.hold({ ...id, ask: text(n), apiKeyId: apiKey.id });
      return id;
    };
    const settle = (id: ReturnType<typeof command>) =>
      timed.settle({ ...id, usage: { ...usage, apiKeyId: apiKey.id } });
    const refused = async (n: number) => (await refusal(hold(n)))?.details.data;
    const left = (period: string, cap: number, most: number, renewsAt: string) => ({
      period,
      cap,
      left: most,
      renewsAt,
      apiKeyId: apiKey.id,
    });
    try {
      // More than a second apart, so that the writer does not estimate the time.
      await setClock('2031-01-31 23:59:58+08');
      await settle(await hold(20));
      const [late, later] = [await hold(20), await hold(10)];
      expect(await refused(1)).toEqual(left('day', 50, 0, '2031-02-01 00:00:00'));
      await setClock('2031-02-01 00:00:00+08');
      await settle(late);
      // A clock that is behind: the entry is not, and neither is what it counts for.
      await setClock('2031-01-31 23:59:58.5+08');
      await settle(later);
      expect(await refused(21)).toEqual(left('day', 50, 20, '2031-02-02 00:00:00'));
      await setClock('2031-02-02 00:00:00+08');
      expect(await refused(51)).toEqual(left('month', 80, 50, '2031-03-01 00:00:00'));
      const { rows } = await api.db.query(
        'SELECT day::text, char_num::int AS used, requests::int FROM api_key_day WHERE api_key_id = $1 ORDER BY day',
        [apiKey.id],
      );
      expect(rows).toEqual([
        { day: '2031-01-31', used: 20, requests: 1 },
        { day: '2031-02-01', used: 30, requests: 2 },
      ]);
    } finally {
      await remove();
    }
    expect(await differences()).toEqual([]);
  });
});
