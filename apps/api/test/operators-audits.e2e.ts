/** Runs of the audit: their progress and history, and what a difference stops (operators §7). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getAuditRun, getLedgerStatus, listAuditRuns } from '@yiqiao/contracts/operator/audits';
import { previewOrder } from '@yiqiao/contracts/orders';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { Ledger } from '../src/ledger/ledger.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { StartNightlyAudit } from '../src/operators/audits/audit-runs.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { EventReader } from './support/event-reader.js';
import { adjust, makeMain, makeSub } from './support/family.js';
import { outcomeOf, usage } from './support/ledger-fixture.js';
import { listManagers } from './support/operator.js';
import { type OperatorBrowser, TestOperators } from './support/operators.js';
import { openOrder, paymentFor, settle, STANDARD } from './support/orders.js';
import { spawnProgram } from './support/process.js';
import { runCommand } from './support/run-command.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

type Run = Answer<typeof getAuditRun>;
type Status = Answer<typeof getLedgerStatus>;

let api: TestApi;
let operators: TestOperators;
let worker: { app: INestApplicationContext; stop: () => Promise<void> } | undefined;
let viewer: OperatorBrowser;
let main: TestMember;
let sub: TestMember;
let other: TestMember;

beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api);
  await listManagers(api.db);
  viewer = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
  main = await makeMain(api);
  sub = await makeSub(api, main, 500);
  other = await makeMain(api);
  for (const member of [main, sub, other]) await translate(member, 10);
  await api.db.query('CREATE TABLE pause (member_id bigint REFERENCES member (id))');
  worker = await startWorker(api.env);
});
afterAll(async () => {
  await worker?.stop();
  await operators.stop();
  await api.stop();
});

const ledger = (): Ledger => api.app.get(Ledger, { strict: false });
const addressOf = ({ session: { userId } }: TestMember, familyId = userId) => ({ id: uuid7(), userId, familyId });

async function translate(who: TestMember, codePoints: number): Promise<void> {
  const to = addressOf(who, who === sub ? main.session.userId : undefined);
  await ledger().hold({ ...to, ask: { kind: 'text', codePoints } });
  await ledger().settle({ ...to, usage });
}

async function start(scope: object = { scope: 'all' }): Promise<number> {
  const { status, body } = await viewer.post('/audit-runs', scope);
  expect([status, body.msg]).toEqual([200, expect.anything()]);
  return (body.data as { id: number }).id;
}
const read = async (id: number): Promise<Run> => (await viewer.get(`/audit-runs/${id}`)).body.data;
const status = async (): Promise<Status> => (await viewer.get('/ledger-status')).body.data;
const history = async (): Promise<Answer<typeof listAuditRuns>> => (await viewer.get('/audit-runs')).body.data;
const ended = (id: number): Promise<Run> =>
  waitUntil(
    () => read(id),
    ({ state }) => state !== 'waiting' && state !== 'running',
  );
const actions = async (target: string): Promise<string[]> =>
  (
    await api.db.query<{ line: string }>(
      `SELECT actor || ' ' || action AS line FROM operator_action WHERE target_id = $1 AND target_kind = 'audit' ORDER BY n`,
      [target],
    )
  ).rows.map(({ line }) => line);
const codeOf = async (answer: ReturnType<OperatorBrowser['get']>): Promise<unknown> => {
  const { status, body } = await answer;
  return body.code ?? status;
};

const holding: pg.PoolClient[] = [];
const spawned: { stop: () => Promise<void> }[] = [];
/** The last thing that a run reads are foreign keys: while the table of one is locked, it waits. Returns the function that lets it go on. */
async function beforeMembers(): Promise<() => Promise<void>> {
  const client = await api.db.connect();
  await client.query('BEGIN; LOCK TABLE pause IN ACCESS EXCLUSIVE MODE');
  holding.push(client);
  return async () => {
    holding.splice(holding.indexOf(client), 1);
    await client.query('ROLLBACK');
    client.release();
  };
}
afterEach(async () => {
  for (const program of spawned.splice(0)) await program.stop();
  for (const client of holding.splice(0)) {
    await client.query('ROLLBACK');
    client.release();
  }
});

const atMembers = (id: number): Promise<Run> =>
  waitUntil(
    () => read(id),
    ({ phase }) => phase === 'members',
  );

describe('a run over everything', () => {
  it('proves the ledger, reports its progress and stays in the history', async () => {
    const stream = await EventReader.at(`${operators.url}/operator-api/stream`, { Cookie: viewer.cookie });
    await stream.event('ready');
    const id = await start();
    const run = await ended(id);
    expect(run).toMatchObject({ scope: 'all', state: 'whole', startedBy: 'viewer-1', userId: null, differences: [] });
    expect(run).toMatchObject({ entries: run.total, accounts: 3, accountsTotal: 3, families: 2, familiesTotal: 2 });
    expect(run.entries).toBe(7);
    expect(run.finishedAt).not.toBeNull();
    expect((await history()).rows[0]).toMatchObject({ id, state: 'whole', firstDifference: null });
    expect(await status()).toMatchObject({ running: null, last: { id, state: 'whole' }, readOnly: [] });
    expect((await status()).next).toBeNull(); // no nightly runs in this suite
    expect(await stream.event('audit')).toEqual({ event: 'audit', data: { id } });
    expect(await actions(String(id))).toEqual(['viewer-1 audit.start']);
    await stream.close();
  });

  it('is one at a time, can be stopped, and goes on after what it has proven', async () => {
    const goOn = await beforeMembers();
    const id = await start();
    expect(await start()).toBe(id);
    const { accounts, entries, total, at } = await atMembers(id);
    expect([accounts, entries, at]).toEqual([3, total, null]);
    expect((await status()).running).toMatchObject({ id });
    const command = await runCommand(() => ledgerCommand(['audit'], loadConfig(api.env)));
    expect([command.code, command.err]).toEqual([1, expect.stringContaining('one run at a time')]);
    expect(await codeOf(viewer.post(`/audit-runs/${id}/resume`))).toBe('AUDIT_RUN_NOT_STOPPED');
    expect(await codeOf(viewer.post(`/audit-runs/${id}/cancel`))).toBe(200);
    expect((await read(id)).state).toBe('cancelled');
    expect(await codeOf(viewer.post(`/audit-runs/${id}/cancel`))).toBe('AUDIT_RUN_OVER');
    const next = await start();
    expect(next).not.toBe(id);
    expect(await codeOf(viewer.post(`/audit-runs/${id}/resume`))).toBe('AUDIT_RUN_UNDER_WAY');
    await viewer.post(`/audit-runs/${next}/cancel`);
    expect(await codeOf(viewer.post(`/audit-runs/${id}/resume`))).toBe(200);
    await goOn();
    const run = await ended(id);
    expect([run.state, run.entries, run.accounts, run.families]).toEqual(['whole', total, 3, 2]);
    const lines = ['audit.start', 'audit.cancel', 'audit.resume'].map((action) => `viewer-1 ${action}`);
    expect(await actions(String(id))).toEqual(lines);
  });

  it('goes on in another worker after the one that ran it was killed', async () => {
    await worker?.stop();
    worker = undefined;
    const goOn = await beforeMembers();
    const killed = spawnProgram('worker', api.env);
    spawned.push(killed);
    const id = await start();
    const { total } = await atMembers(id);
    await waitUntil(
      async () => (await api.db.query('SELECT 1 FROM audit_run WHERE id = $1 AND proven IS NOT NULL', [id])).rowCount,
      (n) => n === 1,
    );
    await killed.stop();
    // It does not read these entries again.
    const spoil = (by: number): Promise<unknown> =>
      api.db.query('UPDATE member_account SET used_char_total = used_char_total + $2 WHERE user_id = $1', [
        main.session.userId,
        by,
      ]);
    await spoil(1);
    await loseRedis();
    worker = await startWorker(api.env);
    await goOn();
    const run = await ended(id);
    await spoil(-1);
    expect([run.state, run.entries, run.accounts, run.families]).toEqual(['whole', total, 3, 2]);
  });
});

/** Jobs under way are lost with the data of Redis, and relayed again. */
async function loseRedis(): Promise<void> {
  const redis = new Redis(api.env['REDIS_URL'] ?? '');
  const keys = await redis.keys(`${api.env['REDIS_PREFIX']}:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
  await api.db.query('UPDATE outbox SET relayed_at = NULL WHERE done_at IS NULL');
}

it('audits a family or an account', async () => {
  const { userId } = sub.session;
  const family = await ended(await start({ scope: 'family', userId }));
  expect(family).toMatchObject({ state: 'whole', userId, accounts: 2, familiesTotal: 1, families: 1 });
  const account = await ended(await start({ scope: 'account', userId }));
  expect(account).toMatchObject({ state: 'whole', accounts: 1, entries: 2 });
  expect(await codeOf(viewer.post('/audit-runs', { scope: 'account', userId: 999_999 }))).toBe('NOT_FOUND');
  expect(await codeOf(viewer.post('/audit-runs', { scope: 'account' }))).toBe('VALIDATION_FAILED');
  expect(await codeOf(viewer.get('/audit-runs/999999'))).toBe('NOT_FOUND');
});

it('shows the runs of the command line', async () => {
  const command = await runCommand(() => ledgerCommand(['audit', '--user', main.username], loadConfig(api.env)));
  expect(command.code).toBe(0);
  const [run] = (await history()).rows;
  expect(run).toMatchObject({ scope: 'account', userId: main.session.userId, state: 'whole' });
  expect(run?.startedBy).toMatch(/^cli:./);
  expect(await actions(String(run?.id))).toEqual([`${run?.startedBy} audit.start`]);
});

it('starts once a night, at its time', async () => {
  const clock = api.app.get(Clock);
  const at = (hours: number): string => clock.toWire(new Date(Date.now() + hours * 3_600_000)).slice(11, 16);
  const begin = async (AUDIT_AT: string): Promise<void> => {
    const night = await startWorker({ ...api.env, AUDIT_AT });
    await night.app.get(CommandBus).execute(new StartNightlyAudit());
    await night.app.get(CommandBus).execute(new StartNightlyAudit());
    await night.stop();
  };
  const before = (await history()).total;
  await begin('off');
  await begin(at(-2));
  expect((await history()).total).toBe(before);
  await begin(at(0));
  const { total, rows } = await history();
  expect([total, rows[0]?.startedBy, rows[0]?.scope]).toEqual([before + 1, 'system', 'all']);
  expect((await ended(rows[0]?.id ?? 0)).state).toBe('whole');
});

describe('a difference', () => {
  const spoil = (by: number): Promise<unknown> =>
    api.db.query('UPDATE member_account SET used_char_total = used_char_total + $2 WHERE user_id = $1', [
      sub.session.userId,
      by,
    ]);
  const hold = (who: TestMember): Promise<string> => {
    const to = addressOf(who, who === sub ? main.session.userId : undefined);
    return outcomeOf(
      ledger()
        .hold({ ...to, ask: { kind: 'text', codePoints: 3 } })
        .then(() => ledger().release({ ...to, usage: null })),
    );
  };

  it('makes its family read-only and no other, until that is lifted', async () => {
    const underWay = addressOf(main);
    await ledger().hold({ ...underWay, ask: { kind: 'text', codePoints: 3 } });
    const payment = await paymentFor(api, await openOrder(api, main));
    await spoil(1);
    const run = await ended(await start());
    await spoil(-1);
    const [mainId, subId] = [main.session.userId, sub.session.userId];
    const found = { account: subId, seq: null, what: 'balance row: usedCharTotal', expected: '10', found: '11' };
    expect(run).toMatchObject({ state: 'different', differenceCount: 1 });
    expect(run.differences).toEqual([{ ...found, family: mainId, arch: 0, consequences: [] }]);
    const { last, readOnly } = await status();
    expect(last).toMatchObject({ id: run.id, firstDifference: found });
    expect(readOnly).toMatchObject([{ familyId: mainId, runId: run.id, account: subId, seq: null, what: found.what }]);

    for (const who of [main, sub]) expect(await hold(who)).toBe('LEDGER_READ_ONLY');
    expect(await outcomeOf(ledger().settle({ ...underWay, usage }))).toBe('LEDGER_READ_ONLY');
    expect(await outcomeOf(adjust(api, mainId, { charChange: 5 }))).toBe('LEDGER_READ_ONLY');
    expect(await outcomeOf(settle(api, payment))).toBe('LEDGER_READ_ONLY');
    // Before anybody pays for it.
    const plan = { memberGroupId: String(STANDARD), salesNum: '1' };
    expect(await main.client.send(previewOrder, plan)).toMatchObject({
      status: 409,
      body: { code: 'LEDGER_READ_ONLY' },
    });
    expect(await outcomeOf(makeSub(api, main, 1))).toBe('LEDGER_READ_ONLY');
    const late = await makeSub(api, main);
    expect(await outcomeOf(adjust(api, late.session.userId, { charChange: 5 }))).toBe('LEDGER_READ_ONLY');
    expect(await hold(other)).toBe('ok');
    expect(await outcomeOf(adjust(api, other.session.userId, { charChange: 5 }))).toBe('ok');
    await ledger().release({ ...underWay, usage: null });

    const owner = await operators.signIn(await operators.enrol('owner-1', 'owner'));
    const second = await operators.enrol('finance-1', 'finance');
    const form = { kind: 'readOnly.lift', target: String(mainId), payload: {}, reason: 'the row was restored' };
    const asked = await owner.post('/requests', form);
    const decider = await operators.signIn(second);
    const decision = { reason: 'seen', code: await operators.freshCode(second) };
    const { id: request } = asked.body.data as { id: number };
    const decided = await decider.post(`/requests/${request}/approve`, decision);
    expect([decided.body.msg, decided.body.data]).toEqual([
      expect.anything(),
      expect.objectContaining({ state: 'done' }),
    ]);
    expect(await codeOf(owner.post('/requests', form))).toBe('FAMILY_NOT_READ_ONLY');
    expect((await status()).readOnly).toEqual([]);
    expect(await settle(api, payment)).toBe('credit');
    for (const who of [main, sub]) expect(await hold(who)).toBe('ok');
    expect(await outcomeOf(adjust(api, late.session.userId, { charChange: 5 }))).toBe('ok');
    const { rows } = await api.db.query(
      `SELECT actor, action FROM operator_action WHERE target_kind = 'family' AND target_id = $1 AND action LIKE 'readOnly.%' ORDER BY n`,
      [String(mainId)],
    );
    expect(rows).toEqual([
      { actor: 'system', action: 'readOnly.set' },
      { actor: 'finance-1', action: 'readOnly.lift' },
    ]);
    expect((await ended(await start())).state).toBe('whole');
  });

  it('cannot be lifted by the members’ process', async () => {
    const client = await api.db.connect();
    try {
      await client.query('SET ROLE yiqiao_app');
      for (const sql of [
        'UPDATE member_account SET read_only = false',
        'SELECT 1 FROM audit_run',
        'DELETE FROM family_read_only',
      ])
        await expect(client.query(sql)).rejects.toThrow('permission denied');
    } finally {
      await client.query('RESET ROLE');
      client.release();
    }
  });
});

describe('the stream of operators', () => {
  const open = (browser: OperatorBrowser): Promise<EventReader> =>
    EventReader.at(`${operators.url}/operator-api/stream`, { Cookie: browser.cookie });

  it('needs a session, and ends within a second with it', async () => {
    const stranger = await open(operators.browser());
    expect(stranger.response.status).toBe(401);
    const staff = await operators.signIn(await operators.enrol('support-1', 'support'));
    const [one, two] = [await open(staff), await open(viewer)];
    await Promise.all([one.event('ready'), two.event('ready')]);
    expect(one.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await staff.post('/sign-out');
    expect(await one.endsWithin(2_000)).toBe(true);
    await sleep(1_000);
    expect(two.over).toBe(false);
    await two.close();
  });
});
