/** The first page of the operator console: figures that add up, what waits, by role, and the machinery (OPERATOR.md §4). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { getQueueToken } from '@nestjs/bullmq';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getSystemDetails } from '@yiqiao/contracts/operator/system';
import type { getSystem, getToday, listChannelTraffic, listTasks } from '@yiqiao/contracts/operator/today';
import { operatorRoles, type OperatorRole } from '@yiqiao/domain/operators';
import { Ledger } from '../src/ledger/ledger.js';
import { RollUpUsageHandler } from '../src/ledger/usage/usage-roll-up.js';
import { recordAction } from '../src/backup/record.js';
import { backupRecord } from '../src/operator/backups.js';
import { BACKUP_ACTION, DRILL_ACTION } from '../src/operators/action-log.js';
import { asOperator } from '../src/operator/operator-app.js';
import { Config, loadConfig } from '../src/platform/config.js';
import { JobRuns } from '../src/platform/job-runs.js';
import { SCHEDULED_JOBS_QUEUE } from '../src/platform/queue.js';
import { REDIS } from '../src/platform/redis.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { makeMain } from './support/family.js';
import { usage } from './support/ledger-fixture.js';
import { OrderFixture, paymentFor, settle } from './support/orders.js';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { runCommand } from './support/run-command.js';
import { TestOperators, type OperatorBrowser } from './support/operators.js';
import type { TestMember } from './support/test-members.js';

type Today = Response<typeof getToday>;
type Tasks = Response<typeof listTasks>;
type System = Response<typeof getSystem>;
type Details = Response<typeof getSystemDetails>;

let fixture: OrderFixture;
let operators: TestOperators;
let buyer: TestMember;
const as = {} as Record<OperatorRole, OperatorBrowser>;

beforeAll(async () => {
  fixture = await OrderFixture.open();
  operators = await TestOperators.start(fixture.api);
  for (const role of operatorRoles) as[role] = await operators.signIn(await operators.enrol(`${role}-1`, role));
  buyer = await makeMain(fixture.api);
});
afterAll(async () => {
  await operators.stop();
  await fixture.close();
});

async function read<T>(role: OperatorRole, path: string): Promise<T> {
  const { body } = await as[role].get(path);
  if (!body.success) throw new Error(body.msg);
  return body.data;
}

/** The ledger's own answer to how much was paid and used. */
const recorded = async (): Promise<{ paid: number; chars: number }> => {
  const { rows } = await fixture.api.db.query<{ paid: string; chars: string }>(
    `SELECT sum(amount) FILTER (WHERE order_id IS NOT NULL) AS paid, sum(used_char_num) AS chars FROM account_log`,
  );
  return { paid: Number(rows[0]?.paid), chars: Number(rows[0]?.chars) };
};

describe('today', () => {
  it('adds up to the ledger, by the hour and by the day', async () => {
    const { id, paymentId } = await fixture.buy(buyer);
    const ledger = fixture.api.app.get(Ledger, { strict: false });
    const use = { id: uuid7(), userId: buyer.session.userId, familyId: buyer.session.userId };
    await ledger.hold({ ...use, ask: { kind: 'text', codePoints: 120 } });
    expect((await read<System>('viewer', '/system')).held).toMatchObject({ holds: 1, voiceNum: 0 });
    await ledger.settle({ ...use, usage });
    await fixture.api.app.get(RollUpUsageHandler, { strict: false }).execute();
    const { paid, chars } = await recorded();
    expect(paid).toBeGreaterThan(0);
    expect(chars).toBeGreaterThan(0);
    const today = await read<Today>('viewer', '/today');
    expect(today.money).toMatchObject({ paid, orders: 1, refunds: 0, refunded: 0, paidBefore: null });
    expect(today.usage.charNum).toBe(chars);
    expect(today.columns).toHaveLength(24);
    expect(today.columns.reduce((sum, column) => sum + column.paid, 0)).toBe(paid);
    expect(today.columns.reduce((sum, column) => sum + column.charNum, 0)).toBe(chars);
    // Nothing was recorded in the weeks before: there is no average to draw, and no 0 is made up.
    expect(new Set(today.columns.map(({ usualPaid }) => usualPaid))).toEqual(new Set([null]));
    expect(today.members).toMatchObject({ registered: 1, firstPayers: 1 });
    const week = await read<Today>('viewer', '/today?range=week');
    expect(week.columns).toHaveLength(7);
    expect(week.money).toMatchObject({ paid, orders: 1 });
    expect(week.usage.charNum).toBe(chars);
    expect(week.columns.at(-1)).toMatchObject({ at: today.at.slice(0, 10), paid, charNum: chars });
    const yesterday = await read<Today>('viewer', '/today?range=yesterday');
    expect(yesterday.money).toMatchObject({ paid: 0, orders: 0, paidBefore: null });
    expect([id, paymentId].every((n) => n > 0)).toBe(true);
  });

  it('refuses a range that there is not', async () => {
    expect((await as.viewer.get('/today?range=year')).status).toBe(422);
  });
});

describe('what waits', () => {
  it('is offered to those who may do it, money before age', async () => {
    const { id } = await fixture.buy(buyer);
    // A second payment of a paid order is an exception.
    await settle(fixture.api, await paymentFor(fixture.api, id));
    const finance = await read<Tasks>('finance', '/today/tasks');
    const { rows } = await fixture.api.db.query<{ no: string }>('SELECT no FROM recharge_order WHERE id = $1', [id]);
    expect(finance.tasks[0]).toMatchObject({
      kind: 'payment',
      what: 'double',
      ref: rows[0]?.no,
      title: '重复付款',
      amount: 8_800,
      leftSeconds: null,
    });
    // The console says what to do and has the page for it: no command of the command line.
    expect(finance.tasks[0]?.note).not.toContain('payments');
    expect([finance.total, finance.amount, finance.kinds]).toEqual([1, 8_800, { payment: 1 }]);
    expect(await read<Tasks>('viewer', '/today/tasks')).toEqual({ total: 0, amount: 0, kinds: {}, tasks: [] });
    expect((await read<Tasks>('support', '/today/tasks')).total).toBe(0);
  });
});

const stores = () => ({
  redis: fixture.api.app.get<Redis>(REDIS, { strict: false }),
  config: fixture.api.app.get(Config),
});

describe('the machinery', () => {
  it('is measured: a write, Redis and its queues, mail, events, holds', async () => {
    const system = await read<System>('viewer', '/system');
    expect(system.database.writeMs).toBeGreaterThan(0);
    expect(system.redis?.queues.map(({ name }) => name)).toEqual(['events', 'mail', 'scheduledJobs']);
    expect(system.redis?.workers).toBe(0); // this suite has none
    expect(system.outbox.open).toBeGreaterThan(0);
    expect(system.outbox.oldestSeconds).toBeGreaterThanOrEqual(0);
    expect(system.held).toMatchObject({ holds: 0, oldestSeconds: null });
  });

  it('says which processes run, which have gone silent, and what answered', async () => {
    const { redis, config } = stores();
    const key = `${config.env.REDIS_PREFIX}:processes`;
    const gone = { kind: 'worker', startedAt: 0, memoryMb: 90, stallMs: 1, requests: null, failed: null };
    const at = (secondsAgo: number): string =>
      JSON.stringify({ ...gone, p95Ms: null, streams: null, reportedAt: Date.now() - secondsAgo * 1_000 });
    await redis.hset(key, 'gone:1', at(30), 'forgotten:1', at(3_700), 'garbage:1', '{}');
    const { processes, postgres, limits, configured } = await read<Details>('viewer', '/system/details');
    const [silent, ...running] = (processes ?? []).sort((a, b) => Number(b.silent) - Number(a.silent));
    expect(silent).toMatchObject({ name: 'gone:1', silent: true, kind: 'worker', requests: null });
    expect(running.map(({ kind }) => kind)).toContain('operators');
    const own = running.find(({ kind }) => kind === 'operators');
    expect(own?.memoryMb).toBeGreaterThan(10);
    expect(own?.requests).not.toBeNull();
    expect(await redis.hexists(key, 'forgotten:1')).toBe(0);
    expect(postgres).toMatchObject({ version: expect.stringMatching(/^\d+/) as unknown, readOnly: false });
    expect(postgres.connections).toBeGreaterThan(0);
    expect(limits).toMatchObject({ signInMinutes: 15, orderSeconds: config.env.ORDER_LIFE_SECONDS });
    expect(configured).toContainEqual({ name: 'APP_SECRET', set: true });
    expect(JSON.stringify(configured)).not.toContain(config.env.APP_SECRET);
  });

  it('says when each scheduled job ran last, how it ended, and which is late', async () => {
    const { app } = operators;
    const runs = app.get(JobRuns, { strict: false });
    const queue = app.get<Queue>(getQueueToken(SCHEDULED_JOBS_QUEUE), { strict: false });
    for (const name of ['good', 'bad', 'never', 'late'])
      await queue.upsertJobScheduler(name, { every: 3_600_000 }, { name });
    await runs.record('good', () => Promise.resolve());
    await expect(runs.record('bad', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const { redis, config } = stores();
    const long = { endedAt: Date.now() - 3 * 3_600_000, ms: 5, ok: true };
    await redis.hset(`${config.env.REDIS_PREFIX}:job-runs`, 'late', JSON.stringify(long));
    const { jobs } = await read<Details>('viewer', '/system/details');
    const states = Object.fromEntries((jobs ?? []).map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ good: 'ok', bad: 'failed', never: 'unknown', late: 'late' });
    expect(jobs?.find(({ name }) => name === 'good')).toMatchObject({
      everySeconds: 3_600,
      ranAt: expect.any(String) as unknown,
    });
    for (const name of ['good', 'bad', 'never', 'late']) await queue.removeJobScheduler(name);
  });

  it('says when the nightly tasks were done, how they ended, and which are late or were never done', async () => {
    const nightly = async () => {
      const { nightly: tasks } = await read<Details>('viewer', '/system/details');
      return Object.fromEntries(tasks.map(({ name, ...task }) => [name, task]));
    };
    const never = {
      at: null,
      ageSeconds: null,
      seconds: null,
      date: null,
      count: null,
      failedAt: null,
      state: 'unknown',
    };
    expect(await nightly()).toEqual({
      audit: never,
      fullAudit: never,
      close: never,
      reconciliation: never,
      backup: never,
      drill: never,
    });

    const { db } = fixture.api;
    await db.query(
      `INSERT INTO audit_run (scope, started_by, state, started_at, finished_at, active_ms)
       VALUES ('all', 'system', 'whole', now() - interval '5 hours', now() - interval '4 hours', 61000)`,
    );
    await db.query(
      `INSERT INTO reconciliation (source, state, from_at, to_at, started_by, started_at, finished_at)
       VALUES ('gateway', 'done', now() - interval '40 days', now(), 'system', now() - interval '30 hours', now() - interval '29 hours')`,
    );
    const folder = await mkdtemp(path.join(os.tmpdir(), 'backup-'));
    const dump = path.join(folder, 'dump');
    await writeFile(dump, 'content');
    const config = loadConfig({ ...fixture.api.env, LOG_LEVEL: 'silent' });
    const record = (file: string) => runCommand(() => asOperator(config, () => backupRecord([file])));
    expect(await record(dump)).toMatchObject({ code: 0 });
    expect(await record(path.join(folder, 'nothing'))).toMatchObject({ code: 1 });
    await rm(folder, { recursive: true });
    const found = await nightly();
    expect(found['audit']).toMatchObject({ state: 'ok', seconds: 61, count: 0 });
    expect(found['audit']?.ageSeconds).toBeGreaterThanOrEqual(5 * 3600);
    expect(found['reconciliation']).toMatchObject({ state: 'late', seconds: 3600, count: 0 });
    expect(found['backup']).toMatchObject({ state: 'ok', count: 7 });
    const backedUp = async (after: object) => {
      await recordAction(config, { actor: 'system' }, { action: BACKUP_ACTION, after });
      return (await nightly())['backup'];
    };
    const failedAt = expect.stringMatching(/^\d{4}-/) as unknown;
    expect(await backedUp({ failed: 'ENOSPC' })).toMatchObject({ state: 'failed', count: 7, failedAt });
    expect(await backedUp({ failed: 'ENOSPC' })).toMatchObject({ state: 'failed', count: 7, failedAt });
    expect(await backedUp({ bytes: 8, seconds: 1 })).toMatchObject({ state: 'ok', count: 8, failedAt: null });
    const drilled = async (after: object) => {
      await recordAction(config, { actor: 'system' }, { action: DRILL_ACTION, after });
      return (await nightly())['drill'];
    };
    expect(await drilled({ failed: 'a reason', seconds: 2 })).toMatchObject({ state: 'failed', seconds: 2 });
    expect(await drilled({ differences: 3, seconds: 61 })).toMatchObject({ state: 'differs', count: 3 });
    expect(await drilled({ differences: 0, seconds: 61 })).toMatchObject({ state: 'ok', seconds: 61, count: 0 });
    expect(found['close']).toEqual(never);
    await db.query(`UPDATE audit_run SET state = 'different'`);
    expect((await nightly())['audit']?.state).toBe('differs');
    // A run over everything that somebody started counts once it has a result.
    const made = (startedBy: string, state: string) =>
      db.query(
        `INSERT INTO audit_run (scope, started_by, state, started_at, finished_at, active_ms)
         VALUES ('all', $1, $2, now(), now(), 9000)`,
        [startedBy, state],
      );
    await made('owner-1', 'cancelled');
    expect((await nightly())['audit']?.state).toBe('differs');
    await made('cli:root', 'whole');
    expect((await nightly())['audit']).toMatchObject({ state: 'ok', seconds: 9 });
    const fullAudit = async (depth: string, days: number): Promise<string | undefined> => {
      await db.query(`UPDATE audit_run SET state = 'whole', depth = $1, started_at = now() - $2 * interval '1 day'`, [
        depth,
        days,
      ]);
      return (await nightly())['fullAudit']?.state;
    };
    expect([await fullAudit('full', 7), await fullAudit('full', 8), await fullAudit('anchors', 1)]).toEqual([
      'ok',
      'late',
      'unknown',
    ]);
  });

  it('lists channels with half hours of a day', async () => {
    const channels = await read<Response<typeof listChannelTraffic>>('viewer', '/today/channels');
    expect(channels.length).toBeGreaterThan(0);
    for (const { halfHours } of channels) expect(halfHours).toHaveLength(48);
  });
});
