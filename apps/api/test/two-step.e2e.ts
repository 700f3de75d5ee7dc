/** Two-step sign-in over HTTP: enrolment, codes, recovery codes, limits, and the ways out (docs/decisions/0050). */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { login, resetPwdByVcode, secondStep, sendVCode } from '@yiqiao/contracts/login';
import {
  confirmTwoStep,
  disableTwoStep,
  enrolTwoStep,
  getTwoStep,
  renewRecoveryCodes,
} from '@yiqiao/contracts/two-step';
import { changePassword, deleteUser } from '@yiqiao/contracts/user';
import { MINUTE_MS, RECOVERY_CODES, TWO_STEP_CHALLENGE_MINUTES, TWO_STEP_ENROL_MINUTES } from '@yiqiao/domain/limits';
import { Secret, TOTP } from 'otpauth';
import { twoStepOff } from '../src/operator/two-step.js';
import { Clock } from '../src/platform/clock.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import { listManagers, runTask } from './support/operator.js';
import { mailsTo, type TestMember } from './support/test-members.js';
import { startWorker } from './support/worker.js';

const STEP_MS = 30_000;

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
let main: TestMember;
/** The api's clock stands still in the middle of a time step, until a test moves it. */
let nowMs = 0;

beforeAll(async () => {
  api = await startApi();
  worker = await startWorker(api.env);
  await listManagers(api.db, 'ops');
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => new Date(nowMs || Date.now()));
});
beforeEach(async () => {
  nowMs = (Math.floor(Date.now() / STEP_MS) + 0.5) * STEP_MS;
  main = await makeMain(api);
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
});

const codeOf = (secret: string, steps = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: nowMs + steps * STEP_MS });
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const nextStep = (): void => void (nowMs += STEP_MS);

const enrol = (who = main) => who.client.call(enrolTwoStep, { password: who.password });
/** Switches it on; the next code is a new one. */
async function switchOn(who = main): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await enrol(who);
  const { recoveryCodes } = await who.client.call(confirmTwoStep, { code: codeOf(secret) });
  nextStep();
  return { secret, recoveryCodes };
}

const visitor = (): TestClient => new TestClient(api.url);
const withPassword = (who: Pick<TestMember, 'account' | 'password'> = main) =>
  visitor().send(login, { account: who.account, password: who.password });
async function challengeOf(who: Pick<TestMember, 'account' | 'password'> = main): Promise<string> {
  const { status, body } = await withPassword(who);
  expect({ status, body }).toMatchObject({ status: 422, body: { success: false, code: 'SIGN_IN_CODE_REQUIRED' } });
  return (body.data as unknown as { challenge: string }).challenge;
}
const step = (challenge: string, code: string) => visitor().send(secondStep, { challenge, code });
const stateOf = (who = main) => who.client.call(getTwoStep, {});
const sessionsOf = async ({ session }: TestMember): Promise<number> => {
  const { rows } = await api.db.query('SELECT 1 FROM session WHERE user_id = $1', [session.userId]);
  return rows.length;
};
const setPassword = (who: TestMember, password: string): TestMember => ({ ...who, password });

describe('enrolment', () => {
  it('needs the password, and counts for nothing before the first code', async () => {
    expect((await main.client.send(enrolTwoStep, { password: 'not the password' })).body).toMatchObject({
      code: 'WRONG_PASSWORD',
    });
    const { secret, uri } = await enrol();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const totp = new URL(uri);
    expect([totp.protocol, totp.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(totp.pathname)).toBe(`/Yiqiao:${main.account}`);
    expect(Object.fromEntries(totp.searchParams)).toMatchObject({
      issuer: 'Yiqiao',
      secret,
      digits: '6',
      period: '30',
    });
    expect(await stateOf()).toEqual({ enabled: 0, sinceDateTime: null, recoveryCodesLeft: 0 });
    expect((await withPassword()).status).toBe(200);
  });

  it('keeps the secret encrypted and the recovery codes as digests, and shows neither again', async () => {
    const { secret, recoveryCodes } = await switchOn();
    expect(new Set(recoveryCodes).size).toBe(RECOVERY_CODES);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
    const { rows } = await api.db.query<{ row: string }>('SELECT t::text AS row FROM two_step t WHERE user_id = $1', [
      main.session.userId,
    ]);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      expect(rows[0]?.row).not.toContain(text);
    expect(await stateOf()).toEqual({
      enabled: 1,
      sinceDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      recoveryCodesLeft: RECOVERY_CODES,
    });
    const again = await main.client.send(enrolTwoStep, { password: main.password });
    expect(again).toMatchObject({ status: 409, body: { code: 'TWO_STEP_ON' } });
    expect((await mailsTo(main.account))[0]?.text).toContain('两步验证');
  });

  it('ends all other sessions once it is on, and none before', async () => {
    const signedIn = async () =>
      visitor().as(await visitor().call(login, { account: main.account, password: main.password }));
    const others = [await signedIn(), await signedIn()];
    const states = () => Promise.all(others.map((client) => client.send(getTwoStep, {})));
    const { secret } = await enrol();
    await main.client.send(confirmTwoStep, { code: wrong(codeOf(secret)) });
    expect((await states()).map(({ status }) => status)).toEqual([200, 200]);
    await main.client.call(confirmTwoStep, { code: codeOf(secret) });
    for (const { status, body } of await states())
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'SESSION_ENDED' } });
    expect((await stateOf()).enabled).toBe(1);
  });

  it('refuses a wrong code, one of an earlier QR code, and one that comes too late', async () => {
    const confirm = (code: string) => main.client.send(confirmTwoStep, { code });
    expect((await confirm('000000')).body).toMatchObject({ code: 'ENROLMENT_EXPIRED' });
    const first = await enrol();
    const second = await enrol();
    expect((await confirm(codeOf(first.secret))).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await confirm(wrong(codeOf(second.secret)))).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    await api.db.query(
      `UPDATE two_step SET created_at = created_at - interval '${TWO_STEP_ENROL_MINUTES} minutes' WHERE user_id = $1`,
      [main.session.userId],
    );
    expect(await confirm(codeOf(second.secret))).toMatchObject({ status: 409, body: { code: 'ENROLMENT_EXPIRED' } });
    expect((await stateOf()).enabled).toBe(0);
  });

  it('is not for sub-accounts, whose sign-in does not change', async () => {
    const sub = await makeSub(api, main);
    await switchOn();
    for (const [endpoint, input] of [
      [getTwoStep, {}],
      [enrolTwoStep, { password: sub.password }],
      [confirmTwoStep, { code: '000000' }],
      [renewRecoveryCodes, { password: sub.password, code: '000000' }],
      [disableTwoStep, { password: sub.password, code: '000000' }],
    ] as const)
      expect(await sub.client.send(endpoint, input)).toMatchObject({
        status: 403,
        body: { code: 'MAIN_ACCOUNT_ONLY' },
      });
    expect((await withPassword(sub)).status).toBe(200);
  });
});

describe('signing in', () => {
  it('takes the password, then the code; no session starts before it', async () => {
    const { secret } = await switchOn();
    const before = await sessionsOf(main);
    const challenge = await challengeOf();
    expect(await sessionsOf(main)).toBe(before);
    const { status, body } = await step(challenge, codeOf(secret));
    expect(status).toBe(200);
    const session = (body as { data: { userId: number; sk: string } }).data;
    expect((await stateOf({ ...main, client: visitor().as(session) })).enabled).toBe(1);
    expect(await sessionsOf(main)).toBe(before + 1);
  });

  it('says the same of a wrong password as without two steps', async () => {
    await switchOn();
    expect((await withPassword({ ...main, password: 'not the password' })).body).toMatchObject({
      code: 'WRONG_PASSWORD',
      data: null,
    });
  });

  it('accepts a code once, also of two requests at the same time, and none that is older', async () => {
    const { secret } = await switchOn();
    const challenge = await challengeOf();
    const code = codeOf(secret);
    const old = codeOf(secret, -1);
    const answers = await Promise.all([step(challenge, code), step(challenge, code), step(challenge, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await step(challenge, code)).body).toMatchObject({ code: 'SIGN_IN_CODE_USED' });
    expect((await step(challenge, old)).body).toMatchObject({ code: 'SIGN_IN_CODE_USED' });
    nextStep();
    expect((await step(challenge, `${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}`)).status).toBe(200);
  });

  it('does not accept the code that switched it on', async () => {
    const { secret } = await enrol();
    const code = codeOf(secret);
    await main.client.call(confirmTwoStep, { code });
    expect((await step(await challengeOf(), code)).body).toMatchObject({ code: 'SIGN_IN_CODE_USED' });
  });

  it('accepts clocks that are half a minute off, and no more', async () => {
    const { secret } = await switchOn();
    nextStep();
    const challenge = await challengeOf();
    expect((await step(challenge, codeOf(secret, 2))).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await step(challenge, codeOf(secret, -2))).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await step(challenge, codeOf(secret, 1))).status).toBe(200);
  });

  it('accepts a recovery code once, however it is written, and mails the owner', async () => {
    const { recoveryCodes } = await switchOn();
    const [first = '', second = ''] = recoveryCodes;
    const challenge = await challengeOf();
    expect((await step(challenge, first)).status).toBe(200);
    expect((await step(challenge, first)).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await step(challenge, ` ${second.toLowerCase().replace('-', ' ')} `)).status).toBe(200);
    expect((await stateOf()).recoveryCodesLeft).toBe(RECOVERY_CODES - 2);
    const texts = (await mailsTo(main.account, 3)).map(({ text }) => text).join('\n');
    expect(texts).toContain(`剩余恢复码：${RECOVERY_CODES - 1}`);
  });

  it.each([
    ['is no challenge', () => Promise.resolve('not-a-challenge')],
    ['was altered', async () => `${(await challengeOf()).slice(0, -4)}AAAA`],
    [
      'is too old',
      async () => {
        const challenge = await challengeOf();
        nowMs += TWO_STEP_CHALLENGE_MINUTES * MINUTE_MS;
        return challenge;
      },
    ],
    [
      'is from before a new password',
      async () => {
        const challenge = await challengeOf();
        await main.client.call(changePassword, { oldPassword: main.password, password: 'another-password' });
        return challenge;
      },
    ],
  ])('starts again when the challenge %s', async (_, makeChallenge) => {
    const { secret } = await switchOn();
    const challenge = await makeChallenge();
    expect((await step(challenge, codeOf(secret))).body).toMatchObject({ code: 'CHALLENGE_EXPIRED' });
  });

  it('limits guesses, in a burst too, and starts afresh with a new password', async () => {
    const { secret } = await switchOn();
    const challenge = await challengeOf();
    const burst = await Promise.all(Array.from({ length: 30 }, () => step(challenge, wrong(codeOf(secret)))));
    expect(burst.filter(({ body }) => (body as { code?: string }).code === 'SIGN_IN_CODE_WRONG')).toHaveLength(10);
    const locked = await step(await challengeOf(), codeOf(secret));
    expect(locked).toMatchObject({ status: 429, body: { code: 'LOGIN_LOCKED' } });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0);
    await main.client.call(changePassword, { oldPassword: main.password, password: 'another-password' });
    const changed = setPassword(main, 'another-password');
    expect((await step(await challengeOf(changed), codeOf(secret))).status).toBe(200);
  });

  it('limits the guesses of an account whatever its password, until a right code or a reset by an operator', async () => {
    const narrow = await startApi({ LIMIT_SIGN_IN_CODES_PER_ACCOUNT: '4' });
    jest.spyOn(narrow.app.get(Clock), 'now').mockImplementation(() => new Date(nowMs));
    await listManagers(narrow.db, 'ops');
    const owner = await makeMain(narrow);
    const changed = setPassword(owner, 'another-password');
    const client = new TestClient(narrow.url);
    const { secret } = await switchOn(owner);
    const answerTo = async ({ account, password }: TestMember, code: string) => {
      const { body } = await client.send(login, { account, password });
      const { challenge } = body.data as unknown as { challenge: string };
      return client.send(secondStep, { challenge, code });
    };
    const guess = async (who: TestMember): Promise<void> => {
      const { body } = await answerTo(who, wrong(codeOf(secret)));
      expect(body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    };
    for (let n = 0; n < 3; n++) await guess(owner);
    expect((await answerTo(owner, codeOf(secret))).status).toBe(200);
    nextStep();
    for (let n = 0; n < 2; n++) await guess(owner);
    await owner.client.call(changePassword, { oldPassword: owner.password, password: changed.password });
    for (let n = 0; n < 2; n++) await guess(changed);
    const locked = await answerTo(changed, codeOf(secret));
    expect(locked).toMatchObject({ status: 429, body: { code: 'LOGIN_LOCKED' } });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(6 * 24 * 3600);
    await runTask(narrow.env, () => twoStepOff([owner.username, '--by', 'ops', '--reason', 'called back']));
    const session = await client.call(login, { account: changed.account, password: changed.password });
    const again = { ...changed, client: new TestClient(narrow.url).as(session) };
    const renewed = await switchOn(again);
    expect((await answerTo(again, codeOf(renewed.secret))).status).toBe(200);
    await narrow.stop();
  });

  it('stays on when the password is changed or reset by mail', async () => {
    const { secret } = await switchOn();
    await main.client.call(changePassword, { oldPassword: main.password, password: 'another-password' });
    await challengeOf(setPassword(main, 'another-password'));
    await visitor().call(sendVCode, { account: main.account });
    // Beside the mails about two-step sign-in and the changed password.
    const mails = await mailsTo(main.account, 3);
    const vcode = /\b\d{6}\b/.exec(mails.find(({ subject }) => subject.includes('重置密码'))?.text ?? '')?.[0] ?? '';
    await visitor().call(resetPwdByVcode, { email: main.account, vcode, password: 'third-password' });
    expect((await step(await challengeOf(setPassword(main, 'third-password')), codeOf(secret))).status).toBe(200);
  });
});

describe('switching off', () => {
  it('takes the password and a code', async () => {
    const { secret } = await switchOn();
    const off = (password: string, code: string) => main.client.send(disableTwoStep, { password, code });
    expect((await off('not the password', codeOf(secret))).body).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await off(main.password, wrong(codeOf(secret)))).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await stateOf()).enabled).toBe(1);
    expect((await off(main.password, codeOf(secret))).status).toBe(200);
    expect(await stateOf()).toEqual({ enabled: 0, sinceDateTime: null, recoveryCodesLeft: 0 });
    expect((await withPassword()).status).toBe(200);
    expect(await off(main.password, codeOf(secret))).toMatchObject({ status: 409, body: { code: 'TWO_STEP_OFF' } });
  });

  it('replaces the recovery codes on request', async () => {
    const { secret, recoveryCodes } = await switchOn();
    const renewed = await main.client.call(renewRecoveryCodes, { password: main.password, code: codeOf(secret) });
    expect(renewed.recoveryCodes).toHaveLength(RECOVERY_CODES);
    const challenge = await challengeOf();
    expect((await step(challenge, recoveryCodes[0] ?? '')).body).toMatchObject({ code: 'SIGN_IN_CODE_WRONG' });
    expect((await step(challenge, renewed.recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('is done by an operator for a member who lost everything, with a reason, and recorded', async () => {
    await switchOn();
    const run = (...args: string[]) => runTask(api.env, () => twoStepOff(args));
    await expect(run(main.username, '--by', 'ops')).resolves.toMatchObject({ code: 2 });
    await expect(run(main.username, '--by', 'ops', '--reason', 'phone lost, called back')).resolves.toMatchObject({
      code: 0,
      out: `Two-step sign-in of member ${main.session.userId} is off.\n`,
    });
    expect((await withPassword()).status).toBe(200);
    const { rows } = await api.db.query(
      `SELECT m.name, a.target_kind, a.before, a.after, a.reason FROM manager_action a JOIN manager m ON m.id = a.manager_id
       WHERE a.user_id = $1`,
      [main.session.userId],
    );
    expect(rows).toEqual([
      {
        name: 'ops',
        target_kind: 'member',
        before: { twoStep: true },
        after: { twoStep: false },
        reason: 'phone lost, called back',
      },
    ]);
    expect((await mailsTo(main.account, 2)).map(({ text }) => text).join('\n')).toContain('客服已关闭');
    await expect(run(main.username, '--by', 'ops', '--reason', 'again')).resolves.toMatchObject({ code: 1 });
  });

  it('is part of closing the account', async () => {
    await switchOn();
    await main.client.call(deleteUser, { userPassword: main.password });
    const { rows } = await api.db.query('SELECT 1 FROM two_step WHERE user_id = $1', [main.session.userId]);
    expect(rows).toEqual([]);
  });
});
