/** Requests that a second operator decides: who may, once, in time, wholly or not at all (operators §4), and step-up (operators §2). */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operatorEndpoints } from '@yiqiao/contracts/operator/endpoints';
import { mayDo, OPERATOR_ACTIONS, operatorRoles, type OperatorActionRule } from '@yiqiao/domain/operators';
import { LateRequests } from '../src/operators/requests/lapse-requests.js';
import { startApi, type TestApi } from './support/api.js';
import { EventReader } from './support/event-reader.js';
import { type Answer, type OperatorBrowser, TestOperators, type TestOperator } from './support/operators.js';
import { spawnOperators } from './support/process.js';
import { waitUntil } from './support/wait-until.js';

type Request = {
  id: number;
  state: string;
  changes: object[];
  checks: { state: string; text: { en: string } }[];
  undecidable: string | null;
  payloadHash: string;
  outcome: { refusal?: { code: string } } | null;
};

let api: TestApi;
let operators: TestOperators;
const people = {} as Record<'owner' | 'second' | 'finance' | 'support' | 'viewer', TestOperator>;
const at = {} as Record<keyof typeof people, OperatorBrowser>;
beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  for (const [name, role] of [
    ['owner', 'owner'],
    ['second', 'owner'],
    ['finance', 'finance'],
    ['support', 'support'],
    ['viewer', 'viewer'],
  ] as const) {
    people[name] = await operators.enrol(`${name}-1`, role);
    at[name] = await operators.signIn(people[name]);
  }
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

let count = 0;
/** A new operator, who is the target of requests. */
const newcomer = (): Promise<TestOperator> => operators.enrol(`target-${++count}`, 'viewer');
const HOURS = `interval '72 hours'`;
const REASON = 'they passed their probation';
const ask = (browser: OperatorBrowser, target: string, extra: object = {}): Promise<Answer> =>
  browser.post('/requests', {
    kind: 'operator.changeRole',
    target,
    payload: { role: 'support' },
    reason: REASON,
    ...extra,
  });
const idOf = ({ body }: Answer): number => (body.data as { id: number }).id;
const decide = async (
  who: keyof typeof people,
  id: number,
  what: 'approve' | 'reject' | 'withdraw' = 'approve',
): Promise<Answer> =>
  at[who].post(`/requests/${id}/${what}`, { reason: 'seen', code: await operators.freshCode(people[who]) });
const read = async (id: number, who: keyof typeof people = 'finance'): Promise<Request> =>
  (await at[who].get(`/requests/${id}`)).body.data;
const roleOf = async ({ name }: TestOperator): Promise<string | undefined> => {
  const { rows } = await api.db.query<{ role: string }>('SELECT role FROM operator_account WHERE name = $1', [name]);
  return rows[0]?.role;
};
const actionsOf = async (id: number): Promise<string[]> => {
  const { rows } = await api.db.query<{ action: string }>(
    `SELECT action FROM operator_action WHERE body::jsonb ->> 'approvalId' = $1 ORDER BY n`,
    [String(id)],
  );
  return rows.map(({ action }) => action);
};

describe('a request', () => {
  let target: TestOperator;
  beforeEach(async () => {
    target = await newcomer();
  });

  it('changes nothing until somebody else approves it, then once, and ends the sessions', async () => {
    const session = await operators.signIn(target);
    // A session that has run out is none of those that would end.
    const idle = hash('sha256', (await operators.signIn(target)).cookies.get('yiqiao-operator') ?? '');
    await api.db.query(`UPDATE operator_session SET last_used_at = now() - interval '31 minutes' WHERE digest = $1`, [
      idle,
    ]);
    const made = await ask(at.owner, target.name.toUpperCase());
    expect(made.body.data).toEqual({ id: expect.any(Number), state: 'open', outcome: null });
    const id = idOf(made);
    expect(await roleOf(target)).toBe('viewer');
    expect(await read(id)).toMatchObject({
      kind: 'operator.changeRole',
      target: target.name,
      payload: { role: 'support' },
      payloadHash: hash('sha256', '{"role":"support"}'),
      maker: 'owner-1',
      reason: REASON,
      undecidable: null,
      changes: [
        { before: { en: 'Viewer' }, after: { en: 'Support' } },
        { before: 1, after: 0 },
      ],
    });
    expect((await decide('finance', id)).body.data).toMatchObject({ id, state: 'done' });
    expect(await roleOf(target)).toBe('support');
    expect((await session.get('/session')).status).toBe(401);
    expect(await actionsOf(id)).toEqual(['request.make', 'operator.changeRole', 'request.approve']);
    for (const what of ['approve', 'reject'] as const)
      expect(await decide('second', id, what)).toMatchObject({ status: 409, body: { code: 'REQUEST_DECIDED' } });
    expect(await decide('owner', id, 'withdraw')).toMatchObject({ status: 409, body: { code: 'REQUEST_DECIDED' } });
  });

  it('is not decided by its maker, nor by a role that may not', async () => {
    const id = idOf(await ask(at.owner, target.name));
    for (const what of ['approve', 'reject'] as const) {
      expect(await decide('owner', id, what)).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_OWN' } });
      expect(await decide('support', id, what)).toMatchObject({
        status: 403,
        body: { code: 'OPERATOR_ROLE_REQUIRED' },
      });
    }
    expect((await read(id, 'owner')).undecidable).toBe('own');
    expect((await read(id, 'viewer')).undecidable).toBe('role');
    expect(await roleOf(target)).toBe('viewer');
  });

  it('is made only by those whose role may ask for it, with a reason of ten characters', async () => {
    for (const who of ['finance', 'support', 'viewer'] as const)
      expect(await ask(at[who], target.name)).toMatchObject({ status: 403, body: { code: 'OPERATOR_ROLE_REQUIRED' } });
    for (const extra of [
      { reason: 'too short' },
      { reason: 'x'.repeat(501) },
      { payload: { role: 'king' } },
      { payload: {} },
      { kind: 'audit.run' },
    ])
      expect(await ask(at.owner, target.name, extra)).toMatchObject({ status: 422 });
    expect(await ask(at.owner, 'nobody')).toMatchObject({ status: 404 });
    expect(await ask(at.owner, target.name, { payload: { role: 'viewer' } })).toMatchObject({
      body: { code: 'ROLE_UNCHANGED' },
    });
  });

  it('waits alone: no second one of its kind for its target', async () => {
    const id = idOf(await ask(at.owner, target.name));
    const answers = await Promise.all([ask(at.second, target.name), ask(at.owner, target.name)]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { code: 'REQUEST_OPEN' } });
    await decide('owner', id, 'withdraw');
    expect((await ask(at.second, target.name)).status).toBe(200);
  });

  it('is told to every open page when it is made, and when it is decided', async () => {
    const stream = await EventReader.at(`${operators.url}/operator-api/stream`, { Cookie: at.viewer.cookie });
    await stream.event('ready');
    const told = (times: number): Promise<number> =>
      waitUntil(
        () => Promise.resolve(stream.heard.filter(({ event }) => event === 'requests').length),
        (heard) => heard === times,
      );
    const id = idOf(await ask(at.owner, target.name));
    await told(1);
    await decide('finance', id, 'reject');
    await told(2);
    await stream.close();
  });

  it('is rejected with a reason, or withdrawn by its maker alone', async () => {
    const rejected = idOf(await ask(at.owner, target.name));
    expect(await at.finance.post(`/requests/${rejected}/reject`, { code: '000000' })).toMatchObject({ status: 422 });
    expect((await decide('finance', rejected, 'reject')).body.data).toMatchObject({ state: 'rejected' });
    const withdrawn = idOf(await ask(at.owner, target.name));
    expect(await decide('finance', withdrawn, 'withdraw')).toMatchObject({
      status: 403,
      body: { code: 'ONLY_ITS_MAKER' },
    });
    expect((await decide('owner', withdrawn, 'withdraw')).body.data).toMatchObject({ state: 'withdrawn' });
    expect(await roleOf(target)).toBe('viewer');
    expect(await actionsOf(rejected)).toEqual(['request.make', 'request.reject']);
  });

  it('lapses after 72 hours', async () => {
    const age = (id: number) =>
      api.db.query(
        `ALTER TABLE operator_request DISABLE TRIGGER operator_request_once;
         UPDATE operator_request SET made_at = made_at - ${HOURS}, expires_at = expires_at - ${HOURS} WHERE id = ${id};
         ALTER TABLE operator_request ENABLE TRIGGER operator_request_once`,
      );
    const read1 = idOf(await ask(at.owner, target.name));
    await age(read1);
    expect(await decide('finance', read1)).toMatchObject({ status: 409, body: { code: 'REQUEST_DECIDED' } });
    expect((await read(read1)).state).toBe('lapsed');
    const swept = idOf(await ask(at.owner, target.name));
    await age(swept);
    await operators.app.get(LateRequests).end();
    const { rows } = await api.db.query<{ state: string }>('SELECT state FROM operator_request WHERE id = $1', [swept]);
    expect(rows).toEqual([{ state: 'lapsed' }]);
    expect(await actionsOf(swept)).toEqual(['request.make', 'request.lapse']);
    expect(await roleOf(target)).toBe('viewer');
  });

  it('ends as failed when its command refuses, and nothing is half done', async () => {
    const role = idOf(await ask(at.owner, target.name));
    const end = idOf(await ask(at.owner, target.name, { kind: 'operator.end', payload: {} }));
    expect((await decide('finance', end)).body.data).toMatchObject({ state: 'done' });
    expect((await read(role)).checks).toEqual([
      { state: 'unmet', text: { zh: expect.any(String), en: 'This operator’s account has ended.' } },
    ]);
    const { body } = await decide('finance', role);
    expect(body.data).toMatchObject({ state: 'failed', outcome: { refusal: { code: 'OPERATOR_ENDED' } } });
    expect(await roleOf(target)).toBe('viewer');
    expect(await actionsOf(role)).toEqual(['request.make', 'request.approve']);
    await expect(operators.signIn(target)).rejects.toThrow();
  });

  it('survives a crash between its effect and its end', async () => {
    const id = idOf(await ask(at.owner, target.name));
    const doomed = await spawnOperators(api.env, {
      FAILPOINT: 'after-request-effect',
      LIMIT_OPERATOR_SIGN_INS: '1000',
    });
    const there = await operators.signIn(people.finance, doomed.url);
    const code = await operators.freshCode(people.finance);
    await expect(there.post(`/requests/${id}/approve`, { reason: 'seen', code })).rejects.toThrow();
    expect(await doomed.exited).toBe(137);
    expect((await read(id)).state).toBe('open');
    expect(await roleOf(target)).toBe('viewer');
    expect((await decide('finance', id)).body.data).toMatchObject({ state: 'done' });
    expect(await actionsOf(id)).toEqual(['request.make', 'operator.changeRole', 'request.approve']);
  });

  it('is carried out once by two who approve at the same time', async () => {
    const id = idOf(await ask(at.owner, target.name));
    const answers = await Promise.all([decide('finance', id), decide('second', id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await actionsOf(id)).toEqual(['request.make', 'operator.changeRole', 'request.approve']);
  });

  it('is listed with what waits for whom', async () => {
    const id = idOf(await ask(at.owner, target.name));
    const list = async (who: keyof typeof people, query: string) =>
      (await at[who].get(`/requests?${query}`)).body.data as {
        rows: { id: number; mine: boolean }[];
        total: number;
        open: { all: number; forMe: number; mine: number };
        deciders: number;
      };
    expect((await list('finance', 'scope=forMe')).rows.map((row) => row.id)).toContain(id);
    expect((await list('owner', 'scope=forMe&pageSize=100')).rows.map((row) => row.id)).not.toContain(id);
    const mine = await list('owner', `scope=mine&state=open&target=${target.name}`);
    expect(mine).toMatchObject({ rows: [{ id, mine: true }], total: 1, deciders: 2 });
    expect((await list('viewer', 'state=decided')).open.forMe).toBe(0);
  });
});

describe('the database refuses', () => {
  const ids = async (): Promise<{ id: number; maker: number; other: number }> => {
    const id = idOf(await ask(at.owner, (await newcomer()).name));
    const { rows } = await api.db.query<{ id: number; name: string }>('SELECT id, name FROM operator_account');
    const find = (name: string): number => Number(rows.find((row) => row.name === name)?.id);
    return { id, maker: find('owner-1'), other: find('finance-1') };
  };
  const asOperator = async (sql: string): Promise<string> => {
    const client = await api.db.connect();
    try {
      await client.query('SET ROLE yiqiao_operator');
      return await client.query(sql).then(
        () => 'done',
        (error: Error) => error.message,
      );
    } finally {
      await client.query('RESET ROLE');
      client.release();
    }
  };
  const end = (id: number, by: number, when = 'now()'): Promise<string> =>
    asOperator(
      `UPDATE operator_request SET state = 'done', decided_by = ${by}, decided_at = ${when}, decision_reason = 'x'
       WHERE id = ${id}`,
    );

  it('a decision by the maker, a second one, a late one, and another payload', async () => {
    const { id, maker, other } = await ids();
    expect(await end(id, maker)).toContain('operator_request_two_persons');
    expect(await end(id, other, 'expires_at')).toContain('violates check constraint');
    expect(await asOperator(`UPDATE operator_request SET payload = '{}' WHERE id = ${id}`)).toContain(
      'permission denied',
    );
    await expect(
      api.db.query(`UPDATE operator_request SET payload = '{}', payload_hash = $2 WHERE id = $1`, [
        id,
        hash('sha256', '{}'),
      ]),
    ).rejects.toThrow('frozen');
    expect(await end(id, other)).toBe('done');
    expect(await end(id, other)).toContain('is decided');
    expect(await asOperator(`DELETE FROM operator_request WHERE id = ${id}`)).toContain('permission denied');
    await expect(api.db.query(`DELETE FROM operator_request`)).rejects.toThrow('refused');
  });

  it('a second open request, and the members’ role altogether', async () => {
    const { id } = await ids();
    await expect(
      api.db.query(
        `INSERT INTO operator_request (kind, target_kind, target_id, payload, payload_hash, summary, reason, maker_id, made_at, expires_at)
         SELECT kind, target_kind, target_id, payload, payload_hash, summary, reason, maker_id, made_at, expires_at
         FROM operator_request WHERE id = $1`,
        [id],
      ),
    ).rejects.toThrow('operator_request_one_open');
    const client = await api.db.connect();
    try {
      await client.query('SET ROLE yiqiao_app');
      for (const table of ['operator_request', 'operator_limits'])
        await expect(client.query(`SELECT * FROM ${table}`)).rejects.toThrow('permission denied');
    } finally {
      await client.query('RESET ROLE');
      client.release();
    }
  });
});

describe('the last owner', () => {
  it('is neither ended nor given another role', async () => {
    const role = idOf(await ask(at.second, 'owner-1', { payload: { role: 'finance' } }));
    expect((await decide('finance', role)).body.data).toMatchObject({ state: 'done' });
    for (const extra of [{ payload: { role: 'viewer' } }, { kind: 'operator.end', payload: {} }])
      expect(await ask(at.second, 'second-1', extra)).toMatchObject({ status: 422, body: { code: 'LAST_OWNER' } });
    const back = idOf(await ask(at.second, 'owner-1', { payload: { role: 'owner' } }));
    await decide('finance', back);
    at.owner = await operators.signIn(people.owner);
  });
});

describe('step-up', () => {
  const guarded = operatorEndpoints.filter(
    ({ action, codeLater }) =>
      action !== 'signedOut' && (OPERATOR_ACTIONS[action] as OperatorActionRule).code && !codeLater,
  );
  const cases = guarded.flatMap((endpoint) =>
    operatorRoles.map((role) => [role, endpoint.method, endpoint.path, endpoint] as const),
  );

  it.each(cases)('%s %s %s', async (role, method, path, { action }) => {
    if (action === 'signedOut') return;
    const browser = at[role];
    const url = path.replaceAll(/:[a-zA-Z]+/g, '999999');
    const call = async (code?: string): Promise<string | undefined> =>
      (await browser.call(method as 'POST', url, {}, code === undefined ? {} : { 'x-one-time-code': code })).body.code;
    if (!mayDo(role, action)) {
      expect(await call()).toBe('OPERATOR_ROLE_REQUIRED');
      return;
    }
    expect(await call()).toBe('OPERATOR_CODE_REQUIRED');
    expect(await call('000000')).toBe('SIGN_IN_CODE_WRONG');
    const code = await operators.freshCode(people[role]);
    expect(['VALIDATION_FAILED', 'NOT_FOUND', undefined]).toContain(await call(code));
    expect(await call(code)).toBe('SIGN_IN_CODE_USED');
  });

  it('decides nothing without a fresh code, and a refusal that does not need one costs none', async () => {
    const id = idOf(await ask(at.owner, (await newcomer()).name));
    const approve = (body: object): Promise<Answer> => at.finance.post(`/requests/${id}/approve`, body);
    expect(await approve({ reason: 'seen' })).toMatchObject({ status: 403, body: { code: 'OPERATOR_CODE_REQUIRED' } });
    expect(await approve({ reason: 'seen', code: '000000' })).toMatchObject({ body: { code: 'SIGN_IN_CODE_WRONG' } });
    const code = await operators.freshCode(people.finance);
    expect(await at.finance.post('/requests/999999/approve', { reason: 'seen', code })).toMatchObject({ status: 404 });
    expect((await approve({ reason: 'seen', code })).body.data).toMatchObject({ state: 'done' });
    const next = idOf(await ask(at.owner, (await newcomer()).name));
    const replayed = await at.finance.post(`/requests/${next}/approve`, { reason: 'seen', code });
    expect(replayed).toMatchObject({ status: 422, body: { code: 'SIGN_IN_CODE_USED' } });
    expect((await read(next)).state).toBe('open');
  });

  it('locks an operator who guesses', async () => {
    const strict = await TestOperators.start(api);
    try {
      const browser = await operators.signIn(await operators.enrol('guesser-1', 'finance'), strict.url);
      const id = idOf(await ask(at.owner, (await newcomer()).name));
      const guess = async (): Promise<string | undefined> =>
        (await browser.post(`/requests/${id}/approve`, { reason: 'seen', code: '000000' })).body.code;
      for (let i = 0; i < 5; i++) expect(await guess()).toBe('SIGN_IN_CODE_WRONG');
      expect(await guess()).toBe('TOO_MANY_REQUESTS');
    } finally {
      await strict.stop();
    }
  });
});

describe('the limits', () => {
  const limits = { charNum: 100_000, voiceNum: 100, imageNum: 100, amount: 50_000 };

  it('are changed by owners with a code, and recorded with what changed', async () => {
    expect((await at.viewer.get('/limits')).body.data).toEqual(limits);
    const change = { ...limits, charNum: 50_000, reason: 'too much was given' };
    expect(await at.finance.post('/limits', change)).toMatchObject({ body: { code: 'OPERATOR_ROLE_REQUIRED' } });
    const code = await operators.freshCode(people.owner);
    expect((await at.owner.post('/limits', { ...change, code })).body.data).toEqual({ ...limits, charNum: 50_000 });
    const { rows } = await api.db.query<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'limits.change'`,
    );
    expect(rows.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { actor: 'owner-1', before: { charNum: 100_000 }, after: { charNum: 50_000 }, reason: change.reason },
    ]);
    await at.owner.post('/limits', { ...limits, reason: 'as it was', code: await operators.freshCode(people.owner) });
  });
});
