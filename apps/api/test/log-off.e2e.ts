import { CommandBus } from '@nestjs/cqrs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportAccountLogs, listAccountLogs } from '@yiqiao/contracts/account-log';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { login, register, sendVCode } from '@yiqiao/contracts/login';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { deleteChildUsers, distributeChars, listChildUsers, saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { deleteUser, getUsage, getUser } from '@yiqiao/contracts/user';
import { EraseAddresses } from '../src/members/erase-addresses.js';
import { Ledger } from '../src/ledger/ledger.js';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { uuid7 } from '../src/platform/uuid7.js';
import type { TestApi } from './support/api.js';
import { headersOf, TestClient } from './support/client.js';
import { giveEverySub, joinGroup, makeMain, makeManySubs, makeSub, PROFESSIONAL, setChars } from './support/family.js';
import { type TestMember, codeMailedTo, registerMember, skipCodePause } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApiWithWorker();
});
afterAll(() => api.stop());

const usage = { tranChannelId: 1, ip: '192.0.2.9', clientType: 'web', source: 'zh', target: 'en' } as const;

/** Translates `codePoints` as the member, without an engine. */
const translate = async (who: TestMember, familyId: number, codePoints: number): Promise<void> => {
  const ledger = api.app.get(Ledger, { strict: false });
  const command = { id: uuid7(), userId: who.session.userId, familyId };
  await ledger.hold({ ...command, ask: { kind: 'text', codePoints } });
  await ledger.settle({ ...command, usage });
};

const count = async (sql: string, ...values: unknown[]): Promise<number> => {
  const { rows } = await api.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values);
  return Number(rows[0]?.n);
};

const happens = (done: () => Promise<boolean>): Promise<boolean> => waitUntil(done, (yes) => yes);

describe('a deleted sub-account', () => {
  it('keeps its last name in the log, the download and the usage, marked, until its main account logs off', async () => {
    const boss = await makeMain(api);
    const familyId = boss.session.userId;
    await setChars(api, familyId, 5_000);
    const sub = await makeSub(api, boss);
    const { userId } = sub.session;
    await boss.client.call(distributeChars, { childUserId: userId, changeCharNum: 700 });
    await translate(sub, familyId, 5);
    await boss.client.call(deleteChildUsers, { userId });
    for (const [language, marked] of [
      ['zh-CN', `${sub.username}（已删除）`],
      ['en-US', `${sub.username} (deleted)`],
    ] as const) {
      const reader = boss.client.with({ 'Accept-Language': language });
      const { rows } = await reader.call(listAccountLogs, {});
      expect(rows.slice(0, 2).map((row) => [row.logType, row.childUserName, row.parentUserName])).toEqual([
        ['RECOVERY', marked, boss.username],
        ['DISTRIBUTION', marked, boss.username],
      ]);
      expect(rows[1]?.explanation).toContain(marked);
      // This sentence already says that it was deleted.
      expect(rows[0]?.explanation).toContain(sub.username);
      expect(rows[0]?.explanation).not.toContain(marked);
      const sheet = await fetch(`${api.url}${BASE_PATH}${exportAccountLogs.path}`, {
        headers: { ...reader.extra, ...headersOf(boss.session) },
      });
      expect(await sheet.text()).toContain(`,${marked},`);
      const { children } = await reader.call(getUsage, {});
      expect(children).toEqual([{ userId, nickname: marked, charNum: 5 }]);
    }
    const lastName = async () =>
      (await api.db.query<{ last_name: string }>('SELECT last_name FROM member WHERE id = $1', [userId])).rows;
    expect(await lastName()).toEqual([{ last_name: sub.username }]);
    await boss.client.call(deleteUser, { userPassword: boss.password });
    expect(await lastName()).toEqual([{ last_name: null }]);
  });
});

describe('logging off', () => {
  it('requires the password, which cannot be guessed', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main);
    const ask = (userPassword: unknown, who = main) => who.client.send(deleteUser, { userPassword });
    expect(await ask('wrong-password')).toMatchObject({ status: 422, body: { code: 'WRONG_PASSWORD', status: 422 } });
    expect((await main.client.send(deleteUser, {})).body).toMatchObject({ errors: [{ path: 'userPassword' }] });
    expect(await ask(sub.password, sub)).toMatchObject({ status: 403, body: { code: 'MAIN_ACCOUNT_ONLY' } });
    const guesses = await Promise.all(Array.from({ length: 14 }, (_, i) => ask(`wrong-password-${i}`)));
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(9);
    const { status, body, headers } = await ask(main.password);
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'LOGIN_LOCKED' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    // A stolen session locks nobody out: signing in has its own limit.
    await new TestClient(api.url).call(login, { account: main.account, password: main.password });
    expect((await main.client.call(getUser, {})).enabled).toBe(1);
  });

  it('ends the family, erases personal data and keeps the ledger', async () => {
    const main = await registerMember(api.url);
    const familyId = main.session.userId;
    const other = await makeMain(api);
    await setChars(api, familyId, 5_000);
    const subs = [await makeSub(api, main, 1_000), await makeSub(api, main)];
    await translate(main, familyId, 7);
    await translate(subs[0] as TestMember, familyId, 11);
    await translate(other, other.session.userId, 5);
    const pending = { id: uuid7(), userId: familyId, familyId };
    const ledger = api.app.get(Ledger, { strict: false });
    await ledger.hold({ ...pending, ask: { kind: 'text', codePoints: 3 } });
    await new TestClient(api.url).call(sendVCode, { account: main.account }).catch(() => undefined);
    await joinGroup(api, main, PROFESSIONAL);
    await main.client.call(changeReminders, { lowCharNum: 0, expiryDays: 0, byMail: 0 });
    expect(await count('session WHERE family_id = $1 AND login_ip IS NOT NULL', familyId)).toBe(3);
    const kept = main.client.with({ 'Idempotency-Key': 'kept' });
    await kept.send(saveChildUser, { account: 'x' });

    expect(await main.client.call(deleteUser, { userPassword: main.password })).toBe(true);
    for (const { client } of [main, ...subs])
      expect(await client.send(getUser, {})).toMatchObject({
        status: 401,
        body: { status: 704, code: 'SESSION_CLOSED' },
      });
    for (const who of [main, ...subs]) {
      const { status, body } = await new TestClient(api.url).send(login, {
        account: who.username,
        password: who.password,
      });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'ACCOUNT_NOT_REGISTERED' });
    }

    expect(await count('member WHERE family_id = $1 AND closed_at IS NOT NULL', familyId)).toBe(3);
    expect(
      await count(
        'member WHERE family_id = $1 AND (nickname IS NOT NULL OR password_hash IS NOT NULL OR invite_code IS NOT NULL)',
        familyId,
      ),
    ).toBe(0);
    for (const table of ['identity', 'login_log', 'member_reminder'])
      expect(await count(`${table} WHERE family_id = $1`, familyId)).toBe(0);
    expect(await count('idempotency_key WHERE user_id = $1', familyId)).toBe(0);
    expect(await count('session WHERE family_id = $1 AND ended_at IS NULL', familyId)).toBe(0);
    expect(await count('session WHERE family_id = $1', familyId)).toBe(3);
    expect(await count('session WHERE family_id = $1 AND login_ip IS NOT NULL', familyId)).toBe(0);
    expect(await count('ledger_hold WHERE family_id = $1 AND released_at IS NULL', familyId)).toBe(0);
    // The sub-account with an empty balance returned nothing.
    expect(await count('account_log WHERE family_id = $1 AND log_type = 4', familyId)).toBe(2);

    const lines = 'translation_log WHERE family_id = $1 AND ip IS NOT NULL';
    await happens(async () => (await count(lines, familyId)) === 0);
    expect(await count('translation_log WHERE family_id = $1', familyId)).toBe(2);
    expect(await count(lines, other.session.userId)).toBe(1);
    expect((await auditLedger(api.db)).difference).toBeNull();
    await expect(ledger.settle({ ...pending, usage })).resolves.toMatchObject({ charged: 3 });
  });

  it('frees the names; a returning member gets no second trial or reward', async () => {
    const inviter = await makeMain(api);
    const { inviteCode } = await inviter.client.call(getUser, {});
    const main = await registerMember(api.url, { inviteCode: inviteCode ?? '' });
    const chars = async (who: TestMember) => (await who.client.call(getUser, {})).memberAccount.usableCharNum;
    await happens(async () => (await chars(main)) === 15_000);
    await main.client.call(deleteUser, { userPassword: main.password });

    const visitor = new TestClient(api.url);
    // The pause between two codes of an address survives its account.
    expect(await visitor.send(sendVCode, { account: main.account })).toMatchObject({
      status: 429,
      body: { code: 'VCODE_TOO_SOON' },
    });
    await skipCodePause(api);
    await visitor.call(sendVCode, { account: main.account });
    const { account, username, password } = main;
    const vcode = await codeMailedTo(account, 3);
    const form = { username, account, password, vcode, inviteCode: inviteCode ?? '' };
    const { userId } = await visitor.call(register, form);
    expect(userId).not.toBe(main.session.userId);
    const session = await visitor.call(login, { account, password });
    const back = { ...main, session, client: visitor.as(session) };
    await happens(async () => (await count(`outbox WHERE done_at IS NULL`)) === 0);
    expect(await chars(back)).toBe(0);
    expect((await back.client.call(listChildUsers, {})).total).toBe(0);
    expect(await main.client.send(getUser, {})).toMatchObject({ body: { status: 704 } });
  });

  it('and deleting a sub-account erase addresses, including those of running translations', async () => {
    const main = await makeMain(api);
    const familyId = main.session.userId;
    const sub = await makeSub(api, main, 100);
    await translate(main, familyId, 7);
    await translate(sub, familyId, 11);
    const known = (userId: number) => count('translation_log WHERE user_id = $1 AND ip IS NOT NULL', userId);
    await main.client.call(deleteChildUsers, { userId: sub.session.userId });
    await happens(async () => (await known(sub.session.userId)) === 0);
    expect(await known(familyId)).toBe(1);
    await main.client.call(deleteUser, { userPassword: main.password });
    await happens(async () => (await known(familyId)) === 0);
    await translate(main, familyId, 3);
    expect(await known(familyId)).toBe(1);
    await api.app.get(CommandBus).execute(new EraseAddresses(null));
    expect(await known(familyId)).toBe(0);
  });

  it('happens once for two concurrent requests', async () => {
    const main = await makeMain(api);
    await makeSub(api, main, 10);
    const replies = await Promise.all(
      [1, 2, 3].map(() => main.client.send(deleteUser, { userPassword: main.password })),
    );
    const [won, ...lost] = replies.map(({ status }) => status).sort();
    expect(won).toBe(200);
    for (const status of lost) expect([401, 404]).toContain(status);
  });

  it('takes seconds with ten thousand sub-accounts', async () => {
    const main = await makeMain(api);
    const familyId = main.session.userId;
    await makeManySubs(api, main, 10_000);
    await setChars(api, familyId, 10_000);
    await giveEverySub(api, main, 1);
    const started = performance.now();
    await main.client.call(deleteUser, { userPassword: main.password });
    const seconds = (performance.now() - started) / 1000;
    if (process.env['SHOW_TIMES']) process.stdout.write(`log-off of 10,001 accounts: ${seconds.toFixed(1)} s\n`);
    // Two seconds on a quiet machine.
    expect(seconds).toBeLessThan(60);
    expect(await count('member WHERE family_id = $1 AND closed_at IS NULL', familyId)).toBe(0);
    expect(await count('account_log WHERE family_id = $1 AND log_type = 4', familyId)).toBe(20_000);
  }, 180_000);
});
