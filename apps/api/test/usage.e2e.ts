/** The usage chart of the overview: usage by day, rolled up from the ledger, always equal to it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Ask, Movement } from '@yiqiao/domain/ledger';
import { deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { getUsage } from '@yiqiao/contracts/user';
import fc from 'fast-check';
import { ChangedAccounts, Ledger } from '../src/ledger/ledger.js';
import { RollUpUsageHandler } from '../src/ledger/usage/usage-roll-up.js';
import { UsageRollUp } from '../src/ledger/usage/usage-roll-up.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { buyPackage, makeMain, makeSub } from './support/family.js';
import { usage } from './support/ledger-fixture.js';
import { giveReason } from './support/operator.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let em: EntityManager;
beforeAll(async () => {
  api = await startApi();
  em = api.app.get(EntityManager);
});
afterAll(() => api.stop());

const idOf = (who: TestMember): number => who.session.userId;

type Use = Ask | Movement;
const text = (codePoints: number): Use => ({ kind: 'text', codePoints });
const voice = (minutes: number): Use => ({ kind: 'voice', minutes });
const image: Use = { kind: 'image' };
const gift = (n: number): Use => ({ type: 'SYS_ADJUST', charChange: n, voiceChange: n, imageChange: n });

async function post(who: TestMember, use: Use): Promise<void> {
  const ledger = api.app.get(Ledger, { strict: false });
  const { userId } = who.session;
  if ('type' in use) {
    const cmdId = uuid7();
    const refs = { managerId: await giveReason(api.db, { cmdId, userId }) };
    await em.fork().transactional((tx) => ledger.post(tx, userId, { ...use, refs }, { cmdId }));
    return;
  }
  const to = { id: uuid7(), userId, familyId: families.get(who) ?? userId };
  await ledger.hold({ ...to, ask: use });
  await ledger.settle({ ...to, usage });
}

const families = new Map<TestMember, number>();
async function subOf(main: TestMember, chars: number): Promise<TestMember> {
  const sub = await makeSub(api, main, chars);
  families.set(sub, idOf(main));
  return sub;
}

/** The same figures directly from the ledger, including deleted members. */
const truth = async (familyId: number, zone = 'Asia/Shanghai'): Promise<object[]> => {
  const { rows } = await api.db.query<object>(
    `SELECT (created_at AT TIME ZONE '${zone}')::date::text AS date, sum(used_char_num)::bigint AS "charNum",
       -sum(voice_change) FILTER (WHERE log_type = 8)::bigint AS "voiceNum",
       -sum(image_change) FILTER (WHERE log_type = 9 AND image_change < 0)::bigint AS "imageNum"
     FROM account_log WHERE family_id = $1
       AND (used_char_num > 0 OR log_type = 8 OR (log_type = 9 AND image_change < 0)) GROUP BY 1 ORDER BY 1`,
    [familyId],
  );
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, k === 'date' ? v : Number(v)])));
};
const usedIn = (days: { charNum: number; voiceNum: number; imageNum: number }[]) =>
  days.filter((day) => day.charNum + day.voiceNum + day.imageNum > 0);

describe('the usage of a family', () => {
  let main: TestMember;
  let ann: TestMember;
  let bob: TestMember;
  beforeAll(async () => {
    main = await makeMain(api);
    await post(main, gift(1_000));
    ann = await subOf(main, 200);
    bob = await subOf(main, 200);
    await subOf(main, 10);
    for (const [who, movement] of [
      [main, text(30)],
      [main, voice(2)],
      [main, image],
      [ann, text(7)],
      [bob, text(11)],
      [bob, text(1)],
    ] as const)
      await post(who, movement);
  });

  it('is counted by day, including empty days, today last', async () => {
    const { days, children } = await main.client.call(getUsage, {});
    expect(days).toHaveLength(30);
    expect(days.map((day) => day.date)).toEqual([...days.map((day) => day.date)].sort());
    expect(days.at(-1)).toEqual({ date: expect.any(String), charNum: 49, voiceNum: 2, imageNum: 1 });
    expect(usedIn(days.slice(0, -1))).toEqual([]);
    expect(usedIn(days)).toEqual(await truth(idOf(main)));
    expect(children.map((child) => [child.userId, child.charNum])).toEqual([
      [idOf(bob), 12],
      [idOf(ann), 7],
    ]);
    expect(children[0]?.nickname).toBe(`sub ${bob.username}`);
    expect((await main.client.call(getUsage, { days: '1' })).days).toEqual([days.at(-1)]);
    expect((await main.client.call(getUsage, { days: '90' })).days).toHaveLength(90);
    expect((await main.client.send(getUsage, { days: '91' })).status).toBe(422);
    expect((await main.client.send(getUsage, { days: '0' })).status).toBe(422);
  });

  it('includes usage of time packages', async () => {
    const timed = await makeMain(api);
    await buyPackage(api, timed, 7);
    await post(timed, text(40));
    expect((await timed.client.call(getUsage, { days: '1' })).days[0]?.charNum).toBe(40);
  });

  it('is up to date at once', async () => {
    for (let n = 1; n <= 3; n++) {
      await post(ann, text(1));
      expect((await main.client.call(getUsage, { days: '1' })).days[0]?.charNum).toBe(49 + n);
    }
  });

  it('shows a sub-account only its own', async () => {
    const { days, children } = await ann.client.call(getUsage, { days: '2' });
    expect([days[1]?.charNum, children]).toEqual([10, []]);
  });

  it('names a sub-account without a nickname by its username, and a deleted one by its last name', async () => {
    await api.db.query('UPDATE member SET nickname = NULL WHERE id = $1', [idOf(bob)]);
    const before = await main.client.call(getUsage, {});
    expect(before.children[0]?.nickname).toBe(bob.username);
    await main.client.call(deleteChildUsers, { userId: idOf(bob) });
    const after = await main.client.with({ 'Accept-Language': 'en' }).call(getUsage, {});
    expect(after.children).toEqual([
      { ...before.children[0], nickname: `${bob.username} (deleted)` },
      before.children[1],
    ]);
    expect(after.days).toEqual(before.days);
  });
});

/** Like a separate process for the roll-up: two of them share only the database. */
const rollUpIn = (zone: string): UsageRollUp => new UsageRollUp(em, loadConfig({ ...api.env, APP_TIMEZONE: zone }));

describe('a day', () => {
  const FORGE = `
    INSERT INTO account_log (user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change,
      voice_change, image_change, used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image,
      last_image, before_billing_mode, last_billing_mode, hash)
    SELECT user_id, family_id, entry_seq + n, 7, n, gen_random_uuid(), ($2::timestamptz[])[n], 0, 0, 0, 0, 10 ^ (n - 1), 0,
      usable_char_num, usable_char_num, usable_voice_num, usable_voice_num, usable_image_num, usable_image_num, 1, 1, head_hash
    FROM member_account, generate_series(1, 3) n WHERE user_id = $1`;

  it('ends at midnight of the time zone, to the millisecond', async () => {
    const main = await makeMain(api);
    const userId = idOf(main);
    const clock = api.app.get(Clock);
    const today = clock.fromWire(`${clock.day(new Date())} 00:00:00`).getTime();
    const times = [today - 24 * 3600_000, today - 1, today].map((ms) => new Date(ms));
    await api.db.query(FORGE, [userId, times]);
    await api.db.query('UPDATE member_account SET entry_seq = entry_seq + 3 WHERE user_id = $1', [userId]);
    try {
      const { days } = await main.client.call(getUsage, { days: '3' });
      expect(days.map((day) => day.charNum)).toEqual([0, 11, 100]);
    } finally {
      const owner = await api.db.connect();
      await owner.query('SET session_replication_role = replica');
      await owner.query('DELETE FROM account_log WHERE user_id = $1 AND log_type = 7', [userId]);
      await owner.query('UPDATE member_account SET entry_seq = entry_seq - 3 WHERE user_id = $1', [userId]);
      for (const table of ['usage_day', 'family_usage_day', 'usage_mark'])
        await owner.query(`DELETE FROM ${table} WHERE family_id = $1`, [userId]);
      owner.release(true);
    }
  });

  it('follows APP_TIMEZONE', async () => {
    const main = await makeMain(api);
    await post(main, text(5));
    const zone = 'Pacific/Kiritimati';
    await rollUpIn(zone).catchUp(idOf(main));
    const { rows } = await api.db.query<object>(
      'SELECT day::text AS date, char_num::int AS "charNum", 0 AS "voiceNum", 0 AS "imageNum" FROM usage_day WHERE family_id = $1',
      [idOf(main)],
    );
    expect(rows).toEqual((await truth(idOf(main), zone)).map((row) => ({ ...row, voiceNum: 0, imageNum: 0 })));
    // Days of another time zone are not rolled up by this one.
    for (const table of ['usage_day', 'family_usage_day', 'usage_mark'])
      await api.db.query(`DELETE FROM ${table} WHERE family_id = $1`, [idOf(main)]);
  });
});

describe('the roll-up', () => {
  it('processes a long log in batches', async () => {
    const main = await makeMain(api);
    const userId = idOf(main);
    await post(main, gift(100_000));
    await Promise.all(Array.from({ length: 500 }, () => post(main, text(2))));
    const pieces = new UsageRollUp(em, loadConfig(api.env), 200);
    await pieces.catchUp(userId);
    expect((await main.client.call(getUsage, { days: '1' })).days[0]?.charNum).toBe(1_000);
    const { rows } = await api.db.query('SELECT rolled_seq FROM usage_mark WHERE user_id = $1', [userId]);
    expect(rows).toEqual([{ rolled_seq: 502 }]);
  });

  it('counts nothing twice in simultaneous runs', async () => {
    const main = await makeMain(api);
    const sub = await subOf(main, 500);
    for (let round = 1; round <= 5; round++) {
      await Promise.all([post(main, text(3)), post(sub, text(4))]);
      const processes = Array.from({ length: 6 }, () => rollUpIn('Asia/Shanghai'));
      await Promise.all([
        ...processes.map((one) => one.catchUp(idOf(main))),
        ...processes.map((one) => new RollUpUsageHandler(one, new ChangedAccounts(em)).execute()),
      ]);
      expect((await main.client.call(getUsage, { days: '1' })).days[0]?.charNum).toBe(7 * round);
    }
    expect(await new RollUpUsageHandler(rollUpIn('Asia/Shanghai'), new ChangedAccounts(em)).execute()).toBe(0);
  });
});

it('equals the ledger for any entries, rolled up at any time', async () => {
  const main = await makeMain(api);
  await post(main, gift(1_000_000));
  const people = [main, await subOf(main, 100_000), await subOf(main, 100_000)];
  const used = fc.oneof(
    fc.integer({ min: 1, max: 50 }).map(text),
    fc.constant(voice(1)),
    fc.constant(image),
    fc.integer({ min: 1, max: 9 }).map(gift),
  );
  const step = fc.record({ who: fc.integer({ min: 0, max: 2 }), movement: used, count: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const { who, movement, count } of steps) {
        const person = people['kind' in movement && movement.kind === 'text' ? who : 0] ?? main;
        await post(person, movement);
        if (count) await rollUpIn('Asia/Shanghai').catchUp(idOf(main));
      }
      const { days } = await main.client.call(getUsage, {});
      expect(usedIn(days)).toEqual(await truth(idOf(main)));
    }),
    { numRuns: 12 },
  );
});
