import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login, register, resetPwdByVcode, sendVCode } from '@yiqiao/contracts/login';
import { changePassword, deleteUser, getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import {
  type TestMember,
  codeMailedTo,
  freshName,
  mailsTo,
  registerMember,
  skipCodePause,
  wrongCode,
} from './support/test-members.js';
import { startApiWithWorker, startWorker } from './support/worker.js';

let api: TestApi;
let visitor: TestClient;

beforeAll(async () => {
  api = await startApiWithWorker();
  visitor = new TestClient(api.url);
});
afterAll(() => api.stop());

/** A member's reset code, requested by `account`. The first mail was the registration's. */
async function resetCode(person: TestMember, account = person.account): Promise<string> {
  await skipCodePause(api);
  const before = (await mailsTo(person.account)).length;
  await visitor.call(sendVCode, { account });
  return codeMailedTo(person.account, before + 1);
}

const codeOf = ({ body }: { body: object }): unknown => ('code' in body ? body.code : null);

describe('resetting the password', () => {
  it('accepts the username or the address, ends all sessions and notifies the owner', async () => {
    const person = await registerMember(api.url);
    const byName = await resetCode(person, person.username);
    await visitor.call(resetPwdByVcode, { email: person.username, vcode: byName, password: 'reset-1' });
    expect(await person.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
    const [notice] = await mailsTo(person.account, 3);
    expect(notice?.subject).toBe('译桥 密码修改提醒 / Yiqiao password changed');
    expect(notice?.text).toContain('was just changed');

    const byAddress = await resetCode(person);
    await visitor.call(resetPwdByVcode, { email: person.account.toUpperCase(), vcode: byAddress, password: 'reset-2' });
    expect((await visitor.send(login, { account: person.username, password: 'reset-1' })).status).toBe(422);
    expect((await visitor.send(login, { account: person.username, password: 'reset-2' })).status).toBe(200);
  });

  it('accepts a code once, within five attempts, and only for its own purpose', async () => {
    const person = await registerMember(api.url);
    const vcode = await resetCode(person);
    const send = (code: string) =>
      visitor.send(resetPwdByVcode, { email: person.account, vcode: code, password: 'reset-1' });
    expect(codeOf(await send(wrongCode(vcode)))).toBe('VCODE_WRONG');
    const both = await Promise.all([send(vcode), send(vcode)]);
    expect(both.map((a) => a.status).sort()).toEqual([200, 422]);
    expect(codeOf(await send(vcode))).toBe('VCODE_EXPIRED');
    await mailsTo(person.account, 3);

    const next = await resetCode(person);
    const guesses = await Promise.all(Array.from({ length: 15 }, () => send(wrongCode(next))));
    // Without the code nobody learns that it is used up, and thus that there was one.
    expect(new Set(guesses.map(codeOf))).toEqual(new Set(['VCODE_WRONG']));
    const { rows } = await api.db.query('SELECT tries FROM verification_code ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ tries: 5 }]);
    expect(codeOf(await send(next))).toBe('VCODE_EXPIRED');
  });

  it('counts attempts per address: a stranger does not use up the owner’s', async () => {
    const behind = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
    const helper = await startWorker(behind.env);
    const person = await registerMember(behind.url);
    await skipCodePause(behind);
    await new TestClient(behind.url).call(sendVCode, { account: person.account });
    const vcode = await codeMailedTo(person.account, 2);
    const send = (ip: string, code: string) =>
      new TestClient(behind.url, null, { 'X-Forwarded-For': ip }).send(resetPwdByVcode, {
        email: person.account,
        vcode: code,
        password: 'reset-1',
      });
    for (let i = 0; i < 8; i++) expect(codeOf(await send('203.0.113.9', wrongCode(vcode)))).toBe('VCODE_WRONG');
    expect(codeOf(await send('203.0.113.9', vcode))).toBe('VCODE_EXPIRED');
    expect((await send('198.51.100.7', vcode)).status).toBe(200);

    await mailsTo(person.account, 3);

    // All addresses together have twenty-five.
    await skipCodePause(behind);
    await new TestClient(behind.url).call(sendVCode, { account: person.account });
    const next = await codeMailedTo(person.account, 4);
    for (let i = 0; i < 25; i++) await send(`192.0.2.${i}`, wrongCode(next));
    expect(codeOf(await send('198.51.100.8', next))).toBe('VCODE_EXPIRED');
    await helper.stop();
    await behind.stop();
  });

  it('rejects a registration code', async () => {
    const name = freshName();
    const account = `${name}@example.com`;
    await visitor.call(sendVCode, { account });
    const form = { username: name, account, password: 'secret-123', vcode: await codeMailedTo(account) };
    const early = await visitor.send(resetPwdByVcode, { email: account, vcode: form.vcode, password: 'reset-1' });
    expect(codeOf(early)).toBe('VCODE_WRONG');
    await visitor.call(register, form);
    const late = await visitor.send(resetPwdByVcode, { email: account, vcode: form.vcode, password: 'reset-1' });
    expect(codeOf(late)).toBe('VCODE_WRONG');
  });

  it('is not offered to sub-accounts and does not reveal whether an account exists', async () => {
    const person = await makeMain(api);
    const sub = await makeSub(api, person);
    const form = { vcode: '123456', password: 'reset-1' };
    const answers = await Promise.all(
      [sub.username, 'nobodyatall', 'nobody@example.com'].map((email) =>
        visitor.send(resetPwdByVcode, { ...form, email }),
      ),
    );
    const known = await visitor.send(resetPwdByVcode, { ...form, email: person.account });
    expect([...answers, known].map((a) => [a.status, a.body])).toEqual(
      Array.from({ length: 4 }, () => [422, known.body]),
    );
    expect(codeOf(known)).toBe('VCODE_WRONG');
    // In later rounds as well: after twenty wrong codes each request is told to wait.
    for (const email of [sub.username, 'nobodyatall', person.account]) {
      for (let i = 0; i < 19; i++) await visitor.send(resetPwdByVcode, { ...form, email });
      expect([email, (await visitor.send(resetPwdByVcode, { ...form, email })).status]).toEqual([email, 429]);
    }
  });

  it('is limited per address, whatever names it tries', async () => {
    const strict = await startApi({ LIMIT_LOOKUPS_PER_IP: '120' });
    const answers = [];
    // Fewer at once than a slow machine refuses as too many.
    for (let wave = 0; wave < 5; wave++)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: 30 }, (_, i) =>
            new TestClient(strict.url).send(resetPwdByVcode, {
              email: `nobody${wave * 30 + i}`,
              vcode: '123456',
              password: 'reset-1',
            }),
          ),
        )),
      );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(120);
    expect(answers.filter(({ status, headers }) => status === 429 && headers['retry-after'])).toHaveLength(30);
    await strict.stop();
  });

  it('is limited to twenty wrong codes a day per mailbox', async () => {
    const person = await registerMember(api.url);
    const statuses: number[] = [];
    for (let letter = 0; letter < 5; letter++) {
      const vcode = wrongCode(await resetCode(person));
      for (let i = 0; i < 5; i++)
        statuses.push(
          (await visitor.send(resetPwdByVcode, { email: person.account, vcode, password: 'reset-1' })).status,
        );
    }
    expect(statuses).toEqual(Array.from({ length: 25 }, (_, i) => (i < 20 ? 422 : 429)));
  });
});

describe('changing the password', () => {
  it('requires the old password: a wrong one is 422, up to ten times', async () => {
    const person = await makeMain(api);
    const change = (oldPassword: string) => person.client.send(changePassword, { oldPassword, password: 'secret-new' });
    for (let i = 0; i < 10; i++)
      expect(await change('not-this-one')).toMatchObject({
        status: 422,
        body: { code: 'WRONG_OLD_PASSWORD', status: 422 },
      });
    expect((await change(person.password)).status).toBe(429);
    expect((await person.client.send(getUser, {})).status).toBe(200);
  });

  it('judges at most ten of a burst of sixty guesses', async () => {
    const person = await makeMain(api);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        person.client.send(changePassword, { oldPassword: `guess-${i}`, password: 'secret-new' }),
      ),
    );
    // 503: it waited too long for a hash, and the caller has learnt nothing.
    const judged = answers.filter(({ status }) => status !== 429 && status !== 503);
    expect(judged.map(({ body }) => (body as { code: string }).code)).toEqual(judged.map(() => 'WRONG_OLD_PASSWORD'));
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.length).toBeLessThanOrEqual(10);
    const right = { oldPassword: person.password, password: 'secret-new' };
    expect((await person.client.send(changePassword, right)).status).toBe(429);
    expect((await visitor.send(login, { account: person.username, password: person.password })).status).toBe(200);
  });

  it('shares its limit of guesses with log-off', async () => {
    const person = await makeMain(api);
    for (let i = 0; i < 5; i++) {
      await person.client.send(changePassword, { oldPassword: 'not-this-one', password: 'secret-new' });
      await person.client.send(deleteUser, { userPassword: 'not-this-one' });
    }
    expect((await person.client.send(deleteUser, { userPassword: person.password })).status).toBe(429);
  });

  it.each([
    [{ oldPassword: '12345', password: 'secret-new' }, 'oldPassword', 'OLD_PASSWORD_MIN'],
    [{ oldPassword: 'not-needed', password: '12345' }, 'password', 'PASSWORD_MIN'],
    [{ oldPassword: 'not-needed', password: 'x'.repeat(33) }, 'password', 'PASSWORD_MAX'],
    [{ oldPassword: 'not-needed' }, 'password', 'PASSWORD_REQUIRED'],
  ])('refuses %j', async (form, path, code) => {
    const person = await makeMain(api);
    const { status, body } = await person.client.send(changePassword, form);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path, code }] });
  });

  it('succeeds once for two simultaneous requests', async () => {
    const person = await makeMain(api);
    const change = (password: string) => person.client.send(changePassword, { oldPassword: person.password, password });
    const statuses = (await Promise.all([change('secret-a1'), change('secret-b1')])).map((a) => a.status);
    expect(statuses.filter((s) => s === 200)).toHaveLength(1);
    const logins = await Promise.all(
      ['secret-a1', 'secret-b1'].map((password) => visitor.send(login, { account: person.username, password })),
    );
    expect(logins.filter((a) => a.status === 200)).toHaveLength(1);
  });

  it('of a sub-account is mailed to its main account', async () => {
    const person = await makeMain(api);
    const sub = await makeSub(api, person);
    await sub.client.call(changePassword, { oldPassword: sub.password, password: 'secret-new' });
    const [notice] = await mailsTo(person.account);
    expect(notice?.text).toContain('one of your Yiqiao sub-accounts');
    expect((await person.client.send(getUser, {})).status).toBe(200);
  });
});
