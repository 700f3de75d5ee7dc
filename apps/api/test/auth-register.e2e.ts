import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAccount, checkUsername, login, register, sendVCode } from '@yiqiao/contracts/login';
import { getUser } from '@yiqiao/contracts/user';
import type { TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { codeMailedTo, freshName, mailsTo, registerMember, skipCodePause, wrongCode } from './support/test-members.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;
let visitor: TestClient;

beforeAll(async () => {
  api = await startApiWithWorker();
  visitor = new TestClient(api.url);
});
afterAll(() => api.stop());

/** A valid form with the mailed code. */
async function readyForm(name = freshName()) {
  const account = `${name}@example.com`;
  await visitor.call(sendVCode, { account });
  return { username: name, account, password: 'secret-123', vcode: await codeMailedTo(account) };
}

describe('registering', () => {
  it('registers with the mailed code and grants the trial quota', async () => {
    const form = await readyForm();
    const { userId } = await visitor.call(register, form);
    const session = await visitor.call(login, { account: form.account, password: form.password });
    expect(session).toEqual({ userId, sk: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const user = await visitor.as(session).call(getUser, {});
    expect(user).toMatchObject({
      userId,
      nickname: form.username,
      account: form.account,
      username: form.username,
      parentUserId: null,
      inviteCount: 0,
      autoDistribution: 0,
      memberGroupId: 1,
      memberGroup: { name: '免费试用', enName: 'Free trial', translationBillingMode: 'char' },
      tranChannelId: 1,
      createChildUser: false,
      enabled: 1,
      lastLoginLog: { sumDay: 1 },
    });
    expect(user.memberAccount).toMatchObject({
      usableCharNum: 5_000,
      usableVoiceNum: 20,
      usableImageNum: 20,
      usedCharTotal: 0,
      rechargeAmountTotal: 0,
    });
    expect(user.inviteCode).toMatch(/^[A-Z2-9]{10}$/);
    const days = (Date.parse(user.memberAccount.expireDateTime ?? '') - Date.parse(user.registerDateTime)) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
    const { rows } = await api.db.query(
      'SELECT log_type, seq, char_change, member_group_id FROM account_log WHERE user_id = $1',
      [userId],
    );
    expect(rows).toEqual([{ log_type: 9, seq: 1, char_change: 5_000, member_group_id: 1 }]);
  });

  it('keeps passwords as typed and normalises names', async () => {
    const form = await readyForm();
    await visitor.call(register, { ...form, username: ` ${form.username} `, nickname: ' 小林 ', password: ' abc123 ' });
    const refused = await visitor.send(login, { account: form.username, password: 'abc123' });
    expect(refused.body).toMatchObject({ code: 'WRONG_PASSWORD' });
    const session = await visitor.call(login, { account: form.username.toUpperCase(), password: ' abc123 ' });
    expect(await visitor.as(session).call(getUser, {})).toMatchObject({ nickname: '小林', username: form.username });
  });

  it.each([
    ['username', 'a', 'USERNAME_MIN'],
    ['username', 'a'.repeat(33), 'USERNAME_MAX'],
    ['username', 'with blank', 'USERNAME_FORMAT'],
    ['username', 'a_b', 'USERNAME_FORMAT'],
    ['account', 'nobody', 'EMAIL_FORMAT'],
    ['account', 'a@b@example.com', 'EMAIL_FORMAT'],
    ['account', 'a@example.com,b@example.com', 'EMAIL_FORMAT'],
    ['account', 'a@example.com\r\nBcc: b@example.com', 'EMAIL_FORMAT'],
    [
      'account',
      `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
      'EMAIL_MAX',
    ],
    ['password', '12345', 'PASSWORD_MIN'],
    ['password', 'x'.repeat(33), 'PASSWORD_MAX'],
    ['password', 123456, 'WRONG_TYPE'],
    ['vcode', '12345', 'VCODE_FORMAT'],
    ['vcode', '', 'VCODE_FORMAT'],
    ['nickname', 'a', 'NICKNAME_MIN'],
    ['nickname', 'a\u202Eb', 'UNSAFE_TEXT'],
    ['familyId', 1, 'UNKNOWN_FIELD'],
    ['memberGroupId', 3, 'UNKNOWN_FIELD'],
  ])('refuses %s = %j', async (path, value, code) => {
    const form = { username: 'someone', account: 'someone@example.com', password: 'secret-123', vcode: '123456' };
    const { status, body } = await visitor.send(register, { ...form, [path]: value });
    expect(status).toBe(422);
    expect(body).toMatchObject({ success: false, errors: [{ path, code }] });
  });

  it('requires every field', async () => {
    const { status, body } = await visitor.send(register, {});
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: ['username', 'account', 'password', 'vcode'].map((path) => expect.objectContaining({ path })),
    });
  });
});

describe('names', () => {
  it('are unique in any case, and the error names the field that is taken', async () => {
    const person = await registerMember(api.url);
    const upper = { username: person.username.toUpperCase(), account: person.account.toUpperCase() };
    expect(await visitor.call(checkUsername, { username: upper.username })).toBe(false);
    expect(await visitor.call(checkAccount, { account: upper.account })).toBe(false);
    expect(await visitor.call(checkUsername, { username: freshName() })).toBe(true);
    expect(await visitor.call(checkAccount, { account: `${freshName()}@example.com` })).toBe(true);
    const both = await visitor.send(register, { ...upper, password: 'secret-123', vcode: '000000' });
    expect(both.status).toBe(422);
    expect(both.body).toMatchObject({
      code: 'USERNAME_TAKEN',
      errors: [
        { path: 'username', code: 'USERNAME_TAKEN' },
        { path: 'account', code: 'EMAIL_TAKEN' },
      ],
    });
  });

  it('go to one of twenty-four simultaneous requests for the same username', async () => {
    const username = freshName();
    const forms = await Promise.all(Array.from({ length: 24 }, () => readyForm()));
    const answers = await Promise.all(forms.map((form) => visitor.send(register, { ...form, username })));
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
    for (const { body } of answers.filter((a) => a.status !== 200))
      expect(body).toMatchObject({ code: 'USERNAME_TAKEN', errors: [{ path: 'username', code: 'USERNAME_TAKEN' }] });
    const { rows } = await api.db.query('SELECT count(*)::int AS n FROM identity WHERE shown = $1', [username]);
    expect(rows).toEqual([{ n: 1 }]);
    // The loser may retry with the same code: it was not consumed.
    const loser = forms[answers.findIndex((a) => a.status !== 200)];
    if (loser) await visitor.call(register, loser);
  });

  it('reject an invalid availability check', async () => {
    expect((await visitor.send(checkAccount, { account: 'nobody' })).status).toBe(422);
    expect((await visitor.send(checkUsername, { username: 'a b' })).status).toBe(422);
  });
});

describe('the verification code', () => {
  it('works for one of two registrations', async () => {
    const form = await readyForm();
    const answers = await Promise.all([
      visitor.send(register, form),
      visitor.send(register, { ...form, username: freshName() }),
    ]);
    expect(answers.map((a) => a.status).sort()).toEqual([200, 422]);
    const { rows } = await api.db.query('SELECT count(*)::int AS n FROM identity WHERE shown = $1', [form.account]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('accepts five attempts at most, however many run at once', async () => {
    const form = await readyForm();
    const vcode = wrongCode(form.vcode);
    const guesses = Array.from({ length: 50 }, () => visitor.send(register, { ...form, vcode }));
    const codes = (await Promise.all(guesses)).map((a) => ('code' in a.body ? a.body.code : 'none'));
    expect(codes.filter((c) => c === 'VCODE_WRONG')).toHaveLength(5);
    expect(codes.filter((c) => c === 'VCODE_EXPIRED')).toHaveLength(45);
    expect((await visitor.send(register, form)).body).toMatchObject({ code: 'VCODE_EXPIRED' });
    const { rows } = await api.db.query('SELECT max(tries)::int AS tries FROM verification_code');
    expect(rows).toEqual([{ tries: 5 }]);
  });

  it('expires after ten minutes', async () => {
    const form = await readyForm();
    await api.db.query("UPDATE verification_code SET expires_at = now() - interval '1 second'");
    expect((await visitor.send(register, form)).body).toMatchObject({ code: 'VCODE_EXPIRED' });
  });

  it('is limited to one a minute and ten an hour per mailbox', async () => {
    const account = `${freshName()}@example.com`;
    const burst = await Promise.all(Array.from({ length: 10 }, () => visitor.send(sendVCode, { account })));
    expect(burst.filter((a) => a.status === 200)).toHaveLength(1);
    const refused = burst.find((a) => a.status !== 200);
    expect(refused).toMatchObject({ status: 429, body: { code: 'VCODE_TOO_SOON' } });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
    for (let i = 1; i < 10; i++) {
      await skipCodePause(api);
      await visitor.call(sendVCode, { account });
    }
    await skipCodePause(api);
    const eleventh = await visitor.send(sendVCode, { account });
    expect(eleventh).toMatchObject({ status: 429, body: { code: 'VCODE_TOO_SOON' } });
    expect(Number(eleventh.headers['retry-after'])).toBeGreaterThan(1_800);
  });

  it('is valid only in its newest version', async () => {
    const form = await readyForm();
    await skipCodePause(api);
    await visitor.call(sendVCode, { account: form.account });
    const newest = await codeMailedTo(form.account, 2);
    if (newest !== form.vcode) expect((await visitor.send(register, form)).body).toMatchObject({ code: 'VCODE_WRONG' });
    await visitor.call(register, { ...form, vcode: newest });
  });

  it('is mailed in the language of the request, and never stored in plain text', async () => {
    const account = `${freshName()}@example.com`;
    await visitor.with({ 'Accept-Language': 'en-US,en' }).call(sendVCode, { account });
    const code = await codeMailedTo(account);
    const [letter] = await mailsTo(account);
    expect(letter).toMatchObject({ to: account, subject: 'Your Yiqiao registration code' });
    expect(letter?.html).toContain(code);
    const { rows } = await api.db.query<{ code_hmac: string }>(
      'SELECT * FROM verification_code ORDER BY id DESC LIMIT 1',
    );
    expect(JSON.stringify(rows)).not.toContain(account);
    expect(rows[0]).toMatchObject({ sealed_letter: null, sent_at: expect.any(Date) });
    expect(rows[0]?.code_hmac).not.toContain(code);
    const facts = await api.db.query('SELECT fact FROM outbox');
    expect(JSON.stringify(facts.rows)).not.toContain(code);
  });
});
