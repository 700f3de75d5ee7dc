import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { createLedgerFixture, outcomeOf, type LedgerFixture } from './support/ledger-fixture.js';

describe('postings', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
  });
  afterAll(async () => {
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.drop();
  });

  it('apply a command once and return its first entry again', async () => {
    const userId = await fixture.member({ charChange: 5 });
    const cmdId = uuid7();
    const gift = { type: 'INVITE_REWARD', charChange: 10_000 } as const;
    const entries = await Promise.all([1, 2, 3, 4].map(() => fixture.post(userId, gift, cmdId)));
    expect(new Set(entries.map((entry) => entry.seq))).toEqual(new Set([2]));
    expect(entries[0]).toMatchObject({ lastCharNum: 10_005, typeSeq: 1, cmdId });
    expect(await outcomeOf(fixture.post(userId, { ...gift, charChange: 1 }, cmdId))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(10_005);
  });

  it('never use characters reserved by a translation', async () => {
    const userId = await fixture.member({ charChange: 100 });
    await fixture.ledger.hold({ id: uuid7(), userId, familyId: userId, ask: { kind: 'text', codePoints: 60 } });
    expect(await outcomeOf(fixture.post(userId, { type: 'SYS_ADJUST', charChange: -41 }))).toBe('QUOTA_NOT_ENOUGH');
    expect(await outcomeOf(fixture.post(userId, { type: 'SYS_ADJUST', charChange: -40 }))).toBe('ok');
  });

  it('move between accounts of a family completely or not at all, in both directions at once without a deadlock', async () => {
    const main = await fixture.member({ charChange: 1000 });
    const child = await fixture.member({ charChange: 1000 }, main);
    const move = (from: number, to: number, n: number): Promise<string> =>
      outcomeOf(
        fixture.orm.em.fork().transactional((em) =>
          fixture.ledger.postAll(
            em,
            [
              { userId: from, movement: { type: 'DISTRIBUTION', charChange: -n, refs: { counterpartId: to } } },
              { userId: to, movement: { type: 'DISTRIBUTION', charChange: n, refs: { counterpartId: from } } },
            ],
            { cmdId: uuid7() },
          ),
        ),
      );
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? move(main, child, 7) : move(child, main, 7))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
    expect(await move(main, child, 1001)).toBe('QUOTA_NOT_ENOUGH');
    expect((await fixture.ledger.balanceOf(main)).usableCharNum).toBe(1000);
    expect((await fixture.ledger.balanceOf(child)).usableCharNum).toBe(1000);
  });

  it('are rolled back with their transaction', async () => {
    const userId = await fixture.member({ charChange: 5 });
    const failed = fixture.orm.em.fork().transactional(async (em) => {
      await fixture.ledger.post(em, userId, { type: 'SYS_ADJUST', charChange: 5 }, { cmdId: uuid7() });
      throw new Error('later');
    });
    await expect(failed).rejects.toThrow('later');
    expect((await fixture.ledger.balanceOf(userId)).usableCharNum).toBe(5);
    expect(await outcomeOf(fixture.ledger.balanceOf(999_999))).toBe('NOT_FOUND');
  });
});
