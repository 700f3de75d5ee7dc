/** Several processes write the same accounts: each has its own cache of them, and none ever trusts it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { distribution } from '@yiqiao/domain/movements';
import fc from 'fast-check';
import pg from 'pg';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { Ledger, type Hold } from '../src/ledger/ledger.js';
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { createLedgerFixture, outcomeOf, usage, type LedgerFixture } from './support/ledger-fixture.js';

let fixture: LedgerFixture;
let other: LedgerWriter;
let one: Ledger;
let two: Ledger;
beforeAll(async () => {
  fixture = await createLedgerFixture();
  other = new LedgerWriter({ connectionString: fixture.url, options: `-c role=${APP_ROLE}` });
  one = fixture.ledger;
  two = new Ledger(fixture.orm.em, other);
});
afterAll(async () => {
  expect(await brokenInvariants(fixture.owner)).toEqual({});
  expect((await auditLedger(fixture.owner)).difference).toBeNull();
  await other.close();
  await fixture.drop();
});

type To = Pick<Hold, 'id' | 'userId' | 'familyId'>;
const to = (userId: number, familyId = userId): To => ({ id: uuid7(), userId, familyId });
const hold = (ledger: Ledger, at: To, codePoints = 1): Promise<string> =>
  outcomeOf(ledger.hold({ ...at, ask: { kind: 'text', codePoints } }));
const translate = async (ledger: Ledger, at: To, codePoints = 1): Promise<string> => {
  const held = await hold(ledger, at, codePoints);
  return held === 'ok' ? outcomeOf(ledger.settle({ ...at, usage })) : held;
};

describe('what a command costs', () => {
  /** The statements that any writer has sent since the last look, by the first part of their name. */
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  const statements = (): string[] => {
    const names = sent.mock.calls.flatMap(([query]) =>
      typeof query === 'object' && 'name' in (query as object) ? [String((query as { name: string }).name)] : [],
    );
    sent.mockClear();
    return names.map((name) => name.replace(/^1:/, '').replace(/\+.*/, ''));
  };
  beforeEach(() => void statements());
  afterAll(() => sent.mockRestore());

  it('one statement each, whoever wrote other accounts of the batch; two for the account that another process wrote', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => fixture.member({ charChange: 1_000 })));
    const [mine, ...quiet] = ids;
    if (mine === undefined) throw new Error('unreachable');
    const all = (): Promise<string[]> => Promise.all(ids.map((userId) => translate(one, to(userId))));
    await all();
    await translate(two, to(mine));
    statements();
    // The first batch learns that one account has changed; it reads that one alone.
    expect(new Set(await all())).toEqual(new Set(['ok']));
    expect(statements()).toEqual(['confirm', 'read-accounts', 'confirm', 'read-accounts', 'read-holds', 'confirm']);
    expect(new Set(await Promise.all(quiet.map((userId) => translate(one, to(userId)))))).toEqual(new Set(['ok']));
    expect(statements()).toEqual(['confirm', 'confirm']);
    // Left alone it is believed again.
    await translate(one, to(mine));
    statements();
    await translate(one, to(mine));
    expect(statements()).toEqual(['confirm', 'confirm']);
  });

  it("one statement for a sub-account's hold; another when its main account's package changed", async () => {
    const main = await fixture.member({ charChange: 1_000 });
    const sub = await fixture.member({ charChange: 1_000 }, main);
    await translate(one, to(sub, main));
    statements();
    expect(await translate(one, to(sub, main))).toBe('ok');
    // What the main account itself translates does not matter.
    await translate(two, to(main));
    expect(await translate(one, to(sub, main))).toBe('ok');
    expect(statements()).toEqual([
      ...['confirm', 'confirm'],
      ...['read-accounts', 'confirm', 'confirm'],
      ...['confirm', 'confirm'],
    ]);
    await fixture.post(main, { type: 'SYS_ADJUST', expireAt: Date.now() - 1 });
    statements();
    expect(await hold(one, to(sub, main))).toBe('PACKAGE_EXPIRED');
    expect(statements()).toEqual(['confirm', 'read-accounts', 'confirm']);
  });
});

describe('two processes on the same accounts', () => {
  const step = fc.record({
    who: fc.nat(3),
    by: fc.nat(1),
    settledBy: fc.nat(1),
    codePoints: fc.integer({ min: 1, max: 120 }),
    end: fc.constantFrom('settle', 'settle', 'partly', 'release', 'twice', 'note', 'give', 'take', 'expire'),
  });

  it('charge exactly what was delivered, once, in any interleaving', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
        const main = await fixture.member({ charChange: 30_000 });
        const subs = await Promise.all([800, 500, 0].map((charChange) => fixture.member({ charChange }, main)));
        // The last one takes what it lacks from the main account.
        await fixture.owner.query('UPDATE member SET auto_distribution = true WHERE id = $1', [subs[2]]);
        const ids = [main, ...subs];
        const ledgers = [one, two];
        const charged = new Map(ids.map((id) => [id, 0]));
        const add = (id: number, n: number): void => void charged.set(id, (charged.get(id) ?? 0) + n);
        const take = async ({ who, by, settledBy, codePoints, end }: (typeof steps)[number]): Promise<string> => {
          const userId = ids[who] ?? 0;
          const [first, last] = [ledgers[by], ledgers[settledBy]];
          if (!first || !last) throw new Error('unreachable');
          const at = to(userId, main);
          if (end === 'note') return outcomeOf(first.note({ ...at, codePoints, usage, free: 'gloss' }));
          if (end === 'expire') {
            const outcome = await outcomeOf(
              fixture.post(main, { type: 'SYS_ADJUST', expireAt: Date.now() + 60_000 + codePoints }),
            );
            return outcome;
          }
          if (end === 'give' || end === 'take') {
            if (userId === main) return 'ok';
            const charNum = end === 'give' ? codePoints : -codePoints;
            const quota = { charNum, voiceNum: 0, imageNum: 0 };
            return outcomeOf(
              fixture.orm.em.fork().transactional((em) =>
                fixture.ledger.move(
                  em,
                  { familyId: main },
                  {
                    rule: () => [...distribution({ mainId: main, childId: userId }, quota)],
                    command: { cmdId: uuid7() },
                  },
                ),
              ),
            );
          }
          const held = await hold(first, at, codePoints);
          if (held !== 'ok') return held;
          if (end === 'release') return outcomeOf(last.release({ ...at, usage }));
          const part = end === 'partly' ? Math.ceil(codePoints / 2) : codePoints;
          const delivered = { codePoints: part, charNum: part, of: codePoints };
          const settle = { ...at, usage, ...(part < codePoints && { delivered }) };
          const outcomes = await Promise.all(
            (end === 'twice' ? [first, last] : [last]).map((ledger) => outcomeOf(ledger.settle(settle))),
          );
          add(userId, part);
          return outcomes.find((outcome) => outcome !== 'ok') ?? 'ok';
        };
        const outcomes = await Promise.all(steps.map(take));
        expect(outcomes.filter((outcome) => outcome !== 'ok' && outcome !== 'QUOTA_NOT_ENOUGH')).toEqual([]);
        const balances = await fixture.ledger.balancesOf(ids);
        for (const id of ids) expect([id, balances.get(id)?.usedCharTotal]).toEqual([id, charged.get(id)]);
        const left = ids.reduce((sum, id) => sum + (balances.get(id)?.usableCharNum ?? 0), 0);
        const spent = [...charged.values()].reduce((sum, n) => sum + n, 0);
        expect(left).toBe(31_300 - spent);
        expect(await brokenInvariants(fixture.owner, main)).toEqual({});
      }),
      { seed: Number(process.env['SEED'] ?? 20_261_128), numRuns: 20, endOnFailure: true },
    );
  }, 120_000);

  it('never let an account starve under a writer that is faster', async () => {
    const userId = await fixture.member({ charChange: 1e6 });
    const counts = [0, 0];
    // Until both have done some: a writer that starved would never end.
    const goesOn = (): boolean => Math.min(...counts) < 20;
    const caller = async (ledger: Ledger, at: number): Promise<void> => {
      while (goesOn()) if ((await translate(ledger, to(userId))) === 'ok') counts[at] = (counts[at] ?? 0) + 1;
    };
    await Promise.all([
      ...Array.from({ length: 40 }, () => caller(one, 0)),
      ...Array.from({ length: 4 }, () => caller(two, 1)),
    ]);
    const [a = 0, b = 0] = counts;
    expect(await fixture.ledger.balanceOf(userId)).toMatchObject({ usableCharNum: 1e6 - a - b, usedCharTotal: a + b });
  });
});
