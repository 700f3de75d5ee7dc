/** Jobs that work on the accounts that changed find every one of them (docs/decisions/0068). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { type Changes, ChangedAccounts } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { waitUntil } from './support/wait-until.js';
import { createLedgerFixture, type LedgerFixture, writeReason } from './support/ledger-fixture.js';

let fixture: LedgerFixture;
let changed: ChangedAccounts;
let users: number[];
let reader: string;
let readers = 0;

beforeAll(async () => {
  fixture = await createLedgerFixture();
  changed = new ChangedAccounts(fixture.orm.em);
  users = [];
  for (let n = 0; n < 6; n++) users.push(await fixture.member({ charChange: 1_000 }));
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  reader = `reader ${++readers}`;
  await forgotten();
});

/**
 * Numbers of transactions belong to the whole server: those of other suites may still be open. Until they have ended, a reader's first run is not
 * completed, and what it was given is given again.
 */
const forgotten = (name = reader): Promise<number[] | null> =>
  waitUntil(
    () => read(name),
    (given) => given?.length === 0,
  );

/** What one run is given; null: every account. */
async function read(name = reader): Promise<number[] | null> {
  const given = new Set<number>();
  let all = false;
  await changed.since(name, ({ userIds }) => {
    all ||= userIds === null;
    for (const userId of userIds ?? []) given.add(userId);
    return Promise.resolve();
  });
  return all ? null : [...given].sort((a, b) => a - b);
}

/** A movement of an account in a transaction that stays open. */
async function begin(userId: number): Promise<{ commit: () => Promise<void>; rollback: () => Promise<void> }> {
  const em: EntityManager = fixture.orm.em.fork();
  await em.begin();
  const cmdId = uuid7();
  const managerId = await writeReason(em, { cmdId, userId });
  await fixture.ledger.post(em, userId, { type: 'SYS_ADJUST', charChange: 1, refs: { managerId } }, { cmdId });
  return { commit: () => em.commit(), rollback: () => em.rollback() };
}
const move = async (userId: number): Promise<void> => (await begin(userId)).commit();
const user = (n: number): number => users[n] ?? 0;

const markOf = async (): Promise<{ covered: number | null; next: number; next_xid: number } | undefined> => {
  const sql = 'SELECT covered, next, next_xid FROM ledger_reader WHERE name = $1';
  return (await fixture.owner.query<{ covered: number | null; next: number; next_xid: number }>(sql, [reader])).rows[0];
};

it('gives every account first, then those with new entries alone, each reader by itself', async () => {
  expect(await read('another')).toBeNull();
  await forgotten('another');
  await move(user(1));
  await move(user(3));
  await move(user(1));
  expect(await read()).toEqual([user(1), user(3)]);
  await forgotten();
  expect(await read('another')).toEqual([user(1), user(3)]);
});

it('finds an entry that is committed after one with a higher id', async () => {
  const late = await begin(user(0));
  await move(user(1));
  expect(await read()).toEqual([user(1)]);
  await move(user(2));
  expect(await read()).toEqual([user(1), user(2)]);
  await late.commit();
  expect(await read()).toEqual([user(0), user(1), user(2)]);
  await forgotten();
});

it('finds it also when the transaction was open at the first run', async () => {
  const late = await begin(user(4));
  reader = `reader ${++readers}`;
  expect(await read()).toBeNull();
  expect(await read()).toBeNull();
  await late.commit();
  expect(await read()).toBeNull();
  await forgotten();
  await move(user(5));
  expect(await read()).toEqual([user(5)]);
});

it('goes on after a transaction that is rolled back', async () => {
  const late = await begin(user(0));
  await move(user(1));
  expect(await read()).toEqual([user(1)]);
  await late.rollback();
  await forgotten();
});

it('gives the accounts again when the work fails, or its process ends', async () => {
  await move(user(2));
  await expect(changed.since(reader, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
  expect(await read()).toEqual([user(2)]);
  await forgotten();
});

it('is not moved back by a run that another one has overtaken', async () => {
  await move(user(2));
  let inside = 0;
  await changed.since(reader, async () => {
    if (inside++ > 0) return;
    expect(await read()).toEqual([user(2)]);
    await forgotten();
    await move(user(3));
    expect(await read()).toEqual([user(3)]);
    await forgotten();
  });
  await move(user(4));
  expect(await read()).toEqual([user(4)]);
});

it('goes on in another cluster, whose transactions have lower numbers', async () => {
  const sql = 'UPDATE ledger_reader SET next_xid = 9000000000000 WHERE name = $1';
  await fixture.owner.query(sql, [reader]);
  const late = await begin(user(0));
  await move(user(1));
  expect(await read()).toEqual([user(1)]);
  await late.commit();
  expect(await read()).toEqual([user(0), user(1)]);
  await forgotten();
});

it('tells the times of its last run and of this one, which never go back', async () => {
  const times: Changes[] = [];
  const note = (changes: Changes): Promise<void> => Promise.resolve(void times.push(changes));
  await changed.since(reader, note);
  await changed.since(reader, note);
  expect(times[1]?.after).toBe(times[0]?.at);
  const future = "UPDATE ledger_reader SET seen_at = now() + interval '1 hour' WHERE name = $1";
  await fixture.owner.query(future, [reader]);
  await changed.since(reader, note);
  expect(times[2]?.at).toBe(times[2]?.after);
  expect(await markOf()).toMatchObject({ covered: expect.any(Number) as unknown });
});

describe('for any order of commits and runs', () => {
  type Step = { do: 'begin' | 'commit' | 'rollback' | 'read' | 'fail'; n: number };
  const step = fc.record<Step>({
    do: fc.constantFrom('begin', 'begin', 'commit', 'commit', 'rollback', 'read', 'read', 'fail'),
    n: fc.nat(5),
  });

  it('no account is missed, and none is given for ever', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const open = new Map<number, Awaited<ReturnType<typeof begin>>>();
        const due = new Set<number>();
        const seen = async (): Promise<void> => {
          const given = await read();
          for (const userId of due) expect(given === null || given.includes(userId)).toBe(true);
          due.clear();
        };
        const end = async (n: number, how: 'commit' | 'rollback'): Promise<void> => {
          const one = open.get(n);
          if (!one) return;
          open.delete(n);
          await one[how]();
          if (how === 'commit') due.add(user(n));
        };
        for (const { do: what, n } of steps) {
          if (what === 'begin' && !open.has(n) && open.size < 4) open.set(n, await begin(user(n)));
          else if (what === 'commit' || what === 'rollback') await end(n, what);
          else if (what === 'read') await seen();
          else if (what === 'fail')
            await changed.since(reader, () => Promise.reject(new Error('killed'))).catch(() => undefined);
        }
        for (const n of open.keys()) await end(n, 'commit');
        await seen();
        await forgotten();
      }),
      { numRuns: 25 },
    );
  });
});
