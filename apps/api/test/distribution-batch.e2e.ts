import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import {
  deleteChildUsers,
  distributeAll,
  distributeToMany,
  getChildUser,
  saveChildUser,
} from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { CHILDREN_OF_FILTER } from '@yiqiao/domain/limits';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, makeMainWith, makeManySubs, makeSub } from './support/family.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;
let subs: TestMember[];

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** A main account with so many characters, 20 voice and 20 images, and sub-accounts that hold these characters. */
const family = async (chars: number, ...held: number[]): Promise<number[]> => {
  main = await makeMainWith(api, chars + held.reduce((sum, n) => sum + n, 0));
  subs = [];
  for (const n of held) subs.push(await makeSub(api, main, n));
  return subs.map(({ session }) => session.userId);
};

const charsOf = async (userId: number): Promise<number> =>
  (await main.client.call(getChildUser, { userId: String(userId) })).memberAccount.usableCharNum;
const allChars = (ids: number[]): Promise<number[]> => Promise.all(ids.map(charsOf));
const own = async () => (await main.client.call(getUser, {})).memberAccount.usableCharNum;

describe('a distribution to several', () => {
  it('gives each of ten the same amount, each by its own pair of entries', async () => {
    const ids = await family(1_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7);
    const form = { childrenIds: ids, mode: 'give', charNum: 100, imageNum: 2 } as const;
    expect(await main.client.call(distributeToMany, form)).toEqual({
      count: 10,
      moved: { charNum: 1_000, voiceNum: 0, imageNum: 20 },
      main: { usableCharNum: 0, usableVoiceNum: 20, usableImageNum: 0 },
    });
    expect(await allChars(ids)).toEqual([100, 100, 100, 100, 100, 100, 100, 100, 100, 107]);
    const mine = await main.client.call(listAccountLogs, { logType: 'DISTRIBUTION', pageSize: '100' });
    expect(
      mine.rows.filter(({ charChangeNum, imageChangeNum }) => charChangeNum === -100 && imageChangeNum === -2),
    ).toHaveLength(10);
    for (const sub of subs) {
      const { rows } = await sub.client.call(listAccountLogs, { logType: 'DISTRIBUTION' });
      expect(rows[0]).toMatchObject({ charChangeNum: 100, imageChangeNum: 2 });
    }
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('tops up what is missing and leaves those that have enough', async () => {
    const ids = await family(1_000, 0, 40, 100, 250);
    const form = { account: '', mode: 'topUp', charNum: 100 } as const;
    expect(await main.client.call(distributeToMany, form)).toMatchObject({ count: 2, moved: { charNum: 160 } });
    expect(await allChars(ids)).toEqual([100, 100, 100, 250]);
    expect(await main.client.send(distributeToMany, form)).toMatchObject({
      status: 422,
      body: { code: 'NOTHING_TO_CHANGE' },
    });
    // What a translation under way has reserved is not there to use.
    const hold = { id: uuid7(), userId: ids[0] ?? 0, familyId: main.session.userId };
    await api.app.get(Ledger, { strict: false }).hold({ ...hold, ask: { kind: 'text', codePoints: 30 } });
    expect(await main.client.call(distributeToMany, form)).toMatchObject({ count: 1, moved: { charNum: 30 } });
  });

  it('reaches all that a search finds by name or nickname, and no others', async () => {
    const ids = await family(1_000, 0, 0, 0);
    await main.client.call(saveChildUser, { userId: ids[0], nickname: 'Night shift' });
    await main.client.call(saveChildUser, { userId: ids[2], nickname: 'night owl' });
    const answer = await main.client.call(distributeToMany, { account: 'NIGHT', mode: 'give', charNum: 5 });
    expect(answer.count).toBe(2);
    expect(await allChars(ids)).toEqual([5, 0, 5]);
    const nobody = await main.client.send(distributeToMany, { account: 'nobody', mode: 'give', charNum: 5 });
    expect(nobody).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('gives nobody anything when the main account has too little, and says what is missing', async () => {
    const ids = await family(299, 0, 0, 0);
    const form = { childrenIds: ids, mode: 'give', charNum: 100 } as const;
    const zh = await main.client.send(distributeToMany, form);
    expect(zh).toMatchObject({
      status: 422,
      body: {
        code: 'BATCH_QUOTA_NOT_ENOUGH',
        data: { side: 'main', quantity: 'charNum', needed: 300, free: 299 },
        msg: '主账号的字符不够：共需 300，可用 299。没有分配给任何子账号',
      },
    });
    const voice = await main.client.send(distributeToMany, { childrenIds: ids, mode: 'give', voiceNum: 7 });
    expect(voice.body).toMatchObject({ data: { quantity: 'voiceNum', needed: 21, free: 20 } });
    expect([await own(), await allChars(ids)]).toEqual([299, [0, 0, 0]]);
  });

  it('gives nobody anything when one of them is gone, and names it', async () => {
    const ids = await family(100, 0, 0);
    await main.client.call(deleteChildUsers, { userId: ids[1] });
    const { status, body } = await main.client.send(distributeToMany, { childrenIds: ids, mode: 'give', charNum: 1 });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND', data: { userIds: [ids[1]] } });
    expect([await own(), await charsOf(ids[0] ?? 0)]).toEqual([100, 0]);
  });

  it('counts once under one idempotency key, even when many send it at once', async () => {
    const ids = await family(1_000, 0, 0);
    const form = { childrenIds: ids, mode: 'give', charNum: 10 } as const;
    const send = () => main.client.with({ 'Idempotency-Key': 'batch-1' }).call(distributeToMany, form);
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([await own(), await allChars(ids)]).toEqual([980, [10, 10]]);
    const other = await main.client
      .with({ 'Idempotency-Key': 'batch-1' })
      .send(distributeToMany, { ...form, charNum: 11 });
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('never gives more than there is, whoever asks at the same time', async () => {
    const ids = await family(1_000, 0, 0, 0, 0, 0);
    const batch = { childrenIds: ids, mode: 'give', charNum: 30 } as const;
    const single = { childUserId: ids[0] ?? 0, changeCharNum: 70 };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => [
        main.client.send(distributeToMany, batch),
        main.client.send(distributeAll, single),
      ]).flat(),
    );
    expect(replies.every(({ status }) => status === 200 || status === 422)).toBe(true);
    const chars = await allChars(ids);
    expect((await own()) + chars.reduce((sum, n) => sum + n, 0)).toBe(1_000);
    // All or nothing: everybody but the one that also received single shares has the same.
    expect(new Set(chars.slice(1)).size).toBe(1);
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('refuses a search that finds too many, invalid amounts, and no target or two', async () => {
    const boss = await makeMain(api);
    await makeManySubs(api, boss, CHILDREN_OF_FILTER + 1);
    const everybody = await boss.client.send(distributeToMany, { account: '', mode: 'give', charNum: 1 });
    expect(everybody.body).toMatchObject({ code: 'TOO_MANY_SUB_ACCOUNTS', data: { count: CHILDREN_OF_FILTER + 1 } });
    const ids = await family(100, 0);
    const target = { childrenIds: ids };
    for (const [form, path] of [
      [{ mode: 'give', charNum: 1 }, 'childrenIds'],
      [{ ...target, account: '', mode: 'give', charNum: 1 }, 'childrenIds'],
      [{ ...target, charNum: 1 }, 'mode'],
      [{ ...target, mode: 'give', charNum: -1 }, 'charNum'],
      [{ ...target, mode: 'give', voiceNum: 1.5 }, 'voiceNum'],
    ] as const)
      expect(await main.client.send(distributeToMany, form as never)).toMatchObject({
        status: 422,
        body: { errors: [{ path }] },
      });
    const nothing = await main.client.send(distributeToMany, { ...target, mode: 'give' });
    expect(nothing.body).toMatchObject({ code: 'NOTHING_TO_CHANGE' });
  });
});

describe('taking back all', () => {
  it('takes what is free at that moment, while the sub-account translates', async () => {
    const [childUserId = 0] = await family(100, 500);
    const ledger = api.app.get(Ledger, { strict: false });
    const address = { userId: childUserId, familyId: main.session.userId };
    const holds = Array.from({ length: 20 }, () => ({ id: uuid7(), ...address }));
    const holding = Promise.allSettled(
      holds.map((hold) => ledger.hold({ ...hold, ask: { kind: 'text', codePoints: 10 } })),
    );
    const taken = await main.client.call(distributeAll, { childUserId, takeBackAll: ['charNum', 'imageNum'] });
    const held = (await holding).filter(({ status }) => status === 'fulfilled').length;
    const left = await charsOf(childUserId);
    expect(taken.main.usableCharNum + left + held * 10).toBe(600);
    for (const hold of holds) await ledger.release({ ...hold, usage: null });
    expect((await own()) + (await charsOf(childUserId))).toBe(600);
    await main.client.send(distributeAll, { childUserId, takeBackAll: ['charNum'] });
    expect([await own(), await charsOf(childUserId)]).toEqual([600, 0]);
    const again = await main.client.send(distributeAll, { childUserId, takeBackAll: ['charNum', 'voiceNum'] });
    expect(again).toMatchObject({ status: 422, body: { code: 'NOTHING_TO_CHANGE' } });
  });

  it('goes together with a change of another quantity, not of the same', async () => {
    const [childUserId = 0] = await family(100, 50);
    const both = await main.client.call(distributeAll, { childUserId, changeVoiceNum: 3, takeBackAll: ['charNum'] });
    expect(both.child).toEqual({ usableCharNum: 0, usableVoiceNum: 3, usableImageNum: 0 });
    const twice = { childUserId, changeVoiceNum: -1, takeBackAll: ['voiceNum'] } as const;
    expect(await main.client.send(distributeAll, twice as never)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'takeBackAll' }] },
    });
  });
});
