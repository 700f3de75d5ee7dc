import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Tariff } from '@yiqiao/domain/conversion';
import type { Entry } from '@yiqiao/domain/ledger';
import { distribution, recovery } from '@yiqiao/domain/movements';
import { auditLedger } from '../src/ledger/audit/audit.js';
import type { MoveCommand, Posting, Rule } from '../src/ledger/ledger.js';
import { convertFamily } from '../src/members/convert-family.js';
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { createLedgerFixture, outcomeOf, usage, type LedgerFixture } from './support/ledger-fixture.js';

const chars = (charNum: number): { charNum: number; voiceNum: number; imageNum: number } => ({
  charNum,
  voiceNum: 0,
  imageNum: 0,
});
const tariff = (tranChannelId: number, charPrice: number): Tariff => ({
  billingMode: 'char',
  tranChannelId,
  charPrice,
  minutePrice: 1,
  referencePrice: charPrice,
});
const [CHEAP, DEAR] = [tariff(1, 10), tariff(2, 20)];

type Family = { main: number; sub: number };

describe('concurrent movements', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    await fixture.owner.query(
      "INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (2, 'dear', '贵', 'Dear', 20)",
    );
  });
  afterAll(async () => {
    expect(await brokenInvariants(fixture.owner)).toEqual({});
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.drop();
  });

  const family = async (ofMain: number, ofSub: number): Promise<Family> => {
    const main = await fixture.member({ charChange: ofMain });
    return { main, sub: await fixture.member({ charChange: ofSub }, main) };
  };
  const move = (familyId: number, rule: Rule, command: Partial<MoveCommand> = {}): Promise<Entry[]> =>
    fixture.orm.em
      .fork()
      .transactional((em) => fixture.ledger.move(em, { familyId }, { rule, command: { cmdId: uuid7(), ...command } }));
  const give = ({ main, sub }: Family, n: number, cmdId = uuid7()): Promise<string> =>
    outcomeOf(move(main, () => [...distribution({ mainId: main, childId: sub }, chars(n))], { cmdId }));
  const recover = ({ main, sub }: Family): Promise<string> =>
    outcomeOf(
      move(
        main,
        (accounts) =>
          accounts
            .filter((account) => account.userId === sub)
            .flatMap((child): Posting[] => [...recovery({ mainId: main, childId: sub }, child.state)]),
        { releaseHolds: [sub] },
      ),
    );
  /** To the channel that the family is not on by then. */
  const convert = (main: number): Promise<string> =>
    outcomeOf(
      move(main, (accounts, now) => {
        const channel = accounts.find(({ userId }) => userId === main)?.state.tranChannelId;
        const [from, to] = channel === CHEAP.tranChannelId ? [CHEAP, DEAR] : [DEAR, CHEAP];
        return convertFamily(accounts, { type: 'MATRIX', from, to }, now);
      }),
    );
  const to = (userId: number, familyId: number, id = uuid7()): { id: string; userId: number; familyId: number } => ({
    id,
    userId,
    familyId,
  });
  const hold = async (at: ReturnType<typeof to>, codePoints: number): Promise<string> =>
    outcomeOf(fixture.ledger.hold({ ...at, ask: { kind: 'text', codePoints } }));
  const settle = (at: ReturnType<typeof to>): Promise<string> => outcomeOf(fixture.ledger.settle({ ...at, usage }));
  const usable = async (...ids: number[]): Promise<number[]> => {
    const balances = await fixture.ledger.balancesOf(ids);
    return ids.map((id) => balances.get(id)?.usableCharNum ?? Number.NaN);
  };
  const count = (outcomes: string[], outcome: string): number => outcomes.filter((o) => o === outcome).length;

  it('keep a distribution and holds of the main account within its balance', async () => {
    const of = await family(1_000, 0);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? give(of, 50) : hold(to(of.main, of.main), 50))),
    );
    expect([count(outcomes, 'ok'), count(outcomes, 'QUOTA_NOT_ENOUGH')]).toEqual([20, 20]);
    expect((await usable(of.main))[0]).toBe(0);
    expect(await brokenInvariants(fixture.owner, of.main)).toEqual({});
  });

  it('never take held characters back, and the hold settles', async () => {
    const of = await family(0, 1_000);
    const holds = Array.from({ length: 10 }, () => to(of.sub, of.main));
    for (const at of holds) expect(await hold(at, 60)).toBe('ok');
    const outcomes = await Promise.all([...holds.map(settle), ...Array.from({ length: 10 }, () => give(of, -100))]);
    expect(outcomes.slice(0, 10)).toEqual(holds.map(() => 'ok'));
    expect(count(outcomes.slice(10), 'ok')).toBe(4);
    expect(await usable(of.main, of.sub)).toEqual([400, 0]);
  });

  it('keep every hold covered by a conversion, which loses no more than it rounds', async () => {
    for (let round = 0; round < 5; round++) {
      const of = await family(10_000, 10_000);
      const open = Array.from({ length: 8 }, (_, i) => to(i % 2 ? of.sub : of.main, of.main));
      for (const at of open) expect(await hold(at, 101)).toBe('ok');
      const fresh = Array.from({ length: 8 }, (_, i) => to(i % 2 ? of.sub : of.main, of.main));
      const outcomes = await Promise.all([
        ...open.map(settle),
        convert(of.main),
        ...fresh.map(async (at) => ((await hold(at, 99)) === 'ok' ? settle(at) : 'refused')),
      ]);
      expect(new Set(outcomes)).toEqual(new Set(['ok']));
      expect(await brokenInvariants(fixture.owner, of.main)).toEqual({});
      // In characters of the cheap channel: 20,000 minus the translations (each at its price) minus rounding.
      const { rows } = await fixture.owner.query<{ worth: number }>(
        `SELECT sum(usable_char_num * 2)::int + (SELECT coalesce(sum(CASE last_tran_channel_id WHEN 1 THEN 1 ELSE 2 END * -char_change), 0)
           FROM account_log WHERE family_id = $1 AND user_id = $1 AND log_type = 7)::int AS worth FROM member_account WHERE user_id = $1`,
        [of.main],
      );
      expect(rows[0]?.worth).toBeLessThanOrEqual(10_000);
      expect(rows[0]?.worth).toBeGreaterThanOrEqual(10_000 - 20);
    }
  });

  it('release holds on deletion; a late settlement is refused, and nothing is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const of = await family(0, 500);
      const at = to(of.sub, of.main);
      expect(await hold(at, 120)).toBe('ok');
      const [settled, recovered] = await Promise.all([settle(at), recover(of)]);
      expect(recovered).toBe('ok');
      const [main, sub] = await usable(of.main, of.sub);
      expect([settled, main, sub]).toEqual(settled === 'ok' ? ['ok', 380, 0] : ['QUOTA_NOT_ENOUGH', 500, 0]);
      expect(await brokenInvariants(fixture.owner, of.main)).toEqual({});
    }
  });

  it('release everything when a family closes, whatever its members are doing', async () => {
    const main = await fixture.member({ charChange: 1_000 });
    const subs = await Promise.all(Array.from({ length: 10 }, () => fixture.member({ charChange: 100 }, main)));
    const holds = [main, ...subs].map((userId) => to(userId, main));
    for (const at of holds) expect(await hold(at, 70)).toBe('ok');
    const cmdId = uuid7();
    const close = move(
      main,
      (accounts) =>
        accounts
          .filter((account) => account.userId !== main)
          .flatMap((child, i) => {
            const pairId = i === 0 ? cmdId : uuid7();
            return recovery({ mainId: main, childId: child.userId }, child.state).map((side) => ({
              ...side,
              cmdId: pairId,
            }));
          }),
      { cmdId, releaseHolds: [main, ...subs] },
    );
    const [closed, ...settled] = await Promise.all([outcomeOf(close), ...holds.map(settle)]);
    expect(closed).toBe('ok');
    // The main account got everything back, so its own late settlement succeeds; the sub-account's does not.
    const { rows } = await fixture.owner.query<{ total: number; held: number }>(
      'SELECT sum(usable_char_num)::int AS total, sum(held_char_num)::int AS held FROM member_account WHERE family_id = $1',
      [main],
    );
    expect(rows).toEqual([{ total: 2_000 - 70 * count(settled, 'ok'), held: 0 }]);
    expect((await usable(...subs)).every((n) => n === 0)).toBe(true);
  });

  it('apply identical simultaneous commands once', async () => {
    const of = await family(1_000, 0);
    const cmdId = uuid7();
    expect(new Set(await Promise.all(Array.from({ length: 12 }, () => give(of, 70, cmdId))))).toEqual(new Set(['ok']));
    expect(await usable(of.main, of.sub)).toEqual([930, 70]);
    expect(await give(of, 70, cmdId)).toBe('ok');
    expect(await usable(of.main, of.sub)).toEqual([930, 70]);
  });

  it('end 300 commands across a family without a deadlock', async () => {
    const main = await fixture.member({ charChange: 200_000 });
    const subs = await Promise.all([1, 2, 3, 4].map(() => fixture.member({ charChange: 2_000 }, main)));
    await fixture.owner.query('UPDATE member SET auto_distribution = true WHERE parent_id = $1', [main]);
    const before = await fixture.owner.query<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    const one = async (n: number): Promise<string> => {
      const of = { main, sub: subs[n % 4] ?? 0 };
      if (n % 5 === 0) return give(of, 300);
      if (n % 5 === 1) return give(of, -300);
      if (n % 25 === 2) return convert(main);
      const at = to(n % 5 === 3 ? main : of.sub, main);
      const held = await hold(at, 1 + ((n * 97) % 1_500));
      return held === 'ok' ? settle(at) : held;
    };
    const outcomes = await Promise.all(Array.from({ length: 300 }, (_, n) => one(n)));
    expect(outcomes.filter((o) => o !== 'ok' && o !== 'QUOTA_NOT_ENOUGH')).toEqual([]);
    expect(count(outcomes, 'ok')).toBeGreaterThan(200);
    const after = await fixture.owner.query<{ deadlocks: number }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(after.rows).toEqual(before.rows);
    expect(await brokenInvariants(fixture.owner, main)).toEqual({});
  });

  it('alternate between two writers and postings: a writer never trusts its cache', async () => {
    const userId = await fixture.member({ charChange: 3_000 });
    const driverOptions = { options: `-c role=${APP_ROLE}` };
    const other = new LedgerWriter({ connectionString: fixture.url, ...driverOptions });
    try {
      let expected = 3_000;
      for (let n = 0; n < 60; n++) {
        const writer = n % 3 === 2 ? other : fixture.writer;
        const at = to(userId, userId);
        await writer.hold({ ...at, ask: { kind: 'text', codePoints: 7 } });
        // Held by one process, settled by another; or released by a sweep elsewhere and charged again.
        if (n % 4 === 1) await other.release({ ...at, usage: null });
        await (n % 5 === 0 ? other : writer).settle({ ...at, usage });
        expected -= 7;
        if (n % 7 === 0) {
          await fixture.post(userId, { type: 'SYS_ADJUST', charChange: 3 });
          expected += 3;
        }
      }
      expect((await usable(userId))[0]).toBe(expected);
      // Changed directly in the database: the row counts, not the cache.
      const last = to(userId, userId);
      expect(await hold(last, 1)).toBe('ok');
      expect(await settle(last)).toBe('ok');
      await fixture.post(userId, { type: 'SYS_ADJUST', expireAt: Date.now() - 1 });
      expect(await hold(to(userId, userId), 1)).toBe('PACKAGE_EXPIRED');
      await fixture.post(userId, { type: 'SYS_ADJUST', expireAt: Date.now() + 60_000, charChange: -(expected - 1) });
      expect(await hold(to(userId, userId), 1)).toBe('QUOTA_NOT_ENOUGH');
      // An id that was charged before is not charged again, cached or not.
      expect(await hold(last, 1)).toBe('ok');
      expect(await settle(last)).toBe('ok');
      expect((await usable(userId))[0]).toBe(0);
    } finally {
      await other.close();
    }
  });
});
