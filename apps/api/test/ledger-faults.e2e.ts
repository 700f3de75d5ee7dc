import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { ReleaseStaleHoldsHandler } from '../src/ledger/writer/release-stale-holds.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { createLedgerFixture, usage, WRITER_NAME, type LedgerFixture } from './support/ledger-fixture.js';

const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : String(error));

describe('the ledger writer under faults', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
  });
  afterAll(() => fixture.drop());

  it('loses no acknowledged charge and repeats none while its connections are killed', async () => {
    const users = [await fixture.member({ charChange: 1e6 }), await fixture.member({ charChange: 1e6 })];
    const charged: string[] = [];
    const others: string[] = [];
    let isOver = false;
    const caller = async (_: unknown, n: number): Promise<void> => {
      while (!isOver) {
        const userId = users[n % 2] ?? 0;
        const to = { id: uuid7(), userId, familyId: userId };
        try {
          await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 3 } });
          expect((await fixture.ledger.settle({ ...to, usage })).charged).toBe(3);
          charged.push(to.id);
        } catch (error) {
          others.push(codeOf(error));
        }
      }
    };
    let kills = 0;
    const killer = async (): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        // However slow the machine: each kill hits a writer that is working again, at a random point.
        const before = charged.length;
        while (charged.length < before + 80 && others.length === 0) await sleep(10);
        await sleep(round * 3);
        const { rowCount } = await fixture.owner.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = $1`,
          [WRITER_NAME],
        );
        kills += rowCount ?? 0;
      }
      isOver = true;
    };
    await Promise.all([killer(), ...Array.from({ length: 40 }, caller)]);
    expect(kills).toBeGreaterThanOrEqual(12);
    // Killed connections cost time only: the commands are sent again.
    expect(others).toEqual([]);
    const { rows } = await fixture.owner.query<{ cmd_id: string }>('SELECT cmd_id FROM account_log WHERE log_type = 7');
    expect(rows.map((row) => row.cmd_id).sort()).toEqual([...charged].sort());
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    const balances = await fixture.ledger.balancesOf(users);
    const left = users.reduce((sum, userId) => sum + (balances.get(userId)?.usableCharNum ?? 0), 0);
    expect(left).toBe(2e6 - 3 * charged.length);
  });

  it('parks the commands of a locked account, repeatedly, and serves them in the end', async () => {
    const alone = await createLedgerFixture({ connections: 1 });
    const locked = await alone.member({ charChange: 100 });
    const other = await alone.member({ charChange: 10_000 });
    const client = await alone.owner.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM member_account WHERE user_id = $1 FOR UPDATE', [locked]);
    const ask = { kind: 'text', codePoints: 1 } as const;
    const waiting: Promise<unknown>[] = [];
    for (let wave = 0; wave < 12; wave++) {
      waiting.push(alone.ledger.hold({ id: uuid7(), userId: locked, familyId: locked, ask }));
      await sleep(20);
      await alone.ledger.hold({ id: uuid7(), userId: other, familyId: other, ask });
    }
    await client.query('ROLLBACK');
    client.release();
    // If every wave had waited for the lock again, the first callers would have timed out.
    expect(await Promise.all(waiting)).toHaveLength(12);
    expect(await alone.ledger.balanceOf(locked)).toMatchObject({ usableCharNum: 88 });
    expect((await auditLedger(alone.owner)).difference).toBeNull();
    await alone.drop();
  });

  it('releases holds left by a crash, and deletes ended holds after a day', async () => {
    const userId = await fixture.member({ charChange: 100 });
    const [crashed, alive] = [uuid7(), uuid7()];
    for (const id of [crashed, alive])
      await fixture.ledger.hold({ id, userId, familyId: userId, ask: { kind: 'text', codePoints: 30 } });
    await fixture.owner.query("UPDATE ledger_hold SET expires_at = now() - interval '1 s' WHERE id = $1", [crashed]);
    const sweep = new ReleaseStaleHoldsHandler(fixture.orm.em, fixture.writer);
    expect([await sweep.execute(), await sweep.execute()]).toEqual([1, 0]);
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 70, usedCharTotal: 0 });
    const { rows } = await fixture.owner.query('SELECT 1 FROM translation_log WHERE user_id = $1', [userId]);
    expect(rows).toHaveLength(0);
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.owner.query("UPDATE ledger_hold SET released_at = now() - interval '25 hours' WHERE id = $1", [
      crashed,
    ]);
    await sweep.execute();
    const left = await fixture.owner.query<{ id: string }>('SELECT id FROM ledger_hold WHERE user_id = $1', [userId]);
    expect(left.rows.map((row) => row.id)).toEqual([alive]);
  });

  it('rejects callers beyond its queue and serves those that it accepted', async () => {
    const small = await createLedgerFixture({ connections: 1, queue: 32, batch: 8, share: 4 });
    try {
      const userId = await small.member({ charChange: 1000 });
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, () =>
          small.ledger.hold({ id: uuid7(), userId, familyId: userId, ask: { kind: 'text', codePoints: 1 } }).then(
            () => 'held',
            (error: unknown) =>
              error instanceof Refusal ? `${error.code} ${error.details.retryAfterSeconds}` : String(error),
          ),
        ),
      );
      expect(outcomes.filter((o) => o === 'held')).toHaveLength(32);
      expect(outcomes.filter((o) => o === 'SERVICE_BUSY 2')).toHaveLength(168);
      expect((await small.ledger.balanceOf(userId)).usableCharNum).toBe(968);
    } finally {
      await small.drop();
    }
  });

  it('reports busy while the database is unavailable, and drains when it is closed', async () => {
    const options = { connections: 1, deadlines: { open: 3_000, close: 3_000 } };
    const other = await createLedgerFixture(options);
    const userId = await other.member({ charChange: 1000 });
    const hold = (): Promise<string> =>
      other.ledger
        .hold({ id: uuid7(), userId, familyId: userId, ask: { kind: 'text', codePoints: 1 } })
        .then(() => 'held', codeOf);
    const name = new URL(other.url).pathname.slice(1);
    await hold();
    await fixture.owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await fixture.owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    expect(await hold()).toBe('SERVICE_BUSY');
    await fixture.owner.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    expect(await hold()).toBe('held');
    const last = Array.from({ length: 50 }, hold);
    await other.writer.close();
    expect(new Set(await Promise.all(last))).toEqual(new Set(['held']));
    expect(await hold()).toBe('SERVICE_BUSY');
    await other.drop();
  });
});
