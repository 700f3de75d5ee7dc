import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { login } from '@yiqiao/contracts/login';
import {
  changeEnabled,
  deleteChildUsers,
  distributeAll,
  distributeChars,
  distributeVoice,
  getChildUser,
} from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;
let sub: TestMember;
let childUserId: number;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const family = async (mainChars: number, subChars = 0): Promise<void> => {
  main = await makeMain(api);
  await setChars(api, main.session.userId, mainChars + subChars);
  sub = await makeSub(api, main, subChars);
  childUserId = sub.session.userId;
};

const quotaOf = async (who: TestMember) => {
  const { usableCharNum, usableVoiceNum, usableImageNum } = (await who.client.call(getUser, {})).memberAccount;
  return { usableCharNum, usableVoiceNum, usableImageNum };
};
const rows = async (userId: number, type = 5) =>
  (
    await api.db.query<Record<string, number>>(
      'SELECT char_change, voice_change, image_change, counterpart_id FROM account_log WHERE user_id = $1 AND log_type = $2 ORDER BY seq',
      [userId, type],
    )
  ).rows;

describe('a distribution', () => {
  it('moves characters, voice and pictures, with equal and opposite entries', async () => {
    await family(1_000, 50);
    const first = await main.client.call(distributeChars, { childUserId, changeCharNum: 300 });
    expect(first).toMatchObject({ main: { usableCharNum: 700 }, child: { usableCharNum: 350 } });
    const second = await main.client.call(distributeVoice, { childUserId, changeVoiceNum: 5 });
    expect(second).toEqual({
      main: { usableCharNum: 700, usableVoiceNum: 15, usableImageNum: 20 },
      child: { usableCharNum: 350, usableVoiceNum: 5, usableImageNum: 0 },
    });
    const changes = { changeCharNum: -350, changeVoiceNum: 3, changeImageNum: 20 };
    const third = await main.client.call(distributeAll, { childUserId, ...changes });
    expect(third).toEqual({ main: await quotaOf(main), child: await quotaOf(sub) });
    expect(third.child).toEqual({ usableCharNum: 0, usableVoiceNum: 8, usableImageNum: 20 });
    const [mine, its] = [await rows(main.session.userId), await rows(childUserId)];
    expect(its.at(-1)).toEqual({
      char_change: -350,
      voice_change: 3,
      image_change: 20,
      counterpart_id: main.session.userId,
    });
    expect(mine.at(-1)).toEqual({ char_change: 350, voice_change: -3, image_change: -20, counterpart_id: childUserId });
    const log = await sub.client.call(listAccountLogs, { logType: 'DISTRIBUTION' });
    expect(log.total).toBe(4);
    expect((await main.client.call(getChildUser, { userId: String(childUserId) })).memberAccount).toEqual(third.child);
  });

  it('can use the last unit of either side but no more, and reports which side is short', async () => {
    await family(100, 40);
    const before = [await quotaOf(main), await quotaOf(sub)];
    for (const [form, side] of [
      [{ changeCharNum: 101 }, 'main'],
      [{ changeCharNum: -41 }, 'child'],
      [{ changeCharNum: 10, changeImageNum: 21 }, 'main'],
      [{ changeCharNum: 10, changeVoiceNum: -1 }, 'child'],
    ] as const) {
      const { status, body } = await main.client.send(distributeAll, { childUserId, ...form });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'QUOTA_NOT_ENOUGH', data: { side } });
    }
    expect([await quotaOf(main), await quotaOf(sub)]).toEqual(before);
    await main.client.call(distributeChars, { childUserId, changeCharNum: 100 });
    await main.client.call(distributeChars, { childUserId, changeCharNum: -140 });
    expect((await quotaOf(main)).usableCharNum).toBe(140);
  });

  it('does not touch characters reserved by a running translation', async () => {
    await family(100, 40);
    const ledger = api.app.get(Ledger, { strict: false });
    const hold = { id: uuid7(), userId: childUserId, familyId: main.session.userId };
    await ledger.hold({ ...hold, ask: { kind: 'text', codePoints: 30 } });
    const { body } = await main.client.send(distributeChars, { childUserId, changeCharNum: -11 });
    expect(body).toMatchObject({ code: 'QUOTA_NOT_ENOUGH', data: { side: 'child' } });
    const taken = await main.client.call(distributeChars, { childUserId, changeCharNum: -10 });
    expect(taken.child.usableCharNum).toBe(0);
    await ledger.release({ ...hold, usage: null });
    expect((await quotaOf(sub)).usableCharNum).toBe(30);
  });

  it('rejects zero and invalid amounts', async () => {
    await family(100);
    for (const form of [{ changeCharNum: 0 }, { changeCharNum: -0 }]) {
      const { status, body } = await main.client.send(distributeChars, { childUserId, ...form });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'NOTHING_TO_CHANGE' });
    }
    expect(await main.client.send(distributeAll, { childUserId })).toMatchObject({
      body: { code: 'NOTHING_TO_CHANGE' },
    });
    for (const changeCharNum of [1.5, '10', null, undefined, true, [10], 2 ** 53, 1e13, -1e13]) {
      const { status, body } = await main.client.send(distributeChars, { childUserId, changeCharNum });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ path: 'changeCharNum' }] });
    }
    const { body } = await main.client.send(distributeVoice, { childUserId, changeVoiceNum: 1, changeCharNum: 1 });
    expect(body).toMatchObject({ code: 'UNKNOWN_FIELD' });
    expect(await rows(childUserId)).toEqual([]);
  });

  it('gives to a disabled sub-account and takes back from it', async () => {
    await family(100);
    await main.client.call(changeEnabled, { userId: childUserId, enabled: 0 });
    await main.client.call(distributeChars, { childUserId, changeCharNum: 30 });
    const answer = await main.client.call(distributeAll, { childUserId, changeCharNum: -10, changeVoiceNum: 2 });
    expect(answer).toMatchObject({ main: { usableCharNum: 80 }, child: { usableCharNum: 20, usableVoiceNum: 2 } });
    await main.client.call(changeEnabled, { userId: childUserId, enabled: 1 });
    const client = sub.client.as(
      await sub.client.call(login, { account: sub.account, password: sub.password, clientType: 'web' }),
    );
    expect((await client.call(getUser, {})).memberAccount).toMatchObject({ usableCharNum: 20, usableVoiceNum: 2 });
  });

  it('reaches only a member’s own sub-accounts', async () => {
    await family(100);
    const stranger = await makeMain(api);
    for (const [who, id] of [
      [stranger, childUserId],
      [main, main.session.userId],
      [main, stranger.session.userId],
      [main, 999_999_999],
    ] as const) {
      const { status, body } = await who.client.send(distributeChars, { childUserId: id, changeCharNum: 1 });
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await sub.client.send(distributeChars, { childUserId, changeCharNum: 1 })).toMatchObject({
      status: 403,
      body: { code: 'MAIN_ACCOUNT_ONLY' },
    });
  });

  it('is applied once per idempotency key', async () => {
    await family(100);
    const keyed = main.client.with({ 'Idempotency-Key': 'give-10' });
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => keyed.call(distributeChars, { childUserId, changeCharNum: 10 })),
    );
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    expect((await quotaOf(sub)).usableCharNum).toBe(10);
    const other = await keyed.send(distributeChars, { childUserId, changeCharNum: 11 });
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const refused = main.client.with({ 'Idempotency-Key': 'too-much' });
    expect((await refused.send(distributeChars, { childUserId, changeCharNum: 1_000 })).status).toBe(422);
    await setChars(api, main.session.userId, 1_000);
    expect((await refused.send(distributeChars, { childUserId, changeCharNum: 1_000 })).status).toBe(200);
  });
});

describe('concurrent distributions', () => {
  it('let ten of fifty distributions of 10 from 100 succeed', async () => {
    await family(100);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => main.client.send(distributeChars, { childUserId, changeCharNum: 10 })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const { status, body } of replies)
      if (status !== 200) expect(body).toMatchObject({ code: 'QUOTA_NOT_ENOUGH', data: { side: 'main' } });
    expect((await quotaOf(main)).usableCharNum).toBe(0);
    expect((await quotaOf(sub)).usableCharNum).toBe(100);
    expect(await rows(childUserId)).toHaveLength(10);
  });

  it('lose nothing while giving, taking back and deleting, and give nothing to closed accounts', async () => {
    await family(1_000);
    // More than is taken back: a deletion that comes first has something to return, too.
    await main.client.call(distributeChars, { childUserId, changeCharNum: 100 });
    const all = await Promise.all([
      ...Array.from({ length: 12 }, (_, i) =>
        main.client.send(distributeChars, { childUserId, changeCharNum: i % 3 === 2 ? -5 : 20 }),
      ),
      main.client.send(deleteChildUsers, { userId: childUserId }),
    ]);
    expect(all.at(-1)?.status).toBe(200);
    for (const { status } of all) expect([200, 404, 422]).toContain(status);
    expect((await quotaOf(main)).usableCharNum).toBe(1_000);
    const { rows: left } = await api.db.query<{ n: number }>(
      'SELECT usable_char_num AS n FROM member_account WHERE user_id = $1',
      [childUserId],
    );
    expect(left).toEqual([{ n: 0 }]);
    expect(await rows(childUserId, 4)).toHaveLength(1);
  });
});

it('have a limit of their own', async () => {
  const slow = await startApi({ LIMIT_DISTRIBUTION_PER_SECOND: '1' });
  try {
    const boss = await makeMain(slow);
    const child = await makeSub(slow, boss);
    const ask = { childUserId: child.session.userId, changeCharNum: 1 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => boss.client.send(distributeChars, ask)));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await slow.stop();
  }
});
