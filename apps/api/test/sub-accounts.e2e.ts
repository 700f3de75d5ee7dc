import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { login } from '@yiqiao/contracts/login';
import {
  changeAutoDistribution,
  changeEnabled,
  changeManyEnabled,
  deleteChildUsers,
  distributeChars,
  getChildUser,
  listChildUsers,
  resetChildPassword,
  saveChildUser,
} from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { joinGroup, makeMain, makeManySubs, makeSub, PROFESSIONAL, setChars } from './support/family.js';
import { freshName, type TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  main = await makeMain(api);
  await joinGroup(api, main, PROFESSIONAL);
});
afterAll(() => api.stop());

const UNKNOWN = 999_999_999;
const visitor = () => new TestClient(api.url);

describe('adding a sub-account', () => {
  it('creates one that signs in by its name, with an empty balance', async () => {
    const account = `译员${freshName()}`;
    const row = await main.client.call(saveChildUser, { account, password: 'child-secret' });
    expect(row).toEqual({
      userId: expect.any(Number),
      account,
      nickname: account,
      enabled: 1,
      autoDistribution: 0,
      lastLoginDateTime: null,
      memberAccount: { usableCharNum: 0, usableVoiceNum: 0, usableImageNum: 0 },
      usedCharTotal: 0,
      caps: null,
    });
    const session = await visitor().call(login, { account: account.toUpperCase(), password: 'child-secret' });
    expect(session.userId).toBe(row.userId);
    const seen = await main.client.call(getChildUser, { userId: String(row.userId) });
    expect(seen).toEqual({ ...row, lastLoginDateTime: expect.stringMatching(/^\d{4}-/) });
  });

  it('may start disabled, and with a null id, as the form sends it', async () => {
    const account = freshName();
    const form = { userId: null, account, password: 'child-secret', nickname: ' 小 王 ', enabled: 0 };
    const { status, body } = await main.client.send(saveChildUser, form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { nickname: '小 王', enabled: 0 } });
    const refused = await visitor().send(login, { account, password: 'child-secret' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ACCOUNT_DISABLED' } });
  });

  it('requires a plan that includes it; existing ones keep working', async () => {
    const trial = await makeMain(api);
    const form = { account: freshName(), password: 'child-secret' };
    const { status, body } = await trial.client.send(saveChildUser, form);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'SUB_ACCOUNTS_NOT_INCLUDED' });
    const sub = await makeSub(api, trial);
    const edited = await trial.client.call(saveChildUser, { userId: sub.session.userId, nickname: 'renamed' });
    expect(edited).toMatchObject({ nickname: 'renamed', account: sub.username });
    expect((await trial.client.call(listChildUsers, {})).total).toBe(1);
  });

  it('rejects a name that is taken or reserved', async () => {
    const account = freshName();
    await main.client.call(saveChildUser, { account, password: 'child-secret' });
    for (const taken of [account.toUpperCase(), main.username]) {
      const { status, body } = await main.client.send(saveChildUser, { account: taken, password: 'child-secret' });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'USERNAME_TAKEN', errors: [{ path: 'account', code: 'USERNAME_TAKEN' }] });
    }
    for (const wrong of ['a', 'a b', 'x'.repeat(33), 'a@example.com']) {
      const { status, body } = await main.client.send(saveChildUser, { account: wrong, password: 'child-secret' });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ path: 'account' }] });
    }
    const { body } = await main.client.send(saveChildUser, { account: freshName() });
    expect(body).toMatchObject({ errors: [{ path: 'password', code: 'PASSWORD_REQUIRED' }] });
  });

  it('gives a name to one of many simultaneous requests', async () => {
    const form = { account: freshName(), password: 'child-secret' };
    const replies = await Promise.all(Array.from({ length: 6 }, () => main.client.send(saveChildUser, form)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});

describe('editing a sub-account', () => {
  it('changes nickname and status, and rejects name and password as unknown', async () => {
    const sub = await makeSub(api, main);
    const { userId } = sub.session;
    for (const extra of [{ account: 'another' }, { password: 'another-1' }]) {
      const { status, body } = await main.client.send(saveChildUser, { userId, nickname: 'nn', ...extra });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'UNKNOWN_FIELD', errors: [{ path: Object.keys(extra)[0] }] });
    }
    expect(await main.client.call(saveChildUser, { userId, nickname: '客服 一' })).toMatchObject({
      nickname: '客服 一',
    });
    expect(await main.client.call(saveChildUser, { userId })).toMatchObject({ nickname: '客服 一', enabled: 1 });
    expect(await main.client.call(saveChildUser, { userId, enabled: 0 })).toMatchObject({ enabled: 0 });
    expect(await sub.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 703 } });
  });

  it('resets its password and ends its sessions', async () => {
    const sub = await makeSub(api, main);
    const { userId } = sub.session;
    expect(await main.client.call(resetChildPassword, { userId, password: ' new secret ' })).toBe(true);
    expect(await sub.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
    const account = sub.username;
    expect((await visitor().send(login, { account, password: sub.password })).body).toMatchObject({
      code: 'WRONG_PASSWORD',
    });
    expect((await visitor().call(login, { account, password: ' new secret ' })).userId).toBe(userId);
  });

  it('disables it within a second on every process, and enables it again', async () => {
    const sub = await makeSub(api, main);
    const { userId } = sub.session;
    expect(await sub.client.call(getUser, {})).toMatchObject({ userId });
    expect(await main.client.call(changeEnabled, { userId, enabled: 0 })).toBe(true);
    expect(await sub.client.send(getUser, {})).toMatchObject({
      status: 401,
      body: { status: 703, code: 'SESSION_DISABLED' },
    });
    expect(await main.client.call(changeEnabled, { userId, enabled: 1 })).toBe(true);
    const session = await visitor().call(login, { account: sub.username, password: sub.password });
    const again = sub.client.as(session);
    expect(await again.call(getUser, {})).toMatchObject({ enabled: 1 });
    // The old session is no longer reported as disabled, but as ended.
    const over = { status: 401, body: { status: 702, code: 'SESSION_ENDED' } };
    expect(await sub.client.send(getUser, {})).toMatchObject(over);
    await main.client.call(saveChildUser, { userId, enabled: 0 });
    expect(await again.send(getUser, {})).toMatchObject({ status: 401, body: { status: 703 } });
    await main.client.call(saveChildUser, { userId, enabled: 1 });
    for (const client of [sub.client, again]) expect(await client.send(getUser, {})).toMatchObject(over);
  });

  it('sets automatic distribution for one, or for all and new ones by the main account’s own id', async () => {
    const boss = await makeMain(api);
    await joinGroup(api, boss, PROFESSIONAL);
    const [one, two] = [await makeSub(api, boss), await makeSub(api, boss)];
    const flags = async () => (await boss.client.call(listChildUsers, {})).rows.map((row) => row.autoDistribution);
    const set = (userId: number, autoDistribution: 0 | 1) =>
      boss.client.call(changeAutoDistribution, { userId, autoDistribution });
    expect(await set(one.session.userId, 1)).toEqual({ count: 1 });
    expect(await flags()).toEqual([0, 1]);
    expect((await boss.client.call(getUser, {})).autoDistribution).toBe(0);
    expect(await set(boss.session.userId, 1)).toEqual({ count: 2 });
    expect(await flags()).toEqual([1, 1]);
    expect((await boss.client.call(getUser, {})).autoDistribution).toBe(1);
    const born = await boss.client.call(saveChildUser, { account: freshName(), password: 'child-secret' });
    expect(born.autoDistribution).toBe(1);
    expect(await set(boss.session.userId, 0)).toEqual({ count: 3 });
    expect(await flags()).toEqual([0, 0, 0]);
    expect((await two.client.call(getUser, {})).autoDistribution).toBe(0);
  });
});

describe('the list', () => {
  it('finds part of a name literally, in any case, newest first', async () => {
    const boss = await makeMain(api);
    await joinGroup(api, boss, PROFESSIONAL);
    const tag = freshName().slice(0, 8);
    const names = [`${tag}Alpha`, `${tag}alphabet`, `${tag}贝塔`];
    for (const account of names) await boss.client.call(saveChildUser, { account, password: 'child-secret' });
    const find = async (account?: string) =>
      (await boss.client.call(listChildUsers, account === undefined ? {} : { account })).rows.map((row) => row.account);
    expect(await find()).toEqual([...names].reverse());
    expect(await find('')).toEqual([...names].reverse());
    expect(await find('ALPHA')).toEqual([names[1], names[0]]);
    expect(await find(' 贝塔 ')).toEqual([names[2]]);
    for (const pattern of ['%', '_', '\\', "' OR 1=1 --", `${tag}%`]) expect(await find(pattern)).toEqual([]);
    const page = await boss.client.call(listChildUsers, { pageNum: '2', pageSize: '2' });
    expect(page).toMatchObject({ total: 3, rows: [{ account: names[0] }] });
    expect(await boss.client.call(listChildUsers, { pageNum: '9' })).toEqual({ rows: [], total: 3 });
    // The main account is not its own sub-account.
    expect(await find(boss.username)).toEqual([]);
  });

  it('finds a part of a nickname, too, and counts past a page', async () => {
    const boss = await makeMain(api);
    await joinGroup(api, boss, PROFESSIONAL);
    const names = [freshName(), freshName(), freshName()];
    const nicknames = ['小王 50%', 'Wang_Li', 'WANGFEI'];
    for (const [i, account] of names.entries())
      await boss.client.call(saveChildUser, { account, password: 'child-secret', nickname: nicknames[i] });
    const find = async (account: string) =>
      (await boss.client.call(listChildUsers, { account })).rows.map((row) => row.nickname);
    expect(await find('wang')).toEqual(['WANGFEI', 'Wang_Li']);
    expect(await find('小王')).toEqual(['小王 50%']);
    expect(await find('0%')).toEqual(['小王 50%']);
    expect(await find('g_l')).toEqual(['Wang_Li']);
    const paged = await boss.client.call(listChildUsers, { account: 'wang', pageNum: '2', pageSize: '1' });
    expect(paged).toMatchObject({ total: 2, rows: [{ nickname: 'Wang_Li' }] });
    const pastEnd = await boss.client.call(listChildUsers, { account: 'wang', pageNum: '7', pageSize: '1' });
    expect(pastEnd).toEqual({ total: 2, rows: [] });
  });

  it('is as fast with ten thousand', async () => {
    const boss = await makeMain(api);
    await makeManySubs(api, boss, 10_000);
    await api.db.query('ANALYZE member; ANALYZE identity; ANALYZE member_account; ANALYZE login_log');
    const took: number[] = [];
    for (const query of [{}, { pageNum: '1000' }, { account: 'X99', pageSize: '100' }, { account: 'nothing' }, {}]) {
      const started = performance.now();
      const { total } = await boss.client.call(listChildUsers, query);
      took.push(performance.now() - started);
      if (!('account' in query)) expect(total).toBe(10_000);
    }
    // The best of five, because the machine may be busy. A query per sub-account would take many seconds.
    expect(Math.min(...took)).toBeLessThan(1_000);
  });
});

describe('enabling and disabling several', () => {
  it('changes those that are named, or all that a search finds, and signs the disabled ones out', async () => {
    const boss = await makeMain(api);
    const [one, two, three] = [await makeSub(api, boss), await makeSub(api, boss), await makeSub(api, boss)];
    const ids = [one, two].map(({ session }) => session.userId);
    expect(await boss.client.call(changeManyEnabled, { childrenIds: [...ids, ...ids], enabled: 0 })).toEqual({
      count: 2,
    });
    for (const sub of [one, two])
      expect(await sub.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 703 } });
    expect(await three.client.call(getUser, {})).toMatchObject({ enabled: 1 });
    expect(await boss.client.call(changeManyEnabled, { account: two.username, enabled: 1 })).toEqual({ count: 1 });
    await visitor().call(login, { account: two.username, password: two.password });
    expect(await boss.client.call(changeManyEnabled, { account: '', enabled: 0 })).toEqual({ count: 2 });
    expect(await boss.client.call(changeManyEnabled, { account: '', enabled: 1 })).toEqual({ count: 3 });
  });

  it('changes none when one of them is gone, and names it', async () => {
    const boss = await makeMain(api);
    const [one, gone] = [await makeSub(api, boss), await makeSub(api, boss)];
    await boss.client.call(deleteChildUsers, { userId: gone.session.userId });
    const childrenIds = [one.session.userId, gone.session.userId];
    const { status, body } = await boss.client.send(changeManyEnabled, { childrenIds, enabled: 0 });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND', data: { userIds: [gone.session.userId] } });
    expect(await one.client.call(getUser, {})).toMatchObject({ enabled: 1 });
    for (const wrong of [{ enabled: 0 }, { childrenIds, account: 'x', enabled: 0 }, { childrenIds: [], enabled: 0 }])
      expect(await boss.client.send(changeManyEnabled, wrong as never)).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'childrenIds' }] },
      });
  });
});

describe('deleting sub-accounts', () => {
  const entriesOf = async (userId: number) =>
    (
      await api.db.query<{ log_type: number; char_change: number; counterpart_id: number; cmd_id: string }>(
        'SELECT log_type, char_change, counterpart_id, cmd_id FROM account_log WHERE user_id = $1 AND log_type = 4 ORDER BY seq',
        [userId],
      )
    ).rows;

  it('returns everything, frees the name and ends the sessions', async () => {
    const boss = await makeMain(api);
    await setChars(api, boss.session.userId, 5_000);
    const sub = await makeSub(api, boss, 1_200);
    const { userId } = sub.session;
    expect(await boss.client.call(deleteChildUsers, { userId })).toEqual({ count: 1 });
    expect(await sub.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 704 } });
    expect((await boss.client.call(getUser, {})).memberAccount.usableCharNum).toBe(5_000);
    const [mine, its] = [await entriesOf(boss.session.userId), await entriesOf(userId)];
    expect(mine).toMatchObject([{ char_change: 1_200, counterpart_id: userId }]);
    expect(its).toMatchObject([{ char_change: -1_200, counterpart_id: boss.session.userId, cmd_id: mine[0]?.cmd_id }]);
    const { rows } = await boss.client.call(listAccountLogs, { logType: 'RECOVERY' });
    expect(rows).toMatchObject([{ charChangeNum: 1_200 }]);

    expect(await boss.client.call(listChildUsers, {})).toEqual({ rows: [], total: 0 });
    for (const call of [
      boss.client.send(getChildUser, { userId }),
      boss.client.send(changeEnabled, { userId, enabled: 1 }),
      boss.client.send(resetChildPassword, { userId, password: 'again-123' }),
      boss.client.send(saveChildUser, { userId, nickname: 'back' }),
      boss.client.send(deleteChildUsers, { userId }),
      boss.client.send(distributeChars, { childUserId: userId, changeCharNum: 1 }),
    ])
      expect(await call).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    await joinGroup(api, boss, PROFESSIONAL);
    const again = await boss.client.call(saveChildUser, { account: sub.username, password: 'child-secret' });
    expect(again.userId).not.toBe(userId);
    const left = await api.db.query(
      `SELECT nickname, password_hash, closed_at IS NOT NULL AS closed,
         (SELECT count(*) FROM login_log WHERE user_id = member.id) AS logins FROM member WHERE id = $1`,
      [userId],
    );
    expect(left.rows).toEqual([{ nickname: null, password_hash: null, closed: true, logins: 0 }]);
  });

  it('deletes several, or none if one is missing; duplicates count once', async () => {
    const boss = await makeMain(api);
    await setChars(api, boss.session.userId, 5_000);
    const subs = [];
    for (let i = 0; i < 4; i++) subs.push((await makeSub(api, boss, 100 * i)).session.userId);
    const foreign = (await makeSub(api, main)).session.userId;
    const [a = 0, b = 0, c = 0, d = 0] = subs;
    for (const bad of [foreign, UNKNOWN, boss.session.userId]) {
      const { status, body } = await boss.client.send(deleteChildUsers, { childrenIds: [a, bad, b] });
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await boss.client.call(listChildUsers, {})).total).toBe(4);
    expect(await boss.client.call(deleteChildUsers, { childrenIds: [c, a, c, b, a] })).toEqual({ count: 3 });
    expect((await boss.client.call(listChildUsers, {})).rows.map((row) => row.userId)).toEqual([d]);
    expect((await boss.client.call(getUser, {})).memberAccount.usableCharNum).toBe(4_700);
    // The first was empty, so it has no entry.
    expect(await entriesOf(a)).toEqual([]);
    expect((await entriesOf(boss.session.userId)).map((entry) => entry.counterpart_id)).toEqual([b, c]);
    expect((await boss.client.send(deleteChildUsers, { childrenIds: [d, a] })).status).toBe(404);
    expect((await main.client.call(getChildUser, { userId: String(foreign) })).userId).toBe(foreign);
  });

  it.each([
    [{}, 'ONE_OF_TWO'],
    [{ userId: 1, childrenIds: [1] }, 'ONE_OF_TWO'],
    [{ childrenIds: [] }, 'REQUIRED'],
    [{ childrenIds: Array.from({ length: 101 }, (_, i) => i + 1) }, 'TOO_LONG'],
    [{ childrenIds: ['1'] }, 'WRONG_TYPE'],
    [{ userId: 0 }, 'WRONG_VALUE'],
  ])('rejects %j', async (form, code) => {
    const { status, body } = await main.client.send(deleteChildUsers, form);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ code }] });
  });

  it('writes no entry for one with an empty balance', async () => {
    const boss = await makeMain(api);
    const sub = await makeSub(api, boss);
    expect(await boss.client.call(deleteChildUsers, { userId: sub.session.userId })).toEqual({ count: 1 });
    expect(await entriesOf(boss.session.userId)).toEqual([]);
    expect(await sub.client.send(getUser, {})).toMatchObject({ body: { status: 704 } });
  });

  it('succeeds once for two simultaneous requests', async () => {
    const boss = await makeMain(api);
    const ids = [(await makeSub(api, boss, 10)).session.userId, (await makeSub(api, boss, 10)).session.userId];
    const replies = await Promise.all(
      [ids, [...ids].reverse(), ids].map((childrenIds) => boss.client.send(deleteChildUsers, { childrenIds })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404]);
  });
});
