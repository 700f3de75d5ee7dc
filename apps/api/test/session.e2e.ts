import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login, logout } from '@yiqiao/contracts/login';
import { changePassword, getUser } from '@yiqiao/contracts/user';
import { Sessions } from '../src/sessions/sessions.js';
import { EntityManager } from '@mikro-orm/postgresql';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, TestClient, type Session } from './support/client.js';
import { makeMain } from './support/family.js';
import { type TestMember } from './support/test-members.js';

let api: TestApi;
let person: TestMember;

beforeAll(async () => {
  api = await startApi();
  person = await makeMain(api);
});
afterAll(() => api.stop());

const signIn = async (): Promise<TestClient> => {
  const session = await new TestClient(api.url).call(login, { account: person.username, password: person.password });
  return person.client.as(session);
};
const sessionOf = (client: TestClient): Session => {
  if (!client.session) throw new Error('not signed in');
  return client.session;
};
const pastTheCache = () => new Promise((resolve) => setTimeout(resolve, 600));

/** HTTP 401 with a status of 701–705 in the body (decisions §1). */
async function expectRefused(client: TestClient, status: number, code: string): Promise<void> {
  const answer = await client.send(getUser, {});
  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ success: false, status, code });
}

describe('a session', () => {
  it('ends by signing out, and no other with it', async () => {
    const [one, other] = [await signIn(), await signIn()];
    expect(await one.call(logout, {})).toBe(true);
    await expectRefused(one, 702, 'SESSION_ENDED');
    expect((await other.send(getUser, {})).status).toBe(200);
  });

  it('is rejected while its end is about to be committed', async () => {
    const client = await signIn();
    const sessions = api.app.get(Sessions, { strict: false });
    await api.app
      .get(EntityManager, { strict: false })
      .fork()
      .transactional(async (em) => {
        await sessions.endAll(em, [sessionOf(client).userId], 'ended');
        expect((await client.send(getUser, {})).status).toBe(200);
      });
    await expectRefused(client, 702, 'SESSION_ENDED');
  });

  it('expires seven days after its last use, and is extended by use', async () => {
    const client = await signIn();
    const age = (interval: string) =>
      api.db.query('UPDATE session SET last_used_at = now() - $1::interval WHERE user_id = $2 AND ended_at IS NULL', [
        interval,
        sessionOf(client).userId,
      ]);
    await age('6 days 23 hours 59 minutes');
    expect((await client.send(getUser, {})).status).toBe(200);
    const { rows } = await api.db.query<{ fresh: boolean }>(
      "SELECT bool_or(last_used_at > now() - interval '5 seconds') AS fresh FROM session WHERE user_id = $1",
      [sessionOf(client).userId],
    );
    expect(rows).toEqual([{ fresh: true }]);
    await age('7 days 1 second');
    await pastTheCache();
    await expectRefused(client, 701, 'SESSION_UNKNOWN');
  });

  it('is written to at most once a minute', async () => {
    const client = await signIn();
    const uses = async () => {
      await client.call(getUser, {});
      await pastTheCache();
      const { rows } = await api.db.query<{ at: Date }>('SELECT max(last_used_at) AS at FROM session');
      return rows[0]?.at.getTime();
    };
    expect(await uses()).toBe(await uses());
  });

  it.each([
    ['disabled', 703, 'SESSION_DISABLED'],
    ['closed', 704, 'SESSION_CLOSED'],
  ] as const)('of an account that was %s returns %d', async (reason, status, code) => {
    const client = await signIn();
    await client.call(getUser, {});
    const sessions = api.app.get(Sessions);
    await api.app
      .get(EntityManager)
      .fork()
      .transactional((em) => sessions.endAll(em, [sessionOf(client).userId], reason));
    await expectRefused(client, status, code);
  });

  it('ended by another process is rejected here within a second', async () => {
    const client = await signIn();
    await client.call(getUser, {});
    await api.db.query(
      "UPDATE session SET ended_at = now(), end_reason = 'ended' WHERE user_id = $1 AND ended_at IS NULL",
      [sessionOf(client).userId],
    );
    await pastTheCache();
    await expectRefused(client, 702, 'SESSION_ENDED');
  });

  it('ended by another process is rejected within a second while in constant use', async () => {
    const client = await signIn();
    const usedFor = async (ms: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20)))
        statuses.push((await client.send(getUser, {})).status);
      return statuses;
    };
    expect(new Set(await usedFor(1_200))).toEqual(new Set([200]));
    await api.db.query(
      "UPDATE session SET ended_at = now(), end_reason = 'ended' WHERE user_id = $1 AND ended_at IS NULL",
      [sessionOf(client).userId],
    );
    await usedFor(1_000);
    await expectRefused(client, 702, 'SESSION_ENDED');
  });

  it('that was signed out is not restored by a read in flight', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await signIn();
      await client.call(getUser, {});
      await new Promise((resolve) => setTimeout(resolve, 210));
      await client.call(getUser, {});
      await new Promise((resolve) => setTimeout(resolve, 40 + round * 5));
      await client.call(logout, {});
      await new Promise((resolve) => setTimeout(resolve, 30));
      await expectRefused(client, 702, 'SESSION_ENDED');
    }
  });

  it('that does not exist is unknown', async () => {
    const session = { userId: person.session.userId, sk: 'f'.repeat(64) };
    await expectRefused(person.client.as(session), 701, 'SESSION_UNKNOWN');
    const own = sessionOf(await signIn());
    await expectRefused(person.client.as({ ...own, userId: own.userId + 1 }), 701, 'SESSION_UNKNOWN');
  });

  it('needs a fresh timestamp and a valid signature; without either the request is unauthorised', async () => {
    const session = sessionOf(await signIn());
    const visitor = new TestClient(api.url);
    for (const headers of [
      headersOf(session, Date.now() - 301_000),
      headersOf(session, Date.now() + 301_000),
      { ...headersOf(session), signature: '0'.repeat(64) },
      { ...headersOf(session), 'auth-token': 'nonsense' },
    ]) {
      const { status, body } = await visitor.with(headers).send(getUser, {});
      expect(status).toBe(401);
      expect(body).toMatchObject({ status: 705, code: 'BAD_SIGNATURE', data: { serverTime: expect.any(Number) } });
    }
    for (const skew of [-295_000, 295_000])
      expect((await visitor.with(headersOf(session, Date.now() + skew)).send(getUser, {})).status).toBe(200);
    expect(await visitor.send(getUser, {})).toMatchObject({ status: 401, body: { status: 401, code: 'UNAUTHORIZED' } });
  });
});

describe('a changed password', () => {
  it('ends every session, including its own, and the new password works', async () => {
    const clients = [await signIn(), await signIn(), await signIn()];
    for (const client of clients) await client.call(getUser, {});
    const [asking] = clients;
    await asking?.call(changePassword, { oldPassword: person.password, password: 'secret-new' });
    for (const client of clients) await expectRefused(client, 702, 'SESSION_ENDED');
    const visitor = new TestClient(api.url);
    expect((await visitor.send(login, { account: person.username, password: person.password })).body).toMatchObject({
      code: 'WRONG_PASSWORD',
    });
    person.password = 'secret-new';
    expect((await visitor.send(login, { account: person.username, password: person.password })).status).toBe(200);
  });
});

it('does not depend on Redis: members sign in and stay signed in without it', async () => {
  const alone = await startApi({ REDIS_URL: 'redis://127.0.0.1:1' });
  try {
    const member = await makeMain(alone);
    expect((await member.client.call(getUser, {})).userId).toBe(member.session.userId);
    const { body } = await new TestClient(alone.url).send(login, { account: member.username, password: 'wrong-one' });
    expect(body).toMatchObject({ code: 'WRONG_PASSWORD' });
  } finally {
    await alone.stop();
  }
});
