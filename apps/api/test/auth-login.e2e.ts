import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { findEmail, login, sendVCode } from '@yiqiao/contracts/login';
import { getUser } from '@yiqiao/contracts/user';
import { SESSIONS_MAX } from '@yiqiao/domain/limits';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeSub } from './support/family.js';
import { freshName, registerMember, type TestMember } from './support/test-members.js';
import { spawnApi } from './support/process.js';
import { startApiWithWorker, startWorker } from './support/worker.js';

let api: TestApi;
let visitor: TestClient;
let person: TestMember;
let subAccount: TestMember;

beforeAll(async () => {
  api = await startApiWithWorker({ TRUSTED_PROXIES: '127.0.0.1' });
  visitor = new TestClient(api.url);
  person = await registerMember(api.url);
  subAccount = await makeSub(api, person);
});
afterAll(() => api.stop());

/** A visitor at another address: limits are counted per address. */
const from = (ip: string): TestClient => visitor.with({ 'X-Forwarded-For': ip });

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

/** Unused so far, because counts in Redis outlive a test; each in its own network, because IPv6 counts by /64. */
const freshAddress = (): string =>
  `2001:db8:${randomBytes(4)
    .toString('hex')
    .replace(/(.{4})/, '$1:')}::1`;

describe('signing in', () => {
  it('accepts the username or the address, in any case, from every kind of client', async () => {
    for (const clientType of ['web', 'windows', 'mac', 'android', 'ios'] as const) {
      const account = clientType === 'mac' ? person.account.toUpperCase() : person.username.toUpperCase();
      const { userId } = await visitor.call(login, { account, password: person.password, clientType });
      expect(userId).toBe(person.session.userId);
    }
    const { userId } = await visitor.call(login, { account: subAccount.username, password: subAccount.password });
    expect(userId).not.toBe(person.session.userId);
  });

  it('gives every session its own secret and stores none', async () => {
    const form = { account: person.username, password: person.password };
    const [a, b] = await Promise.all([visitor.call(login, form), visitor.call(login, form)]);
    expect(a.sk).not.toBe(b.sk);
    const { rows } = await api.db.query('SELECT * FROM session');
    expect(JSON.stringify(rows)).not.toContain(a.sk);
  });

  it.each([
    [{ account: 'nobody-at-all@example.com', password: 'secret-123' }, 'ACCOUNT_NOT_REGISTERED'],
    [{ account: 'nobodyatall', password: 'secret-123' }, 'ACCOUNT_NOT_REGISTERED'],
    [{ account: 'a', password: 'secret-123' }, 'VALIDATION_FAILED'],
    [{ account: 'someone', password: '12345' }, 'VALIDATION_FAILED'],
    [{ account: 'someone', password: 'secret-123', clientType: 'toaster' }, 'VALIDATION_FAILED'],
    [{ account: ['someone'], password: { $ne: 1 } }, 'VALIDATION_FAILED'],
    [{ account: "x' OR '1'='1", password: 'secret-123' }, 'ACCOUNT_NOT_REGISTERED'],
  ])('refuses %j', async (form, code) => {
    const { status, body } = await visitor.send(login, form);
    expect(status).toBe(422);
    expect(body).toMatchObject({ success: false, data: null, status: 422, code });
  });

  it('reports a disabled account only after the right password', async () => {
    const off = await makeSub(api, person);
    await api.db.query('UPDATE member SET enabled = false WHERE id = $1', [off.session.userId]);
    expect((await visitor.send(login, { account: off.username, password: 'wrong-one' })).body).toMatchObject({
      code: 'WRONG_PASSWORD',
    });
    expect(await visitor.send(login, { account: off.username, password: off.password })).toMatchObject({
      status: 403,
      body: { code: 'ACCOUNT_DISABLED', status: 403 },
    });
  });
});

describe('wrong passwords', () => {
  it('block an address after ten, even with the right password, while the owner still signs in elsewhere', async () => {
    const victim = await registerMember(api.url);
    const guess = (ip: string, password: string) => from(ip).send(login, { account: victim.username, password });
    const ip = freshAddress();
    const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(ip, `wrong-${i}`)));
    const codes = burst.map(({ body }) => ('code' in body ? body.code : 'none'));
    // A caller who waits too long for a hash is refused as well, and learns nothing.
    let told = codes.filter((c) => c === 'WRONG_PASSWORD').length;
    expect(codes.filter((c) => !['WRONG_PASSWORD', 'LOGIN_LOCKED', 'SERVICE_BUSY'].includes(c))).toEqual([]);
    expect(told).toBeLessThanOrEqual(10);
    for (; told < 10; told++) expect((await guess(ip, 'wrong-again')).status).toBe(422);

    const locked = await guess(ip, victim.password);
    expect(locked).toMatchObject({ status: 429, body: { code: 'LOGIN_LOCKED' } });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(800);
    const byAddress = await from(ip).send(login, { account: victim.account, password: victim.password });
    expect(byAddress.status).toBe(429);
    expect((await guess(ip.replace('::1', '::2'), victim.password)).status).toBe(429);
    expect((await guess(freshAddress(), victim.password)).status).toBe(200);
  });

  it('never lock out correct passwords, however many devices sign in at once', async () => {
    const owner = await registerMember(api.url);
    const ip = freshAddress();
    const attempt = (password: string) => from(ip).send(login, { account: owner.username, password });
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 9 }, (_, i) => attempt(`wrong-${i}`)));
      const right = await Promise.all(Array.from({ length: 8 }, () => attempt(owner.password)));
      expect(right.map(({ status }) => status)).toEqual(right.map(() => 200));
    }
  });

  it('hide the right one in a burst of more than ten', async () => {
    const victim = await registerMember(api.url);
    const ip = freshAddress();
    const guesses = [...Array.from({ length: 40 }, (_, i) => `wrong-${i}`), victim.password];
    const burst = await Promise.all(
      guesses.map((password) => from(ip).send(login, { account: victim.username, password })),
    );
    const wrong = burst.filter(({ body }) => 'code' in body && body.code === 'WRONG_PASSWORD');
    expect(wrong.length).toBeLessThanOrEqual(10);
    expect([429, 503]).toContain(burst.at(-1)?.status);
  });

  it('are forgotten after the right one', async () => {
    const ip = freshAddress();
    const attempt = (password: string) => from(ip).send(login, { account: person.username, password });
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 6; i++) expect((await attempt('wrong-one')).status).toBe(422);
      expect((await attempt(person.password)).status).toBe(200);
    }
  });

  it('count per address across accounts', async () => {
    const small = await startApi({ LIMIT_LOGIN_FAILURES_PER_IP: '5', TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const stranger = new TestClient(small.url).with({ 'X-Forwarded-For': freshAddress() });
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++)
        statuses.push((await stranger.send(login, { account: freshName(), password: 'secret-123' })).status);
      expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    } finally {
      await small.stop();
    }
  });
});

describe('a flood of sign-ins with the right password', () => {
  const CONNECTIONS = 120;
  const FLOOD_MS = 3_000;
  const REFUSED_PAUSE_MS = 200;
  const LOOKS = 6;

  it('gets sessions and clear refusals, leaves 20 live sessions, and does not slow others down', async () => {
    const [flooded, other] = [await registerMember(api.url), await registerMember(api.url)];
    // In a separate process, because 120 clients keep this one busy.
    const flooding = await spawnApi(api.env);
    const attempt = async ({ username: account, password }: TestMember) => {
      const answer = await fetch(`${flooding.url}${BASE_PATH}${login.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ account, password }),
      });
      await answer.text();
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) };
    };
    const answers: Awaited<ReturnType<typeof attempt>>[] = [];
    const isServed = ({ status }: (typeof answers)[number]): boolean => status === 200;
    const statuses: number[] = [];
    /** The number of flood requests served while one of the others waited. */
    const before: number[] = [];
    const signIn = async () => {
      const served = answers.filter(isServed).length;
      statuses.push((await attempt(other)).status);
      before.push(answers.filter(isServed).length - served);
    };
    let isOn = true;
    await signIn();
    const end = Date.now() + FLOOD_MS;
    const flood = Array.from({ length: CONNECTIONS }, async () => {
      while (isOn) {
        const answer = await attempt(flooded);
        answers.push(answer);
        // Immediate refusals would keep this process busy, which measures the other one.
        if (answer.status !== 200) await setTimeout(REFUSED_PAUSE_MS);
      }
    });
    while (Date.now() < end || before.length < LOOKS) {
      await signIn();
      await setTimeout(100);
    }
    isOn = false;
    await Promise.all(flood);
    await flooding.stop();

    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length).toBeGreaterThan(refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, retryAfter } of refused) {
      expect([429, 503]).toContain(status);
      expect(retryAfter).toBeGreaterThanOrEqual(1);
    }
    // The others wait for one or two hashes of the flood, 48 of which are queued.
    expect(median(before)).toBeLessThanOrEqual(12);
    const { rows } = await api.db.query<{ live: number }>(
      'SELECT count(*)::int AS live FROM session WHERE user_id = $1 AND ended_at IS NULL',
      [flooded.session.userId],
    );
    expect(rows).toEqual([{ live: SESSIONS_MAX }]);
  }, 60_000);

  it('ends the oldest sessions on every route at once', async () => {
    const person = await registerMember(api.url);
    const form = { account: person.username, password: person.password };
    const first = person.client;
    expect((await first.send(getUser, {})).status).toBe(200);
    const sessions = [];
    for (let i = 0; i < SESSIONS_MAX; i++) sessions.push(await visitor.call(login, form));
    expect(await first.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
    for (const session of sessions) expect((await visitor.as(session).send(getUser, {})).status).toBe(200);
  });

  it('is limited per account and address', async () => {
    const small = await startApi({
      LIMIT_LOGINS_PER_MINUTE: '3',
      LIMIT_LOGINS_PER_IP: '5',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const smallWorker = await startWorker(small.env);
    try {
      const [one, two] = [await registerMember(small.url), await registerMember(small.url)];
      const stranger = new TestClient(small.url).with({ 'X-Forwarded-For': freshAddress() });
      const attempt = ({ username: account, password }: TestMember, client = stranger) =>
        client.send(login, { account, password }).then(({ status }) => status);
      const statuses = [];
      for (const who of [one, one, one, one, two, two, two]) statuses.push(await attempt(who));
      expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 429]);
      expect(await attempt(one, stranger.with({ 'X-Forwarded-For': freshAddress() }))).toBe(200);
    } finally {
      await smallWorker.stop();
      await small.stop();
    }
  });
});

describe('finding the mailbox', () => {
  it('shows the address to a caller who gave it, and masks it for a caller who knows only the username', async () => {
    expect(await visitor.call(findEmail, { accountOrEmail: person.account.toUpperCase() })).toBe(person.account);
    const masked = `${person.account.slice(0, 2)}***@example.com`;
    expect(await visitor.call(findEmail, { accountOrEmail: person.username })).toBe(masked);
  });

  it('reports an unknown account', async () => {
    for (const accountOrEmail of ['nobodyatall', 'nobody@example.com', 'not an account'])
      expect(await visitor.send(findEmail, { accountOrEmail })).toMatchObject({
        status: 404,
        body: { code: 'NO_RESULT' },
      });
    const sub = await visitor.send(findEmail, { accountOrEmail: subAccount.username });
    expect(sub).toMatchObject({ status: 422, body: { code: 'ASK_MAIN_ACCOUNT' } });
    expect(await visitor.send(findEmail, { accountOrEmail: 'a' })).toMatchObject({ status: 422 });
  });
});

describe('requesting a code', () => {
  it.each([
    ['nobodyatall', 404, 'NO_RESULT'],
    ['not an account', 422, 'VALIDATION_FAILED'],
    ['half@', 422, 'VALIDATION_FAILED'],
    ['a@example.com,b@example.com', 422, 'VALIDATION_FAILED'],
  ])('for %s returns %d', async (account, status, code) => {
    expect(await visitor.send(sendVCode, { account })).toMatchObject({ status, body: { code } });
  });

  it('refers a sub-account to its main account', async () => {
    const { status, body } = await visitor.send(sendVCode, { account: subAccount.username });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'ASK_MAIN_ACCOUNT' });
  });

  it('is limited per client address', async () => {
    const small = await startApi({ LIMIT_CODES_PER_IP: '3', LIMIT_LOOKUPS_PER_IP: '2', TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const stranger = new TestClient(small.url).with({ 'X-Forwarded-For': freshAddress() });
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++)
        statuses.push((await stranger.send(sendVCode, { account: `${freshName()}@example.com` })).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      for (let i = 0; i < 3; i++)
        statuses.push((await stranger.send(findEmail, { accountOrEmail: 'nobodyatall' })).status);
      expect(statuses.slice(5)).toEqual([404, 404, 429]);
    } finally {
      await small.stop();
    }
  });
});
