import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { autoShare } from '@yiqiao/domain/movements';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { createLedgerFixture, outcomeOf, usage, type LedgerFixture } from './support/ledger-fixture.js';

describe('auto-distribution', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
  });
  afterAll(async () => {
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.drop();
  });

  /** A main account with one sub-account; `shares`: the sub-account's flag. */
  const family = async (charNum: number, { own = 0, shares = true } = {}): Promise<{ main: number; sub: number }> => {
    const main = await fixture.member({ charChange: charNum });
    const sub = await fixture.member({ charChange: own }, main);
    await fixture.owner.query('UPDATE member SET auto_distribution = $2 WHERE id = $1', [sub, shares]);
    return { main, sub };
  };
  const hold = (of: { main: number; sub: number }, codePoints: number, id = uuid7()): Promise<string> =>
    outcomeOf(fixture.ledger.hold({ id, userId: of.sub, familyId: of.main, ask: { kind: 'text', codePoints } }));
  const usable = async (...ids: number[]): Promise<number[]> => {
    const balances = await fixture.ledger.balancesOf(ids);
    return ids.map((id) => balances.get(id)?.usableCharNum ?? Number.NaN);
  };
  const shares = async (userId: number): Promise<number[]> => {
    const { rows } = await fixture.owner.query<{ char_change: number }>(
      'SELECT char_change FROM account_log WHERE user_id = $1 AND log_type = 5 ORDER BY seq',
      [userId],
    );
    return rows.map((row) => Number(row.char_change));
  };

  it('transfers the shortfall in steps of 10,000, with an entry on both sides, in the transaction of the hold', async () => {
    const of = await family(100_000, { own: 7 });
    const id = uuid7();
    expect(await hold(of, 10, id)).toBe('ok');
    expect(await usable(of.main, of.sub)).toEqual([90_000, 9_997]);
    expect(await shares(of.main)).toEqual([-10_000]);
    const { rows } = await fixture.owner.query(
      `SELECT counterpart_id::int AS other, char_change::int AS change, last_tran_channel_id AS channel, consume_tran_channel_id AS through,
         count(*) OVER (PARTITION BY cmd_id)::int AS sides
       FROM account_log WHERE family_id = $1 AND log_type = 5 ORDER BY user_id`,
      [of.main],
    );
    expect(rows).toEqual([
      { other: of.sub, change: -10_000, channel: 1, through: 1, sides: 2 },
      { other: of.main, change: 10_000, channel: 1, through: 1, sides: 2 },
    ]);
    // A repeated hold distributes nothing more.
    expect(await hold(of, 10, id)).toBe('ok');
    expect(await usable(of.main, of.sub)).toEqual([90_000, 9_997]);
    expect(await fixture.ledger.settle({ id, userId: of.sub, familyId: of.main, usage })).toMatchObject({
      charged: 10,
    });
    expect(await hold(of, 5_000)).toBe('ok');
    expect(await hold(of, 5_000)).toBe('ok');
    expect(await shares(of.main)).toEqual([-10_000, -10_000]);
  });

  it('transfers the price of the text, not its length: another channel may cost six times as much', async () => {
    const of = await family(100_000, { own: 7 });
    const to = { id: uuid7(), userId: of.sub, familyId: of.main };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 7, charNum: 10_008 } });
    expect(await usable(of.main, of.sub)).toEqual([80_000, 9_999]);
    expect(await fixture.ledger.settle({ ...to, usage })).toMatchObject({ charged: 10_008 });
  });

  it('transfers all free characters if they suffice, and nothing if not', async () => {
    const of = await family(6_000);
    await fixture.ledger.hold({
      id: uuid7(),
      userId: of.main,
      familyId: of.main,
      ask: { kind: 'text', codePoints: 1_000 },
    });
    expect(await hold(of, 5_000)).toBe('ok');
    expect(await usable(of.main, of.sub)).toEqual([0, 0]);
    expect(await hold(of, 1)).toBe('QUOTA_NOT_ENOUGH');
    expect(await shares(of.sub)).toEqual([5_000]);
  });

  it('transfers nothing without the flag, to a closed account, for an expired package, for voice or pictures', async () => {
    const off = await family(50_000, { shares: false });
    expect(await hold(off, 1)).toBe('QUOTA_NOT_ENOUGH');
    const closed = await family(50_000);
    await fixture.owner.query('UPDATE member SET closed_at = now(), nickname = NULL WHERE id = $1', [closed.sub]);
    expect(await hold(closed, 1)).toBe('QUOTA_NOT_ENOUGH');
    const expired = await family(50_000);
    await fixture.post(expired.main, { type: 'SYS_ADJUST', expireAt: Date.now() - 1 });
    expect(await hold(expired, 1)).toBe('PACKAGE_EXPIRED');
    const rich = await family(50_000);
    await fixture.post(rich.main, { type: 'SYS_ADJUST', voiceChange: 9, imageChange: 9 });
    for (const ask of [{ kind: 'voice', minutes: 1 }, { kind: 'image' }] as const)
      expect(await outcomeOf(fixture.ledger.hold({ id: uuid7(), userId: rich.sub, familyId: rich.main, ask }))).toBe(
        'QUOTA_NOT_ENOUGH',
      );
    for (const each of [off, closed, expired, rich]) expect(await usable(each.main, each.sub)).toEqual([50_000, 0]);
    // Main accounts have no auto-distribution.
    expect(
      await outcomeOf(
        fixture.ledger.hold({
          id: uuid7(),
          userId: rich.main,
          familyId: rich.main,
          ask: { kind: 'text', codePoints: 50_001 },
        }),
      ),
    ).toBe('QUOTA_NOT_ENOUGH');
  });

  it('transfers again when a released hold is repeated and falls short again', async () => {
    const of = await family(30_000);
    const id = uuid7();
    const again = { id, userId: of.sub, familyId: of.main };
    expect(await hold(of, 8_000, id)).toBe('ok');
    await fixture.ledger.release({ ...again, usage: null });
    await fixture.post(of.sub, { type: 'SYS_ADJUST', charChange: -10_000 });
    expect(await hold(of, 8_000, id)).toBe('ok');
    expect(await shares(of.sub)).toEqual([10_000, 10_000]);
    expect(await fixture.ledger.settle({ ...again, usage })).toMatchObject({ charged: 8_000 });
    expect(await usable(of.main, of.sub)).toEqual([10_000, 2_000]);
  });

  it('stays exact when 60 holds of several sub-accounts compete for a small main balance', async () => {
    const main = await fixture.member({ charChange: 64_321 });
    const subs = await Promise.all([0, 1, 2, 3].map(() => fixture.member({ charChange: 1_000 }, main)));
    await fixture.owner.query('UPDATE member SET auto_distribution = true WHERE parent_id = $1', [main]);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) => hold({ main, sub: subs[n % 4] ?? 0 }, 1_500 + (n % 5) * 100)),
    );
    const total = 64_321 + 4_000;
    const { rows } = await fixture.owner.query<{ user_id: number; n: number; held: number }>(
      'SELECT user_id, usable_char_num AS n, held_char_num AS held FROM member_account WHERE family_id = $1 ORDER BY 1',
      [main],
    );
    expect(rows.reduce((sum, row) => sum + Number(row.n), 0)).toBe(total);
    for (const row of rows) expect(Number(row.held)).toBeLessThanOrEqual(Number(row.n));
    expect(outcomes.filter((o) => o !== 'ok' && o !== 'QUOTA_NOT_ENOUGH')).toEqual([]);
    // A hold was refused only if the rest of the main account did not cover the missing characters.
    expect(outcomes.filter((o) => o === 'QUOTA_NOT_ENOUGH').length).toBeGreaterThan(10);
    for (const sub of subs) {
      const [left = 0, free = 0] = await usable(sub, main);
      const payable = left >= 1_500 || autoShare(1_500 - left, free) !== null;
      expect(await hold({ main, sub }, 1_500)).toBe(payable ? 'ok' : 'QUOTA_NOT_ENOUGH');
    }
    // Full steps, and the rest of the main account at most once: nothing of it is left then.
    const given = await shares(main);
    expect(given.filter((n) => n !== -10_000).length).toBeLessThanOrEqual(1);
    expect((await shares(main)).reduce((sum, n) => sum + n, 0)).toBe(
      -(await Promise.all(subs.map(shares))).flat().reduce((sum, n) => sum + n, 0),
    );
  });
});
