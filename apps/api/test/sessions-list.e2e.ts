/** The list of a member's sessions, and how to end them (docs/decisions/0022). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { endSession, listSessions, signOutEverywhere } from '@yiqiao/contracts/sessions';
import { listLoginLogs } from '@yiqiao/contracts/login-log';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { SESSIONS_SHOWN_MAX } from '@yiqiao/domain/limits';
import { loadConfig } from '../src/platform/config.js';
import { buildHttp } from '../src/serve.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import type { TestMember } from './support/test-members.js';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

let api: TestApi;
/** A second process on the same database, which serves the same sessions. */
let other: TestApi['app'];
let otherUrl: string;

beforeAll(async () => {
  api = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
  other = await buildHttp(loadConfig(api.env));
  await other.listen(0, '127.0.0.1');
  otherUrl = (await other.getUrl()).replace('[::1]', '127.0.0.1');
});
afterAll(async () => {
  await other.close();
  await api.stop();
});

const signIn = async (
  who: TestMember,
  from: { ip?: string; clientType?: 'windows' | 'ios' } = {},
): Promise<TestClient> => {
  const { ip, ...form } = from;
  const visitor = new TestClient(api.url, null, ip === undefined ? {} : { 'X-Forwarded-For': ip });
  const session = await visitor.call(login, { account: who.username, password: who.password, ...form });
  return who.client.as(session);
};
const idsOf = async (client: TestClient): Promise<number[]> =>
  (await client.call(listSessions, {})).map(({ id }) => id);
const currentIdOf = async (client: TestClient): Promise<number> =>
  (await client.call(listSessions, {})).find(({ current }) => current)?.id ?? 0;

describe('the session list', () => {
  it('shows address, device, time and which one is current, and no secrets', async () => {
    const person = await makeMain(api);
    const phone = await signIn(person, { ip: '2001:db8::7', clientType: 'ios' });
    await signIn(person, { ip: '192.0.2.44', clientType: 'windows' });
    const rows = await phone.call(listSessions, {});
    expect(rows.map(({ clientType, loginIp, current }) => [clientType, loginIp, current])).toEqual([
      ['windows', '192.0.2.44', false],
      ['ios', '2001:db8::7', true],
      ['web', '127.0.0.1', false],
    ]);
    for (const row of rows) {
      expect(Object.keys(row).sort()).toEqual(
        ['browser', 'clientType', 'current', 'id', 'lastUseDateTime', 'loginDateTime', 'loginIp', 'system'].sort(),
      );
      expect(row.loginDateTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(row.lastUseDateTime >= row.loginDateTime).toBe(true);
    }
    const { rows: stored } = await api.db.query<{ d: string }>('SELECT token_digest AS d FROM session');
    const { body } = await phone.send(listSessions, {});
    for (const { d } of stored) expect(JSON.stringify(body)).not.toContain(d);
  });

  it('shows browser and system as the header of the sign-in names them, and forgets them with the account', async () => {
    const person = await makeMain(api);
    const visitor = new TestClient(api.url, null, { 'User-Agent': IPHONE });
    await visitor.call(login, { account: person.username, password: person.password });
    await visitor
      .with({ 'User-Agent': '<b>unknown</b>' })
      .call(login, { account: person.username, password: person.password });
    const devices = [
      [null, null],
      ['Safari 18', 'iPhone'],
    ];
    const rows = await person.client.call(listSessions, {});
    expect(rows.slice(0, 2).map(({ browser, system }) => [browser, system])).toEqual(devices);
    const logins = (await person.client.call(listLoginLogs, {})).rows;
    expect(logins.slice(0, 2).map(({ browser, system }) => [browser, system])).toEqual(devices);
    await person.client.call(deleteUser, { userPassword: person.password });
    const { rows: left } = await api.db.query(
      'SELECT FROM session WHERE user_id = $1 AND (browser IS NOT NULL OR system IS NOT NULL OR login_ip IS NOT NULL)',
      [person.session.userId],
    );
    expect(left).toEqual([]);
  });

  it('contains only the member’s own live sessions, the last used first', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main);
    const [old, over, used] = [await signIn(main), await signIn(main), await signIn(main)];
    const [oldId, overId, usedId] = [await currentIdOf(old), await currentIdOf(over), await currentIdOf(used)];
    await api.db.query(`UPDATE session SET last_used_at = now() - interval '6 days' WHERE id = $1`, [oldId]);
    await api.db.query(`UPDATE session SET last_used_at = now() - interval '8 days' WHERE id = $1`, [overId]);
    await api.db.query(`UPDATE session SET last_used_at = now() + interval '1 second' WHERE id = $1`, [usedId]);
    expect(await idsOf(main.client)).toEqual([usedId, await currentIdOf(main.client), oldId]);
    expect(await idsOf(sub.client)).toEqual([await currentIdOf(sub.client)]);
    expect(await main.client.send(endSession, { id: overId })).toMatchObject({ status: 404 });
  });

  it('is limited in length', async () => {
    const person = await makeMain(api);
    await api.db.query(
      `INSERT INTO session (token_digest, user_id, family_id, client_type)
       SELECT 'many ' || n, $1::bigint, $1::bigint, 0 FROM generate_series(1, $2::int) n`,
      [person.session.userId, SESSIONS_SHOWN_MAX + 20],
    );
    const rows = await person.client.call(listSessions, {});
    expect(rows).toHaveLength(SESSIONS_SHOWN_MAX);
    expect(rows[0]?.loginIp).toBeNull();
    // Sessions beyond the length of the list end, too.
    expect(await person.client.call(signOutEverywhere, { keepCurrent: 1 })).toEqual({ count: SESSIONS_SHOWN_MAX + 20 });
  });
});

describe('ending a session', () => {
  it('signs that device out on every process within a second, and no other', async () => {
    const person = await makeMain(api);
    const lost = await signIn(person);
    const elsewhere = new TestClient(otherUrl, lost.session);
    const id = await currentIdOf(lost);
    const inUse = async (): Promise<number> => (await elsewhere.send(getUser, {})).status;
    for (const end = Date.now() + 700; Date.now() < end;) expect(await inUse()).toBe(200);
    expect(await person.client.call(endSession, { id })).toBe(true);
    expect(await lost.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702, code: 'SESSION_ENDED' } });
    for (const end = Date.now() + 1_000; Date.now() < end;) await inUse();
    expect(await inUse()).toBe(401);
    expect((await person.client.send(getUser, {})).status).toBe(200);
    expect(await idsOf(person.client)).not.toContain(id);
    expect(await person.client.send(endSession, { id })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('does not affect others: strangers, sub-accounts, the main account', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main);
    const stranger = await makeMain(api);
    const [mainId, subId] = [await currentIdOf(main.client), await currentIdOf(sub.client)];
    for (const [who, id] of [
      [stranger, mainId],
      [main, subId],
      [sub, mainId],
    ] as const)
      expect(await who.client.send(endSession, { id })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await sub.client.call(signOutEverywhere, {})).toEqual({ count: 1 });
    expect((await main.client.send(getUser, {})).status).toBe(200);
  });

  it('may be the current one', async () => {
    const person = await makeMain(api);
    expect(await person.client.call(endSession, { id: await currentIdOf(person.client) })).toBe(true);
    expect(await person.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
  });

  it.each([[{}], [{ id: '1' }], [{ id: 0 }], [{ id: 1.5 }], [{ id: 1, userId: 2 }]])('rejects %j', async (input) => {
    const person = await makeMain(api);
    expect(await person.client.send(endSession, input)).toMatchObject({ status: 422 });
    expect((await person.client.send(getUser, {})).status).toBe(200);
  });
});

describe('signing out everywhere', () => {
  it('ends all, including the current one', async () => {
    const person = await makeMain(api);
    const devices = [person.client, await signIn(person), await signIn(person)];
    for (const device of devices) await device.call(getUser, {});
    expect(await person.client.call(signOutEverywhere, {})).toEqual({ count: 3 });
    for (const device of devices)
      expect(await device.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
    const back = await signIn(person);
    expect(await idsOf(back)).toHaveLength(1);
  });

  it('ends all others on request, and none the second time', async () => {
    const person = await makeMain(api);
    const devices = [await signIn(person), await signIn(person)];
    expect(await person.client.call(signOutEverywhere, { keepCurrent: 1 })).toEqual({ count: 2 });
    for (const device of devices) expect((await device.send(getUser, {})).status).toBe(401);
    expect(await person.client.call(signOutEverywhere, { keepCurrent: 1 })).toEqual({ count: 0 });
    expect(await idsOf(person.client)).toHaveLength(1);
    expect(await person.client.send(signOutEverywhere, { keepCurrent: true })).toMatchObject({ status: 422 });
  });
});
