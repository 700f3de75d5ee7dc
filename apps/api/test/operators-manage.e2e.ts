/** Operators, the own account of each, and the action log as it is read (operators §2, §5). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { operatorRoles, type OperatorRole } from '@yiqiao/domain/operators';
import { channelSet } from '../src/operator/channels.js';
import { configSet } from '../src/operator/configs.js';
import { managerAdd, systemUser, tokenIssue } from '../src/operator/managers.js';
import { planSet } from '../src/operator/plans.js';
import { startApi, type TestApi } from './support/api.js';
import { runOperator, runTask } from './support/operator.js';
import { type OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';

let api: TestApi;
let operators: TestOperators;
const people = {} as Record<OperatorRole, TestOperator>;
const at = {} as Record<OperatorRole, OperatorBrowser>;
beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  for (const role of operatorRoles) {
    people[role] = await operators.enrol(`${role}-1`, role);
    at[role] = await operators.signIn(people[role]);
  }
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const code = (role: OperatorRole): Promise<string> => operators.freshCode(people[role]);
const dataOf = async <T>(answer: Promise<{ body: { data: never } }>): Promise<T> => (await answer).body.data;

type Row = { id: number; name: string; state: string; sessions: number; recoveryCodesLeft: number | null };
const list = async (role: OperatorRole = 'viewer'): Promise<Row[]> =>
  (await dataOf<{ rows: Row[] }>(at[role].get('/operators'))).rows;

it('invites an operator with a link that is shown once, and renews it', async () => {
  const invite = { name: '客服 07', role: 'support' };
  const made = await dataOf<{ id: number; link: string }>(
    at.owner.post('/operators', { ...invite, code: await code('owner') }),
  );
  expect(made.link).toMatch(/\/enrol#[\w-]{32}$/);
  expect((await list()).find(({ id }) => id === made.id)).toMatchObject({
    name: '客服 07',
    state: 'invited',
    sessions: 0,
    recoveryCodesLeft: null,
  });
  expect(await at.owner.post('/operators', { ...invite, code: await code('owner') })).toMatchObject({
    status: 409,
    body: { code: 'OPERATOR_EXISTS' },
  });
  const renewed = await dataOf<{ link: string }>(
    at.owner.post(`/operators/${made.id}/renew`, { code: await code('owner') }),
  );
  const tokenOf = (link: string): string => link.split('#')[1] ?? '';
  expect(await operators.browser().post('/enrolments/open', { token: tokenOf(made.link) })).toMatchObject({
    body: { code: 'ENROLMENT_LINK_USED' },
  });
  const opened = await operators.browser().post('/enrolments/open', { token: tokenOf(renewed.link) });
  expect(opened.body.data).toMatchObject({ name: '客服 07', role: 'support' });
  const { rows } = await api.db.query('SELECT body FROM operator_action');
  expect(JSON.stringify(rows)).not.toContain(tokenOf(renewed.link));
});

it('adds one operator of a name, however many ask for it at once, and none that the action log has for others', async () => {
  const owners = await Promise.all(
    ['owner-2', 'owner-3'].map(async (name) => {
      const owner = await operators.enrol(name, 'owner');
      return { browser: await operators.signIn(owner), code: await operators.freshCode(owner) };
    }),
  );
  const answers = await Promise.all(
    owners.map((owner) => owner.browser.post('/operators', { name: '夜班', role: 'viewer', code: owner.code })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  for (const name of ['system', 'System', 'cli:root', 'token:x'])
    expect(await at.owner.post('/operators', { name, role: 'viewer', code: await code('owner') })).toMatchObject({
      status: 422,
    });
  for (const name of ['system', 'cli:root']) {
    const ran = await runOperator(api.env, ['account', 'add', name, '--role', 'viewer']);
    expect([ran.code, ran.out]).toEqual([2, '']);
  }
});

it('shows recovery codes that are left to oneself and to owners', async () => {
  const shown = (rows: Row[]) =>
    rows.filter(({ recoveryCodesLeft }) => recoveryCodesLeft !== null).map(({ name }) => name);
  expect(shown(await list('viewer'))).toEqual(['viewer-1']);
  expect(shown(await list('owner')).slice(0, 4)).toEqual(['viewer-1', 'support-1', 'finance-1', 'owner-1']);
});

it('signs an operator out everywhere', async () => {
  const session = await operators.signIn(people.support);
  const id = (await list()).find(({ name }) => name === 'support-1')?.id;
  expect(await at.finance.post(`/operators/${id}/sign-out`)).toMatchObject({ status: 403 });
  expect((await at.owner.post(`/operators/${id}/sign-out`)).body.data).toBe(true);
  expect((await session.get('/session')).status).toBe(401);
  at.support = await operators.signIn(people.support);
});

it('lists one’s own sessions and ends the others', async () => {
  const [second, third] = [await operators.signIn(people.viewer), await operators.signIn(people.viewer)];
  type Session = { id: string; current: boolean };
  const { rows } = await dataOf<{ rows: Session[] }>(second.get('/own/sessions'));
  expect(rows.map(({ current }) => current)).toEqual([false, true, false]);
  const newest = rows[0]?.id;
  expect((await second.post('/own/sessions/end', { id: newest })).body.data).toEqual({ ended: 1 });
  expect((await third.get('/session')).status).toBe(401);
  expect((await second.post('/own/sessions/end')).body.data).toEqual({ ended: 1 });
  expect((await at.viewer.get('/session')).status).toBe(401);
  expect((await second.get('/session')).status).toBe(200);
  at.viewer = second;
});

it('changes one’s own password with a code and ends the other sessions', async () => {
  const other = await operators.signIn(people.finance);
  const form = { oldPassword: people.finance.password, password: 'an even better password' };
  const change = async (extra: object) => at.finance.post('/own/password', { ...form, ...extra });
  expect(await change({})).toMatchObject({ body: { code: 'OPERATOR_CODE_REQUIRED' } });
  expect(await change({ oldPassword: 'wrong', code: await code('finance') })).toMatchObject({
    body: { code: 'WRONG_OLD_PASSWORD' },
  });
  expect((await change({ code: await code('finance') })).body.data).toBe(true);
  expect((await other.get('/session')).status).toBe(401);
  expect((await at.finance.get('/session')).status).toBe(200);
  await expect(operators.signIn(people.finance)).rejects.toThrow();
  people.finance = { ...people.finance, password: form.password };
  await operators.signIn(people.finance);
});

it('gives new recovery codes; the old ones are void', async () => {
  const { recoveryCodes } = await dataOf<{ recoveryCodes: string[] }>(
    at.finance.post('/own/recovery-codes', { code: await code('finance') }),
  );
  expect(recoveryCodes).toHaveLength(10);
  const use = (given = ''): Promise<{ body: { code?: string } }> =>
    at.finance.post('/own/recovery-codes', { code: given });
  expect(await use(people.finance.recoveryCodes[0])).toMatchObject({ body: { code: 'SIGN_IN_CODE_WRONG' } });
  expect(await use(recoveryCodes[0])).toMatchObject({ status: 200 });
});

type Action = { n: number; at: string; actor: string; action: string; whole: boolean; after: object | null };
const actions = async (query = ''): Promise<{ rows: Action[]; total: number }> =>
  dataOf(at.viewer.get(`/actions?${query}`));

it('reads the action log by actor, action, target and time, and downloads it', async () => {
  const all = await actions('pageSize=100');
  expect(all.rows.every(({ whole }) => whole)).toBe(true);
  expect(all.rows.map(({ n }) => n)).toEqual([...all.rows.map(({ n }) => n)].sort((a, b) => b - a));
  const passwords = await actions('action=password.change');
  expect(passwords).toMatchObject({
    total: 1,
    rows: [{ actor: 'finance-1', target: { kind: 'operator', id: 'finance-1' } }],
  });
  const [moment = ''] = passwords.rows.map((row) => row.at);
  const span = `from=${encodeURIComponent(moment)}&to=${encodeURIComponent(moment)}`;
  expect((await actions(`actor=finance-1&${span}`)).rows.map(({ action }) => action)).toContain('password.change');
  expect((await actions('target=nobody')).total).toBe(0);
  expect(await dataOf(at.viewer.get('/actions/names'))).toMatchObject({
    actors: expect.arrayContaining(['cli:test', 'finance-1', 'system']),
    actions: expect.arrayContaining(['password.change', 'signIn']),
  });
  const file = await at.finance.get('/actions/csv?action=password.change');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="actions-\d{4}-\d\d-\d\d\.csv"$/);
  expect(String(file.body.data).trim().split('\r\n')).toHaveLength(2);
  expect((await actions('action=actions.download')).rows).toMatchObject([
    { actor: 'finance-1', after: { action: 'password.change' } },
  ]);
});

it('proves the chain, and names the first action that was altered', async () => {
  const proof = () =>
    dataOf<{ whole: boolean; actions: number; firstBreak: object | null }>(at.viewer.get('/actions/proof'));
  const { total } = await actions();
  expect(await proof()).toMatchObject({ whole: true, actions: total, firstBreak: null });
  const alter = (from: string, to: string) =>
    api.db.query(
      `ALTER TABLE operator_action DISABLE TRIGGER operator_action_append_only;
       UPDATE operator_action SET body = replace(body, '${from}', '${to}') WHERE n = 3;
       ALTER TABLE operator_action ENABLE TRIGGER operator_action_append_only`,
    );
  await alter('"n":3', '"n":3,"by":"somebody"');
  expect(await proof()).toMatchObject({ whole: false, actions: 2, firstBreak: { n: 3 } });
  const { rows } = await actions('pageSize=100');
  expect(rows.filter(({ whole }) => !whole).map(({ n }) => n)).toEqual([3]);
  await alter(',"by":"somebody"', '');
  expect(await proof()).toMatchObject({ whole: true });
});

it('has what the command line changed, in the name of its system user', async () => {
  const tasks = [
    managerAdd(['night-shift']),
    configSet(['a_new_one', '{"shown":true}']),
    channelSet(['google', 'price=41', '--reason', 'the vendor asks more']),
    planSet(['2', 'name=标准版', '--reason', 'a better name']),
    tokenIssue([]),
  ];
  for (const task of tasks) expect(await runTask(api.env, () => task)).toMatchObject({ code: 0 });
  const { rows } = await actions(`actor=${encodeURIComponent(`cli:${systemUser()}`)}`);
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['token.issue', 'channel.change', 'config.change', 'manager.change']),
  );
  expect(rows.find(({ action }) => action === 'channel.change')).toMatchObject({
    target: { kind: 'channel' },
    before: { price: expect.any(Number) },
    after: { price: 41 },
    reason: 'the vendor asks more',
  });
});

it('keeps an ended operator from being invited again', async () => {
  const gone = await operators.enrol('gone-1', 'viewer');
  await api.db.query(`UPDATE operator_account SET disabled_at = now() WHERE name = 'gone-1'`);
  const id = (await list()).find(({ name }) => name === gone.name)?.id;
  expect(await at.owner.post(`/operators/${id}/renew`, { code: await code('owner') })).toMatchObject({
    status: 409,
    body: { code: 'OPERATOR_ENDED' },
  });
});
