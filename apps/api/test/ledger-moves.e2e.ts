import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Tariff } from '@yiqiao/domain/conversion';
import type { Entry } from '@yiqiao/domain/ledger';
import { distribution, recovery, type Sides } from '@yiqiao/domain/movements';
import { auditLedger } from '../src/ledger/audit/audit.js';
import type { AccountView, MoveCommand, Posting, Rule, Which } from '../src/ledger/ledger.js';
import { convertFamily } from '../src/members/convert-family.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { LedgerPurchases } from './support/ledger-purchases.js';
import { createLedgerFixture, outcomeOf, usage, type LedgerFixture } from './support/ledger-fixture.js';

const CHEAP: Tariff = { billingMode: 'char', tranChannelId: 1, charPrice: 10, minutePrice: 1, referencePrice: 10 };
const DEAR: Tariff = { billingMode: 'char', tranChannelId: 2, charPrice: 40, minutePrice: 1, referencePrice: 40 };

/** Both sides of a movement share one id. */
const under = (cmdId: string, sides: Sides): Posting[] => sides.map((side) => ({ ...side, cmdId }));

const isMain = (account: AccountView): boolean => account.userId === account.familyId;

/** Returns everything of the sub-accounts: a pair of entries for each, the first under the command's own id. */
const recoverAll =
  (cmdId: string): Rule =>
  (accounts) =>
    accounts
      .filter((account) => !isMain(account))
      .flatMap((child, i) =>
        under(i === 0 ? cmdId : uuid7(), recovery({ mainId: child.familyId, childId: child.userId }, child.state)),
      );

const convertAll =
  (from: Tariff, to: Tariff): Rule =>
  (accounts, now) =>
    convertFamily(accounts, { type: 'MATRIX', from, to }, now);

describe('family movements', () => {
  let fixture: LedgerFixture;
  let purchases: LedgerPurchases;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    purchases = await LedgerPurchases.open(fixture);
    await fixture.owner.query(
      "INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (2, 'dear', '贵', 'Dear', 40)",
    );
  });
  afterAll(async () => {
    expect((await auditLedger(fixture.owner)).difference).toBeNull();
    await fixture.drop();
  });

  const move = (which: Which, rule: Rule, command: Partial<MoveCommand> = {}): Promise<Entry[]> =>
    fixture.orm.em
      .fork()
      .transactional((em) => fixture.ledger.move(em, which, { rule, command: { cmdId: uuid7(), ...command } }));
  const hold = (userId: number, familyId: number, codePoints: number, id = uuid7()): Promise<string> =>
    fixture.ledger.hold({ id, userId, familyId, ask: { kind: 'text', codePoints } }).then(() => id);
  const usable = async (userId: number): Promise<number> => (await fixture.ledger.balanceOf(userId)).usableCharNum;

  it('write only changed accounts, and each of several movements of one account', async () => {
    const main = await fixture.member({ charChange: 100 });
    const [a, b, c] = [
      await fixture.member({ charChange: 5, voiceChange: 1 }, main),
      await fixture.member({ charChange: 7 }, main),
      await fixture.member({ charChange: 9 }, main),
    ];
    const written = async (): Promise<unknown[]> =>
      (await fixture.owner.query<{ xmin: unknown }>('SELECT xmin FROM member_account WHERE user_id = $1', [c])).rows;
    const before = await written();
    const cmdId = uuid7();
    const rule: Rule = (accounts) =>
      recoverAll(cmdId)(
        accounts.filter((account) => account.userId !== c),
        0,
      );
    const entries = await move({ familyId: main }, rule, { cmdId });
    expect(entries.map((e) => [e.userId, e.charChange, e.lastCharNum, e.seq, e.typeSeq])).toEqual([
      [main, 5, 105, 2, 1],
      [a, -5, 0, 2, 1],
      [main, 7, 112, 3, 2],
      [b, -7, 0, 2, 1],
    ]);
    expect(await written()).toEqual(before);
    // A repetition changes nothing and returns the entries of the command.
    const again = await move({ familyId: main }, rule, { cmdId });
    expect(again.map((e) => [e.userId, e.seq])).toEqual([
      [main, 2],
      [a, 2],
    ]);
    expect(await usable(main)).toBe(112);
  });

  it('affect one family, and always write an entry under their own id', async () => {
    const [one, other] = [await fixture.member({ charChange: 1 }), await fixture.member({ charChange: 1 })];
    const both: Posting[] = [
      { userId: one, movement: { type: 'SYS_ADJUST', charChange: 1 } },
      { userId: other, movement: { type: 'SYS_ADJUST', charChange: 1 } },
    ];
    expect(await outcomeOf(move({ userIds: [one, other] }, () => both))).toMatch(/one family/);
    const postAll = fixture.orm.em.fork().transactional((em) => fixture.ledger.postAll(em, both, { cmdId: uuid7() }));
    expect(await outcomeOf(postAll)).toMatch(/one family/);
    expect(
      await outcomeOf(move({ userIds: [one] }, () => [both[1] ?? { userId: 0, movement: { type: 'SYS_ADJUST' } }])),
    ).toBe('NOT_FOUND');
    const foreign: Posting = { userId: one, movement: { type: 'SYS_ADJUST', charChange: 1 }, cmdId: uuid7() };
    expect(await outcomeOf(move({ userIds: [one] }, () => [foreign]))).toMatch(/under its own id/);
    expect([await usable(one), await usable(other)]).toEqual([1, 1]);
  });

  it('change nothing when one posting is refused', async () => {
    const main = await fixture.member({ charChange: 100 });
    const child = await fixture.member({ charChange: 5 }, main);
    const held = await hold(main, main, 40);
    const rule: Rule = () => [
      ...distribution({ mainId: main, childId: child }, { charNum: 50, voiceNum: 0, imageNum: 0 }),
      { userId: main, movement: { type: 'SYS_ADJUST', charChange: -11 }, cmdId: uuid7() },
    ];
    expect(await outcomeOf(move({ familyId: main }, rule, { releaseHolds: [child] }))).toBe('QUOTA_NOT_ENOUGH');
    expect([await usable(main), await usable(child)]).toEqual([60, 5]);
    expect(await fixture.ledger.settle({ id: held, userId: main, familyId: main, usage })).toMatchObject({
      charged: 40,
    });
  });

  it('convert holds with the balances, oldest first, rounded up; they settle at the new price', async () => {
    const main = await fixture.member({ charChange: 103 });
    const child = await fixture.member({ charChange: 41 }, main);
    const holds = [await hold(main, main, 5), await hold(main, main, 90), await hold(child, main, 41)];
    await move({ familyId: main }, convertAll(CHEAP, DEAR));
    // 103 → 25: 5 → 2, 90 → 23 of which all that is left is reserved. 41 → 10: 41 → 11, of which 10.
    const { rows } = await fixture.owner.query<{ char_num: number }>(
      'SELECT char_num FROM ledger_hold WHERE id = ANY ($1) ORDER BY created_at, id',
      [holds],
    );
    expect(rows.map((row) => Number(row.char_num))).toEqual([2, 23, 10]);
    expect([await usable(main), await usable(child)]).toEqual([0, 0]);
    const settled = [];
    for (const [i, id] of holds.entries())
      settled.push(await fixture.ledger.settle({ id, userId: i === 2 ? child : main, familyId: main, usage }));
    expect(settled.map(({ charged }) => charged)).toEqual([2, 23, 10]);
    expect(await fixture.ledger.balanceOf(main)).toMatchObject({
      usableCharNum: 0,
      usedCharTotal: 95,
      tranChannelId: 2,
    });
  });

  it('release every hold of a closed account, including empty ones, and refuse late commands', async () => {
    const main = await purchases.memberInTimeMode({ charChange: 10, voiceChange: 1 });
    const child = await fixture.member({ charChange: 50 }, main);
    const [free, voice, text] = [await hold(main, main, 99), uuid7(), await hold(child, main, 20)];
    await fixture.ledger.hold({ id: voice, userId: main, familyId: main, ask: { kind: 'voice', minutes: 1 } });
    const cmdId = uuid7();
    const entries = await move({ familyId: main }, recoverAll(cmdId), { cmdId, releaseHolds: [main, child] });
    expect(entries.map((e) => e.charChange)).toEqual([50, -50]);
    expect(await fixture.ledger.balanceOf(main)).toMatchObject({ usableCharNum: 60, usableVoiceNum: 1 });
    expect(await outcomeOf(fixture.ledger.settle({ id: text, userId: child, familyId: main, usage }))).toBe(
      'QUOTA_NOT_ENOUGH',
    );
    const { rows } = await fixture.owner.query(
      'SELECT 1 FROM ledger_hold WHERE id = ANY ($1) AND released_at IS NOT NULL',
      [[free, voice, text]],
    );
    expect(rows).toHaveLength(3);
  });

  it('move a family of 10,000 sub-accounts in one transaction within seconds', async () => {
    const main = await fixture.member({ charChange: 10_000_000 });
    await fixture.owner.query(
      `WITH m AS (INSERT INTO member (family_id, parent_id, nickname, member_group_id)
         SELECT $1, $1, 'sub', 1 FROM generate_series(1, 10000) RETURNING id)
       INSERT INTO member_account (user_id, family_id) SELECT id, $1 FROM m`,
      [main],
    );
    const timed = async (rule: Rule, command: Partial<MoveCommand>): Promise<number> => {
      const started = performance.now();
      await move({ familyId: main }, rule, command);
      return Math.round(performance.now() - started);
    };
    const [give, back] = [uuid7(), uuid7()];
    const times = {
      give: await timed(
        (accounts) =>
          accounts
            .filter((account) => !isMain(account))
            .flatMap(({ userId }, i) =>
              under(
                i === 0 ? give : uuid7(),
                distribution({ mainId: main, childId: userId }, { charNum: 400, voiceNum: 0, imageNum: 0 }),
              ),
            ),
        { cmdId: give },
      ),
      convert: await timed(convertAll(CHEAP, DEAR), {}),
      recover: await timed(recoverAll(back), { cmdId: back }),
    };
    if (process.env['LEDGER_TIMES']) process.stdout.write(`${JSON.stringify(times)} ms\n`);
    expect(Math.max(...Object.values(times))).toBeLessThan(60_000);
    // The 6,000,000 that remained became 1,500,000; 10,000 × 400 became 100 each.
    expect(await usable(main)).toBe(1_500_000 + 10_000 * 100);
  }, 240_000);
});
