import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { login, register, resetPwdByVcode, sendVCode } from '@yiqiao/contracts/login';
import { changePassword, getUser } from '@yiqiao/contracts/user';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import { codeMailedTo, freshName, lettersTo, registerPerson, type Person } from './support/people.js';
import { startWorker } from './support/worker.js';

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let visitor: TestClient;

beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api.env);
  visitor = new TestClient(api.url);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

/** A code may be asked for again after a minute: this passes one. */
const aMinuteLater = () => api.db.query("UPDATE verification_code SET created_at = created_at - interval '61 seconds'");

/** The reset code of a person, asked for by `account`. The first letter was the one of the registration. */
async function resetCode(person: Person, account = person.account): Promise<string> {
  await aMinuteLater();
  const before = (await lettersTo(person.account)).length;
  await visitor.call(sendVCode, { account });
  return codeMailedTo(person.account, before + 1);
}

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const codeOf = ({ body }: { body: object }): unknown => ('code' in body ? body.code : null);

describe('resetting the password', () => {
  it('goes by the username as well as by the address, ends the sessions and tells the owner', async () => {
    const person = await registerPerson(api.url);
    const byName = await resetCode(person, person.username);
    await visitor.call(resetPwdByVcode, { email: person.username, vcode: byName, password: 'reset-1' });
    expect(await person.client.send(getUser, {})).toMatchObject({ status: 401, body: { status: 702 } });
    const [notice] = await lettersTo(person.account, 3);
    expect(notice?.subject).toBe('译桥 密码修改提醒 / Yiqiao password changed');
    expect(notice?.text).toContain('was just changed');

    const byAddress = await resetCode(person);
    await visitor.call(resetPwdByVcode, { email: person.account.toUpperCase(), vcode: byAddress, password: 'reset-2' });
    expect((await visitor.send(login, { account: person.username, password: 'reset-1' })).status).toBe(422);
    expect((await visitor.send(login, { account: person.username, password: 'reset-2' })).status).toBe(200);
  });

  it('takes a code once, five tries of it, and only one that was made for it', async () => {
    const person = await registerPerson(api.url);
    const vcode = await resetCode(person);
    const send = (code: string) =>
      visitor.send(resetPwdByVcode, { email: person.account, vcode: code, password: 'reset-1' });
    expect(codeOf(await send(wrong(vcode)))).toBe('VCODE_WRONG');
    const both = await Promise.all([send(vcode), send(vcode)]);
    expect(both.map((a) => a.status).sort()).toEqual([200, 422]);
    expect(codeOf(await send(vcode))).toBe('VCODE_EXPIRED');
    await lettersTo(person.account, 3);

    const next = await resetCode(person);
    const guesses = await Promise.all(Array.from({ length: 100 }, () => send(wrong(next))));
    expect(guesses.filter((a) => codeOf(a) === 'VCODE_WRONG')).toHaveLength(5);
    expect(codeOf(await send(next))).toBe('VCODE_EXPIRED');
  });

  it('does not take the code of a registration', async () => {
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

  it('is not for sub-accounts, and says nothing of accounts that do not exist', async () => {
    const person = await makeMain(api);
    const sub = await makeSub(api, person);
    const form = { vcode: '123456', password: 'reset-1' };
    const answers = await Promise.all(
      [sub.username, 'nobodyatall', 'nobody@example.com'].map((email) =>
        visitor.send(resetPwdByVcode, { ...form, email }),
      ),
    );
    expect(answers.map((a) => [a.status, codeOf(a)])).toEqual([
      [422, 'ASK_MAIN_ACCOUNT'],
      [422, 'VCODE_WRONG'],
      [422, 'VCODE_WRONG'],
    ]);
  });

  it('is limited to twenty wrong codes a day for one mailbox', async () => {
    const person = await registerPerson(api.url);
    const statuses: number[] = [];
    for (let letter = 0; letter < 5; letter++) {
      const vcode = wrong(await resetCode(person));
      for (let i = 0; i < 5; i++)
        statuses.push(
          (await visitor.send(resetPwdByVcode, { email: person.account, vcode, password: 'reset-1' })).status,
        );
    }
    expect(statuses).toEqual(Array.from({ length: 25 }, (_, i) => (i < 20 ? 422 : 429)));
  });
});

describe('changing the password', () => {
  it('wants the old one: a wrong one is 422, and ten are the most', async () => {
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

  it('happens once when two ask at once', async () => {
    const person = await makeMain(api);
    const change = (password: string) => person.client.send(changePassword, { oldPassword: person.password, password });
    const statuses = (await Promise.all([change('secret-a1'), change('secret-b1')])).map((a) => a.status);
    expect(statuses.filter((s) => s === 200)).toHaveLength(1);
    const logins = await Promise.all(
      ['secret-a1', 'secret-b1'].map((password) => visitor.send(login, { account: person.username, password })),
    );
    expect(logins.filter((a) => a.status === 200)).toHaveLength(1);
  });

  it('of a sub-account is told to its main account', async () => {
    const person = await makeMain(api);
    const sub = await makeSub(api, person);
    await sub.client.call(changePassword, { oldPassword: sub.password, password: 'secret-new' });
    const [notice] = await lettersTo(person.account);
    expect(notice?.text).toContain('one of your Yiqiao sub-accounts');
    expect((await person.client.send(getUser, {})).status).toBe(200);
  });
});
