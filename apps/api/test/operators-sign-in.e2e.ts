/** Signing in to the operators' process, sessions, roles and the action log (operators §1–§3, §5). */
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { OPERATOR_BASE_PATH, type OperatorEndpoint } from '@yiqiao/contracts/operator/endpoint';
import { operatorEndpoints } from '@yiqiao/contracts/operator/endpoints';
import { mayDo, operatorRoles, type OperatorRole } from '@yiqiao/domain/operators';
import { InviteOperator } from '../src/operators/enrol.js';
import { CONTRACT } from '../src/platform/endpoint-metadata.js';
import { startApi, type TestApi } from './support/api.js';
import { codeOf, OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';

let api: TestApi;
let operators: TestOperators;
const staff = {} as Record<OperatorRole, TestOperator>;
beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  for (const role of operatorRoles) staff[role] = await operators.enrol(`${role}-1`, role);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const wrong = { status: 422, code: 'OPERATOR_SIGN_IN_WRONG' };

describe('signing in', () => {
  it('takes name, password and code, and sets a cookie that scripts cannot read', async () => {
    const browser = operators.browser();
    const { name, password } = staff.owner;
    const first = await browser.post('/sign-in', { name: name.toUpperCase(), password });
    expect(first.body.data).toEqual({ step: 'code' });
    const second = await browser.post('/sign-in/code', { code: await operators.freshCode(staff.owner) });
    expect(second.body.data).toEqual({ name, role: 'owner', csrf: expect.stringMatching(/^[\w-]{43}$/) });
    const cookie = second.headers.getSetCookie().find((line) => /^yiqiao-operator=[\w-]{43};/.test(line));
    expect(cookie).toMatch(/Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await browser.get('/session')).body.data).toEqual(second.body.data);
    const { rows } = await api.db.query<{ digest: string }>('SELECT digest FROM operator_session');
    expect(rows.map((row) => row.digest)).toContain(hash('sha256', browser.cookies.get('yiqiao-operator') ?? ''));
  });

  it('answers a wrong name, password and code alike', async () => {
    const { name, password } = staff.viewer;
    const code = await operators.freshCode(staff.viewer);
    const answers = [];
    const steps = new Set<number>();
    for (const [who, what, number] of [
      ['nobody-1', password, code],
      [name, 'a wrong password', code],
      [name, password, '000000'],
      ['viewer-%', password, code],
    ] as const) {
      const browser = operators.browser();
      const first = await browser.post('/sign-in', { name: who, password: what });
      steps.add(browser.cookies.get('yiqiao-operator-step')?.length ?? 0);
      const second = await browser.post('/sign-in/code', { code: number });
      answers.push([first.status, first.body, second.status, second.body]);
      expect(browser.cookies.has('yiqiao-operator')).toBe(false);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject([200, {}, wrong.status, { code: wrong.code }]);
    // The cookie between the steps does not tell by its length either.
    expect([...steps]).toEqual([expect.any(Number)]);
  });

  it('accepts a code once, and a recovery code once', async () => {
    const { name, password } = staff.support;
    const code = await operators.freshCode(staff.support);
    const tryCode = async (given: string): Promise<number> => {
      const browser = operators.browser();
      await browser.post('/sign-in', { name, password });
      return (await browser.post('/sign-in/code', { code: given })).status;
    };
    expect(await tryCode(code)).toBe(200);
    expect(await tryCode(code)).toBe(422);
    const [recovery = ''] = staff.support.recoveryCodes;
    expect(await tryCode(recovery.toLowerCase())).toBe(200);
    expect(await tryCode(recovery)).toBe(422);
  });

  it('refuses a step that is altered, of another or missing', async () => {
    const browser = operators.browser();
    expect(await browser.post('/sign-in/code', { code: '123456' })).toMatchObject({ status: 422 });
    browser.cookies.set('yiqiao-operator-step', 'AAAA');
    expect(await browser.post('/sign-in/code', { code: '123456' })).toMatchObject({ status: 422 });
  });

  it('gives a new token to a browser that already has one', async () => {
    const browser = operators.browser();
    browser.cookies.set('yiqiao-operator', 'a-token-that-somebody-planted-here-0123456789');
    await browser.post('/sign-in', { name: staff.owner.name, password: staff.owner.password });
    await browser.post('/sign-in/code', { code: await operators.freshCode(staff.owner) });
    expect(browser.cookies.get('yiqiao-operator')).not.toContain('planted');
    const planted = operators.browser();
    planted.cookies.set('yiqiao-operator', 'a-token-that-somebody-planted-here-0123456789');
    expect((await planted.get('/session')).status).toBe(401);
  });

  it('locks a name and address after five failures', async () => {
    const strict = await TestOperators.start(api);
    try {
      const fail = async (name: string): Promise<[number, number]> => {
        const browser = strict.browser();
        const first = await browser.post('/sign-in', { name, password: 'a wrong password' });
        return [first.status, (await browser.post('/sign-in/code', { code: '000000' })).status];
      };
      for (let i = 0; i < 5; i++) expect(await fail('finance-1')).toEqual([200, 422]);
      expect(await fail('FINANCE-1')).toEqual([429, 422]);
      expect(await fail('nobody')).toEqual([200, 422]);
      const browser = strict.browser();
      const { headers, body } = await browser.post('/sign-in', { name: 'finance-1', password: staff.finance.password });
      expect(body.code).toBe('LOGIN_LOCKED');
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    } finally {
      await strict.stop();
    }
  });
});

describe('a session', () => {
  let browser: OperatorBrowser;
  beforeEach(async () => {
    browser = await operators.signIn(staff.support);
  });
  const status = async (): Promise<number> => (await browser.get('/session')).status;
  const change = (set: string) =>
    api.db.query(`UPDATE operator_session SET ${set} WHERE digest = $1`, [
      hash('sha256', browser.cookies.get('yiqiao-operator') ?? ''),
    ]);

  it('ends by signing out', async () => {
    expect((await browser.post('/sign-out')).body.data).toBe(true);
    expect(await status()).toBe(401);
  });

  it('ends after half an hour without use, and after twelve hours in all', async () => {
    await change("last_used_at = now() - interval '29 minutes 50 seconds'");
    expect(await status()).toBe(200);
    await change("last_used_at = now() - interval '30 minutes'");
    expect(await status()).toBe(401);
    browser = await operators.signIn(staff.support);
    await change("created_at = now() - interval '12 hours'");
    expect(await status()).toBe(401);
  });

  it('ends when the operator is disabled or invited again', async () => {
    await api.db.query(`UPDATE operator_account SET disabled_at = now() WHERE name = 'support-1'`);
    expect(await status()).toBe(401);
    await api.db.query(`UPDATE operator_account SET disabled_at = NULL WHERE name = 'support-1'`);
    expect(await status()).toBe(200);
    const again = new InviteOperator({ name: 'support-1', role: 'support', renew: true }, { actor: 'cli:test' });
    await operators.app.get(CommandBus).execute(again);
    expect(await status()).toBe(401);
  });

  it('ends although it began while the operator was invited again', async () => {
    const client = await api.db.connect();
    try {
      // As a sign-in does: the account is locked until the session is there.
      await client.query(`BEGIN; SELECT 1 FROM operator_account WHERE name = 'support-1' FOR UPDATE;
        INSERT INTO operator_session (digest, operator_id, csrf, ip, user_agent, created_at, last_used_at)
        SELECT 'late', id, 'x', '192.0.2.1', '', now(), now() FROM operator_account WHERE name = 'support-1'`);
      const again = new InviteOperator({ name: 'support-1', role: 'support', renew: true }, { actor: 'cli:test' });
      const invited = operators.app.get(CommandBus).execute(again);
      await wait(300);
      await client.query('COMMIT');
      await invited;
      const { rows } = await client.query(
        `SELECT FROM operator_session WHERE digest = 'late' AND ended_at IS NOT NULL`,
      );
      expect(rows).toHaveLength(1);
    } finally {
      client.release();
    }
  });

  it('takes writes only from its own pages, with its own token', async () => {
    const refused = { status: 403, body: { code: 'CSRF_REFUSED' } };
    const write = (headers: Record<string, string>) => browser.call('POST', '/sign-out', {}, headers);
    expect(await write({ Origin: '' })).toMatchObject(refused);
    expect(await write({ Origin: 'null' })).toMatchObject(refused);
    expect(await write({ Origin: 'https://elsewhere.example' })).toMatchObject(refused);
    expect(await write({ 'x-csrf-token': '' })).toMatchObject(refused);
    expect(await write({ 'x-csrf-token': 'A'.repeat(43) })).toMatchObject(refused);
    const { body } = await operators.browser().call('POST', '/sign-in', { name: 'a', password: 'b' }, { Origin: '' });
    expect(body).toMatchObject({ code: 'CSRF_REFUSED' });
    expect(await status()).toBe(200);
  });
});

describe('an enrolment link', () => {
  const invite = async (name: string): Promise<string> => {
    const command = new InviteOperator({ name, role: 'viewer', renew: false }, { actor: 'cli:test' });
    return (await operators.app.get(CommandBus).execute(command)).token;
  };

  it('works once, for a day, with a right code', async () => {
    const token = await invite('new-1');
    const browser = operators.browser();
    const { body } = await browser.post('/enrolments/open', { token });
    const { secret } = body.data as { secret: string };
    expect(body.data).toMatchObject({ name: 'new-1', role: 'viewer', uri: expect.stringContaining(secret) });
    const form = { token, password: 'twelve chars', code: codeOf(secret) };
    expect(await browser.post('/enrolments', { ...form, code: '000000' })).toMatchObject({ status: 422 });
    expect(await browser.post('/enrolments', { ...form, password: 'eleven char' })).toMatchObject({
      body: { code: 'VALIDATION_FAILED' },
    });
    expect((await browser.post('/enrolments', form)).body.data).toMatchObject({
      recoveryCodes: expect.arrayContaining([expect.stringMatching(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/)]),
    });
    expect(await browser.post('/enrolments', form)).toMatchObject({ body: { code: 'ENROLMENT_LINK_USED' } });
    const late = await invite('new-2');
    await api.db.query(`UPDATE operator_enrolment SET expires_at = now() WHERE used_at IS NULL`);
    expect(await browser.post('/enrolments/open', { token: late })).toMatchObject({
      body: { code: 'ENROLMENT_LINK_USED' },
    });
  });

  it('is not given twice for one name', async () => {
    await expect(invite('Owner-1')).rejects.toThrow('OPERATOR_EXISTS');
  });
});

describe('the two processes', () => {
  it('serve nothing of each other', async () => {
    for (const { path, method } of operatorEndpoints) {
      const { status } = await fetch(`${api.url}/operator-api${path}`, { method });
      expect([404, 405]).toContain(status);
    }
    for (const path of ['/client-user/user/get', '/client-user/site/config', '/home', '/'])
      expect((await fetch(`${operators.url}${path}`)).status).toBe(404);
  });

  it('connect as different roles, and the members’ one cannot read operators', async () => {
    const client = await api.db.connect();
    try {
      await client.query('SET ROLE yiqiao_app');
      for (const table of ['operator_account', 'operator_session', 'operator_enrolment', 'operator_action'])
        await expect(client.query(`SELECT * FROM ${table}`)).rejects.toThrow('permission denied');
      await client.query('SET ROLE yiqiao_operator');
      await expect(client.query('DELETE FROM operator_action')).rejects.toThrow('permission denied');
      await expect(client.query('UPDATE account_log SET amount = 0')).rejects.toThrow('permission denied');
    } finally {
      await client.query('RESET ROLE');
      client.release();
    }
  });
});

describe('every role on every route', () => {
  it('means every route that the process serves', () => {
    const methods = [...operators.app.get(ModulesContainer).values()]
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap(({ metatype }) => Object.values(Object.getOwnPropertyDescriptors(metatype?.prototype ?? {})))
      .flatMap(({ value }: PropertyDescriptor) => (typeof value === 'function' ? [value as object] : []));
    const served = methods
      .map((method) => Reflect.getMetadata(CONTRACT, method) as Partial<OperatorEndpoint> | undefined)
      .filter((contract) => contract !== undefined)
      .filter(({ base }) => base === OPERATOR_BASE_PATH);
    const named = (endpoints: readonly Partial<OperatorEndpoint>[]): string[] =>
      endpoints.map(({ method, path }) => `${method ?? ''} ${path ?? ''}`).sort();
    expect(named(served)).toEqual(named(operatorEndpoints));
  });

  const cases = operatorEndpoints
    // A stream never ends; `operators-audits.e2e.ts` opens it.
    .filter(({ action, stream }) => action !== 'signedOut' && !stream)
    .flatMap((endpoint) => operatorRoles.map((role) => [role, endpoint.method, endpoint.path, endpoint] as const));

  it.each(cases)('%s %s %s', async (role, method, path, endpoint) => {
    if (endpoint.action === 'signedOut') return;
    const browser = await operators.signIn(staff[role]);
    const { status, body } = await browser.call(method as 'GET' | 'POST', path.replaceAll(/:[a-zA-Z]+/g, '1'));
    if (mayDo(role, endpoint.action)) expect(body.code).not.toBe('OPERATOR_ROLE_REQUIRED');
    else expect([status, body.code]).toEqual([403, 'OPERATOR_ROLE_REQUIRED']);
    const stranger = await operators.browser().call(method as 'GET' | 'POST', path.replaceAll(/:[a-zA-Z]+/g, '1'));
    expect(stranger.status).toBe(401);
  });
});

describe('the action log', () => {
  it('has every sign-in, chained without gaps, and cannot be changed', async () => {
    const { rows } = await api.db.query<{ n: number; body: string; hash: string; action: string; actor: string }>(
      `SELECT n, body, encode(hash, 'hex') AS hash, action, actor FROM operator_action ORDER BY n`,
    );
    let head = '0'.repeat(64);
    for (const [i, row] of rows.entries()) {
      expect(Number(row.n)).toBe(i + 1);
      head = hash('sha256', Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(row.body)]));
      expect(row.hash).toBe(head);
    }
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'operator.create',
        'operator.enrol',
        'operator.invite',
        'signIn',
        'signIn.failed',
        'signOut',
      ]),
    );
    expect(rows.filter(({ action }) => action === 'signOut').map(({ actor }) => actor)).toContain('support-1');
    expect(JSON.stringify(rows)).not.toContain('the password of');
    await expect(api.db.query(`UPDATE operator_action SET body = '{}'`)).rejects.toThrow('append-only');
  });
});
