/** Passkeys in place of password and code (operators §2). */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { PASSKEYS_MAX } from '@yiqiao/domain/operators';
import { InviteOperator } from '../src/operators/enrol.js';
import { startApi, type TestApi } from './support/api.js';
import { type Answer, type OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';
import { SoftAuthenticator } from './support/soft-authenticator.js';

const ORIGIN = 'http://console.test';
const RP = { rpId: 'console.test', origin: ORIGIN };
const wrong = { status: 422, body: { code: 'OPERATOR_SIGN_IN_WRONG' } };

let api: TestApi;
let operators: TestOperators;
beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { OPERATOR_URL: ORIGIN, LIMIT_OPERATOR_SIGN_INS: '40' });
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const challengeOf = ({ body }: Answer): string => (body.data as { challenge: string }).challenge;

async function begin(browser: OperatorBrowser, operator: TestOperator, name = 'laptop'): Promise<string> {
  const code = await operators.freshCode(operator);
  return challengeOf(await browser.post('/own/passkeys/challenge', { name, code }));
}

async function add(operator: TestOperator, authenticator = new SoftAuthenticator()): Promise<SoftAuthenticator> {
  const browser = await operators.signIn(operator);
  const challenge = await begin(browser, operator);
  const credential = authenticator.create({ ...RP, challenge });
  expect(await browser.post('/own/passkeys', { credential })).toMatchObject({ status: 200 });
  return authenticator;
}

/** A challenge of its own for each browser, made after the last use of any passkey. */
async function asked(browser: OperatorBrowser): Promise<string> {
  await wait(2);
  return challengeOf(await browser.post('/sign-in/passkey/challenge'));
}

async function signIn(authenticator: SoftAuthenticator, browser = operators.browser()): Promise<Answer> {
  return browser.post('/sign-in/passkey', {
    credential: authenticator.get({ ...RP, challenge: await asked(browser) }),
  });
}

describe('a passkey', () => {
  it('signs in alone, is listed and logged, and is removed with a code', async () => {
    const operator = await operators.enrol('with-passkey', 'finance');
    const authenticator = await add(operator);
    const browser = operators.browser();
    const answer = await signIn(authenticator, browser);
    expect(answer).toMatchObject({ status: 200, body: { data: { name: 'with-passkey', role: 'finance' } } });
    browser.csrf = (answer.body.data as { csrf: string }).csrf;
    expect((await browser.get('/session')).status).toBe(200);
    const { rows } = (await browser.get('/own/passkeys')).body.data as { rows: { id: string; lastUsedAt: unknown }[] };
    expect(rows).toEqual([
      { id: authenticator.id, name: 'laptop', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ]);
    const remove = { id: authenticator.id };
    expect((await browser.post('/own/passkeys/remove', remove)).body.code).toBe('OPERATOR_CODE_REQUIRED');
    const code = await operators.freshCode(operator);
    expect((await browser.post('/own/passkeys/remove', { ...remove, code })).status).toBe(200);
    expect(await signIn(authenticator)).toMatchObject(wrong);
    const { rows: actions } = await api.db.query<{ action: string }>(
      `SELECT action FROM operator_action WHERE target_id = 'with-passkey' AND action LIKE 'passkey%' ORDER BY n`,
    );
    expect(actions.map(({ action }) => action)).toEqual(['passkey.add', 'passkey.remove']);
  });

  it('is refused when it is not verified, of another site, signed by another key, or unknown', async () => {
    const authenticator = await add(await operators.enrol('forged', 'viewer'));
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const attempt = async (make: (challenge: string) => object): Promise<Answer> => {
      const browser = operators.browser();
      return browser.post('/sign-in/passkey', { credential: make(await asked(browser)) });
    };
    const answers = [
      await attempt((challenge) => authenticator.get({ ...RP, challenge, origin: 'http://console.test.evil' })),
      await attempt((challenge) => authenticator.get({ ...RP, challenge, rpId: 'evil.test' })),
      await attempt(() => authenticator.get({ ...RP, challenge: 'bm90IG91cnM' })),
      await attempt((challenge) => authenticator.get({ ...RP, challenge }, stranger)),
      await attempt((challenge) => new SoftAuthenticator().get({ ...RP, challenge })),
      await attempt((challenge) => {
        // Present, but without fingerprint, face or PIN.
        authenticator.flags = 0x01;
        return authenticator.get({ ...RP, challenge });
      }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(wrong);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    authenticator.flags = 0x05;
    expect(await signIn(authenticator)).toMatchObject({ status: 200 });
  });

  it('answers a challenge once, even the same at two processes at a time', async () => {
    const authenticator = await add(await operators.enrol('replayed', 'viewer'));
    const browser = operators.browser();
    const credential = authenticator.get({ ...RP, challenge: await asked(browser) });
    const cookies = new Map(browser.cookies);
    const replay = (): Promise<Answer> => {
      const thief = operators.browser();
      for (const [name, value] of cookies) thief.cookies.set(name, value);
      return thief.post('/sign-in/passkey', { credential });
    };
    const answers = await Promise.all([replay(), replay(), replay()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await replay()).toMatchObject(wrong);
    // Without the cookie the challenge is nobody's.
    expect(await operators.browser().post('/sign-in/passkey', { credential })).toMatchObject(wrong);
  });

  it('with a counter that goes back is a copy', async () => {
    const authenticator = new SoftAuthenticator();
    authenticator.counter = 7;
    await add(await operators.enrol('copied', 'viewer'), authenticator);
    authenticator.counter = 8;
    expect(await signIn(authenticator)).toMatchObject({ status: 200 });
    authenticator.counter = 8;
    expect(await signIn(authenticator)).toMatchObject(wrong);
  });

  it('of a new link, or of an operator who ends, signs in no more', async () => {
    const operator = await operators.enrol('lost-phone', 'viewer');
    const authenticator = await add(operator);
    const invite = new InviteOperator({ name: operator.name, role: 'viewer', renew: true }, { actor: 'cli:test' });
    await operators.app.get(CommandBus).execute(invite);
    expect(await signIn(authenticator)).toMatchObject(wrong);
    const ended = await operators.enrol('ended', 'viewer');
    const kept = await add(ended);
    await api.db.query(`UPDATE operator_account SET disabled_at = now() WHERE name = 'ended'`);
    expect(await signIn(kept)).toMatchObject(wrong);
  });

  it('waits for whoever ends the operator at the same time', async () => {
    const authenticator = await add(await operators.enrol('ending', 'viewer'));
    const client = await api.db.connect();
    try {
      await client.query(`BEGIN; UPDATE operator_account SET disabled_at = now() WHERE name = 'ending'`);
      const answer = signIn(authenticator);
      await wait(300);
      await client.query('COMMIT');
      expect(await answer).toMatchObject(wrong);
    } finally {
      client.release();
    }
  });
});

describe('adding a passkey', () => {
  it('takes a fresh code, answers its own challenge only, once, and ends at ten', async () => {
    const [mine, other] = [await operators.enrol('adding', 'viewer'), await operators.enrol('adding-too', 'viewer')];
    const browser = await operators.signIn(mine);
    expect((await browser.post('/own/passkeys/challenge', { name: 'x' })).body.code).toBe('OPERATOR_CODE_REQUIRED');
    const authenticator = new SoftAuthenticator();
    const challenge = await begin(browser, mine);
    const credential = authenticator.create({ ...RP, challenge });
    const cookie = browser.cookies.get('yiqiao-operator-passkey') ?? '';
    const stranger = await operators.signIn(other);
    stranger.cookies.set('yiqiao-operator-passkey', cookie);
    expect((await stranger.post('/own/passkeys', { credential })).body.code).toBe('PASSKEY_REFUSED');
    // The challenge of the sign-in page adds nothing.
    const outside = challengeOf(await stranger.post('/sign-in/passkey/challenge'));
    const bold = authenticator.create({ ...RP, challenge: outside });
    expect((await stranger.post('/own/passkeys', { credential: bold })).body.code).toBe('PASSKEY_REFUSED');
    expect((await browser.post('/own/passkeys', { credential })).status).toBe(200);
    browser.cookies.set('yiqiao-operator-passkey', cookie);
    expect((await browser.post('/own/passkeys', { credential })).body.code).toBe('PASSKEY_REFUSED');
    for (let n = 1; n < PASSKEYS_MAX; n++) {
      const next = new SoftAuthenticator().create({ ...RP, challenge: await begin(browser, mine, `key ${n}`) });
      expect((await browser.post('/own/passkeys', { credential: next })).status).toBe(200);
    }
    const code = await operators.freshCode(mine);
    expect((await browser.post('/own/passkeys/challenge', { name: 'one more', code })).body.code).toBe('PASSKEYS_FULL');
  });

  it('refuses what is no credential', async () => {
    const operator = await operators.enrol('garbage', 'viewer');
    const browser = await operators.signIn(operator);
    await begin(browser, operator);
    const good = new SoftAuthenticator().create({ ...RP, challenge: 'bm90IG91cnM' });
    for (const credential of [{}, null, 'x', { ...good, id: 'not base64!' }, { ...good, extra: 1 }])
      expect((await browser.post('/own/passkeys', { credential })).status).toBe(422);
    const response = { ...good.response, attestationObject: 'AAAA' };
    expect((await browser.post('/own/passkeys', { credential: { ...good, response } })).body.code).toBe(
      'PASSKEY_REFUSED',
    );
    expect((await operators.browser().post('/sign-in/passkey', { credential: {} })).status).toBe(422);
  });
});
