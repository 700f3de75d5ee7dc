import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { getLoginLog, listLoginLogs } from '@yiqiao/contracts/login-log';
import { getUser, updateUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import { type TestMember } from './support/test-members.js';

let api: TestApi;
let person: TestMember;

beforeAll(async () => {
  api = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
  person = await makeMain(api);
});
afterAll(() => api.stop());

const signIn = (who: TestMember, from: { ip?: string; clientType?: 'web' | 'windows' } = {}) =>
  new TestClient(api.url, null, { 'X-Forwarded-For': from.ip ?? '203.0.113.1' }).call(login, {
    account: who.username,
    password: who.password,
    clientType: from.clientType,
  });

/** Moves every login of the member so far back by this much. */
const thePastMoves = (userId: number, interval: string) =>
  api.db.query('UPDATE login_log SET logged_in_at = logged_in_at - $2::interval WHERE user_id = $1', [
    userId,
    interval,
  ]);

describe('the nickname', () => {
  it('changes and is normalised', async () => {
    expect(await person.client.call(updateUser, { nickname: '  译员 One ' })).toBe(true);
    expect(await person.client.call(getUser, {})).toMatchObject({ nickname: '译员 One', username: person.username });
  });

  it.each([['a'], [' a '], ['x'.repeat(33)], ['a\u0000b'], ['\uD800\uD800'], [12]])('refuses %j', async (nickname) => {
    const { status, body } = await person.client.send(updateUser, { nickname });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'nickname' }] });
  });

  it('is the only accepted field', async () => {
    const { body } = await person.client.send(updateUser, { nickname: 'fine', memberGroupId: 3 });
    expect(body).toMatchObject({ code: 'UNKNOWN_FIELD', errors: [{ path: 'memberGroupId' }] });
  });
});

it('rejects unknown parameters', async () => {
  const { status, body } = await person.client.send(getUser, { userId: '1' });
  expect(status).toBe(422);
  expect(body).toMatchObject({ code: 'UNKNOWN_FIELD', errors: [{ path: 'userId' }] });
});

describe('a sub-account', () => {
  it('has its own name as both names, no invite code, and the group, channel and expiry of its main account', async () => {
    const sub = await makeSub(api, person);
    const main = await person.client.call(getUser, {});
    const user = await sub.client.call(getUser, {});
    expect(user).toMatchObject({
      userId: sub.session.userId,
      parentUserId: main.userId,
      account: sub.username,
      username: sub.username,
      inviteCode: null,
      createChildUser: false,
      memberGroupId: 1,
      tranChannelId: main.tranChannelId,
      memberAccount: { usableCharNum: 0, expireDateTime: main.memberAccount.expireDateTime },
    });
  });
});

describe('consecutive days', () => {
  it('grow by one a day, not per login, and restart after a gap', async () => {
    const who = await makeMain(api);
    const { userId } = who.session;
    const sumDay = async () => {
      const session = await signIn(who);
      return (await who.client.as(session).call(getUser, {})).lastLoginLog?.sumDay;
    };
    expect(await sumDay()).toBe(1);
    await thePastMoves(userId, '1 day');
    expect(await sumDay()).toBe(2);
    expect(await sumDay()).toBe(2);
    await thePastMoves(userId, '1 day');
    expect(await sumDay()).toBe(3);
    await thePastMoves(userId, '2 days');
    expect(await sumDay()).toBe(1);
  });

  it('are not counted twice by simultaneous logins', async () => {
    const who = await makeMain(api);
    await thePastMoves(who.session.userId, '1 day');
    await Promise.all(Array.from({ length: 5 }, () => signIn(who)));
    expect((await who.client.call(getUser, {})).lastLoginLog?.sumDay).toBe(2);
  });
});

describe('the login log', () => {
  it('pages newest first, filters, and includes both ends of a range', async () => {
    const who = await makeMain(api);
    for (let i = 0; i < 11; i++)
      await signIn(who, { ip: i % 2 ? '203.0.113.5' : '2001:db8::5', clientType: i % 2 ? 'windows' : 'web' });
    const times = Array.from({ length: 12 }, (_, i) => `2026-03-01 10:00:${String(i).padStart(2, '0')}`);
    const { rows: ids } = await api.db.query<{ id: number }>(
      'SELECT id FROM login_log WHERE user_id = $1 ORDER BY id',
      [who.session.userId],
    );
    for (const [i, { id }] of ids.entries())
      await api.db.query("UPDATE login_log SET logged_in_at = ($2 || '.5+08')::timestamptz WHERE id = $1", [
        id,
        times[i],
      ]);

    const page = (query: object) => who.client.call(listLoginLogs, query);
    const first = await page({});
    expect(first.total).toBe(12);
    expect(first.rows).toHaveLength(10);
    expect(first.rows[0]).toEqual({
      id: ids[11]?.id,
      loginIp: '2001:db8::5',
      clientType: 'web',
      browser: null,
      system: null,
      loginDateTime: '2026-03-01 10:00:11',
    });
    expect((await page({ pageNum: 2 })).rows.map((r) => r.id)).toEqual([ids[1]?.id, ids[0]?.id]);
    expect(await page({ pageNum: 9 })).toEqual({ rows: [], total: 12 });
    expect((await page({ loginIp: '203.0.113.5' })).total).toBe(5);
    expect((await page({ loginIp: '2001:DB8:0::5' })).total).toBe(6);
    expect((await page({ loginIp: '203.0.113.5', clientType: 'web' })).total).toBe(0);
    expect((await page({ clientType: 'windows' })).total).toBe(5);
    expect(await who.client.send(listLoginLogs, { loginIp: "x' OR 1=1 --" })).toMatchObject({ status: 422 });
    const range = { loginDateTimeBegin: times[3], loginDateTimeEnd: times[5] };
    expect((await page(range)).rows.map((r) => r.loginDateTime)).toEqual([times[5], times[4], times[3]]);
    expect((await page({ loginDateTimeBegin: times[11] })).total).toBe(1);
    expect((await page({ loginDateTimeEnd: times[0] })).total).toBe(1);
  });

  it.each([
    [{ loginDateTimeBegin: '2026-02-30 00:00:00' }, 'DATE_FORMAT'],
    [{ loginDateTimeBegin: '2026-03-02 00:00:00', loginDateTimeEnd: '2026-03-01 00:00:00' }, 'RANGE_REVERSED'],
    [{ pageSize: 101 }, 'TOO_BIG'],
    [{ pageNum: 0 }, 'TOO_SMALL'],
    [{ pageNum: '1e3' }, 'WRONG_TYPE'],
    [{ clientType: 'toaster' }, 'WRONG_VALUE'],
    [{ userId: 1 }, 'UNKNOWN_FIELD'],
  ])('refuses %j', async (query, code) => {
    const { status, body } = await person.client.send(listLoginLogs, query);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ code }] });
  });

  it('shows a row to its owner only', async () => {
    const stranger = await makeMain(api);
    const { rows } = await person.client.call(listLoginLogs, {});
    const id = String(rows[0]?.id);
    expect(await person.client.call(getLoginLog, { id })).toEqual(rows[0]);
    expect(await stranger.client.send(getLoginLog, { id })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await stranger.client.call(listLoginLogs, {})).total).toBe(1);
  });
});
