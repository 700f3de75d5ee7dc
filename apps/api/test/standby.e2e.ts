/** Reports, downloads and audits on a real hot standby, and on the primary when it cannot be used (docs/decisions/0068). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { exportLoginLogs } from '@yiqiao/contracts/login-log';
import { exportTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import pg from 'pg';
import { Cluster } from '../bench/cluster.js';
import { StartAuditRun } from '../src/operators/audits/audit-runs.js';
import { RunAudit } from '../src/operators/audits/run-audit.js';
import { SearchMembers } from '../src/operators/members/search-members.js';
import { loadConfig } from '../src/platform/config.js';
import { APP_ROLE } from '../src/platform/database.js';
import type { HealthReport } from '../src/platform/health.js';
import { Standby } from '../src/platform/standby.js';
import { StandbyServer } from '../src/platform/standby-server.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf } from './support/client.js';
import { onServer } from './support/database.js';
import { makeMain, setChars } from './support/family.js';
import { runOperator } from './support/operator.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

let primary: Cluster;
let replica: Cluster;
let api: TestApi;
let standby: Standby;
let member: TestMember;
/** A superuser at the standby. */
let there: pg.Pool;

const WAIT_MS = 20_000;
const onStandby = (url: string): Record<string, string> => ({
  STANDBY_DATABASE_URL: replica.at(url),
  STANDBY_WAIT_MS: String(WAIT_MS),
  STANDBY_LAG_SECONDS: '3600',
});

beforeAll(async () => {
  primary = await Cluster.create(['fsync=off']);
  replica = await primary.standby(['logging_collector=on', 'log_connections=on']);
  api = await onServer(primary.url, () => startApi(onStandby));
  standby = api.app.get(Standby);
  there = new pg.Pool({ connectionString: replica.at(api.env['DATABASE_URL'] ?? ''), max: 1 });
  there.on('error', () => undefined);
  member = await makeMain(api);
});

afterAll(async () => {
  await there.end();
  await api.stop();
  await replica.destroy();
  await primary.destroy();
});

/** The last statements of the product's pool at the standby. */
const readThere = async (): Promise<string> => {
  const { rows } = await there.query<{ query: string }>(
    `SELECT query FROM pg_stat_activity WHERE application_name = 'yiqiao' AND datname = current_database()`,
  );
  return rows.map(({ query }) => query).join('\n');
};
const port = async (): Promise<number> =>
  standby.read(async (em) => {
    const [row] = await em.execute<{ port: number }[]>('SELECT inet_server_port() AS port');
    return Number(row?.port);
  });
const portOf = (cluster: Cluster): number => Number(new URL(cluster.url).port);
const health = async (): Promise<HealthReport['parts']['standby']> => {
  const answer = await fetch(`${api.url}/health`);
  return ((await answer.json()) as HealthReport).parts.standby;
};
/** Connections of this name that were opened at the standby. */
async function connectionsNamed(name: string): Promise<number> {
  const folder = path.join(replica.data, 'log');
  const logs = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')));
  return logs.join('').split(`application_name=${name}`).length - 1;
}
/** Exactly so many, once the server's log has been written: a process of its own does that. */
async function opened(name: string, count: number): Promise<void> {
  const found = await waitUntil(
    () => connectionsNamed(name),
    (n) => n >= count,
  );
  expect(found).toBe(count);
}
/** The lines of a download, its headings first. */
async function linesOf(who: TestMember, endpoint: Endpoint): Promise<string[]> {
  const answer = await fetch(`${api.url}${BASE_PATH}${endpoint.path}`, { headers: headersOf(who.session) });
  expect(answer.status).toBe(200);
  return (await answer.text()).trim().split('\r\n');
}
const entries = (who: TestMember): Promise<string[]> => linesOf(who, exportAccountLogs);
const pause = (): Promise<unknown> => there.query('SELECT pg_wal_replay_pause()');
const resume = (): Promise<unknown> => there.query('SELECT pg_wal_replay_resume()');

describe('while it replays', () => {
  it('is read from, and health says how far it is behind', async () => {
    expect(await port()).toBe(portOf(replica));
    expect(await health()).toMatchObject({ state: 'ok', lagSeconds: expect.any(Number) as unknown });
  });

  it('serves the downloads of a member', async () => {
    await member.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
    expect(await entries(member)).toHaveLength(3);
    expect(await readThere()).toContain('account_log');
    expect(await linesOf(member, exportTranslationLogs)).toHaveLength(2);
    expect(await readThere()).toContain('translation_log');
    expect(await linesOf(member, exportLoginLogs)).toHaveLength(2);
    expect(await readThere()).toContain('login_log');
  });

  it('serves the search of operators, at once with what was just done', async () => {
    const queries = (await api.commandLine()).get(QueryBus);
    const fresh = await makeMain(api);
    const request = { query: fresh.username, pageNum: 1, pageSize: 10 };
    const { rows } = await queries.execute(new SearchMembers(request));
    expect(rows).toMatchObject([{ userId: fresh.session.userId }]);
    expect(await readThere()).toContain('own_member');
  });

  it('makes a download wait until it has what the member has just done', async () => {
    const before = (await entries(member)).length;
    await pause();
    await setChars(api, member.session.userId, 4_000);
    const download = entries(member);
    let isDone = false;
    void download.then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(isDone).toBe(false);
    await resume();
    expect(await download).toHaveLength(before + 1);
    expect(await readThere()).toContain('account_log');
  });

  it('is audited there from one snapshot, and the run is recorded at the primary', async () => {
    const app = await api.commandLine();
    const { id } = await app
      .get(CommandBus)
      .execute(new StartAuditRun({ scope: 'all', depth: 'full' }, { actor: 'cli:test' }));
    const before = await connectionsNamed('yiqiao-audit');
    await app.get(CommandBus).execute(new RunAudit(id));
    await opened('yiqiao-audit', before + 5);
    const { rows } = await api.db.query('SELECT state FROM audit_run WHERE id = $1', [id]);
    expect(rows).toEqual([{ state: 'whole' }]);
  });

  it('is audited there from the command line, recorded at the primary', async () => {
    const before = await connectionsNamed('yiqiao-ledger-audit');
    const { code, out, err } = await runOperator(api.env, ['ledger', 'audit']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/The ledger is intact/);
    await opened('yiqiao-ledger-audit', before + 5);
    const { rows } = await api.db.query('SELECT state FROM audit_run ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ state: 'whole' }]);
  });

  it('is right for the doctor', async () => {
    const { out } = await runOperator(api.env, ['doctor']);
    expect(out).toMatch(/✓ Standby: a standby, [\d.]+ s behind/);
    const none = await runOperator({ ...api.env, STANDBY_DATABASE_URL: api.env['DATABASE_URL'] ?? '' }, ['doctor']);
    expect(none.out).toContain('✗ Standby: STANDBY_DATABASE_URL is no standby of DATABASE_URL');
    const away = await runOperator({ ...api.env, STANDBY_DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' }, ['doctor']);
    expect(away.out).toContain('✗ Standby: STANDBY_DATABASE_URL cannot be reached (ECONNREFUSED)');
  });
});

describe('the primary is read from', () => {
  /** Another process with other settings. */
  const server = (settings: Record<string, string>): StandbyServer =>
    new StandbyServer(
      loadConfig({ ...api.env, ...settings }),
      APP_ROLE,
      async <T>(sql: string) => (await api.db.query(sql)).rows as T[],
    );

  it('when the standby is too far behind, which health says', async () => {
    const impatient = server({ STANDBY_LAG_SECONDS: '1', STANDBY_WAIT_MS: '1' });
    expect(await impatient.state()).toEqual({ problem: null, lagSeconds: expect.any(Number) as unknown });
    await pause();
    try {
      await setChars(api, member.session.userId, 3_000);
      // Not behind by the bound yet, but without what was just done.
      expect(await impatient.hasCaughtUp()).toBe(false);
      const state = await waitUntil(
        () => impatient.state(),
        (now) => now?.problem === 'behind',
      );
      expect(state?.lagSeconds).toBeGreaterThan(1);
    } finally {
      await resume();
      await impatient.close();
    }
  });

  it('when it is another server than a standby of the primary', async () => {
    const wrong = server({ STANDBY_DATABASE_URL: api.env['DATABASE_URL'] ?? '' });
    expect(await wrong.state()).toEqual({ problem: 'foreign', lagSeconds: null });
    expect(await wrong.pool('x', 1)).toBeNull();
    await wrong.close();
  });

  it('when the standby goes away in the middle of a report, and while it is away', async () => {
    let tries = 0;
    const answer = await standby.read(async (em) => {
      if (tries++ === 0) await replica.stop();
      const [row] = await em.execute<{ port: number }[]>('SELECT inet_server_port() AS port');
      return Number(row?.port);
    });
    expect({ answer, tries }).toEqual({ answer: portOf(primary), tries: 2 });
    const before = (await entries(member)).length;
    await setChars(api, member.session.userId, 2_000);
    expect(await entries(member)).toHaveLength(before + 1);
    expect(await health()).toMatchObject({ state: 'degraded', why: 'away' });
    const { code } = await runOperator(api.env, ['ledger', 'audit']);
    expect(code).toBe(0);
    await replica.start();
    expect(await waitUntil(port, (now) => now === portOf(replica))).toBe(portOf(replica));
    expect(await waitUntil(health, ({ state }) => state === 'ok')).toMatchObject({ state: 'ok' });
  });

  it('when the standby goes away in the middle of an audit, which goes on', async () => {
    const bus = (await api.commandLine()).get(CommandBus);
    const { id } = await bus.execute(new StartAuditRun({ scope: 'all', depth: 'full' }, { actor: 'cli:test' }));
    const locking = new pg.Client(api.env['DATABASE_URL']);
    await locking.connect();
    try {
      // The standby replays the lock, so the audit waits there in the middle of its work.
      await locking.query('BEGIN');
      await locking.query('LOCK TABLE account_log IN ACCESS EXCLUSIVE MODE');
      const audit = bus.execute(new RunAudit(id));
      const waiting = async (): Promise<number> => {
        const { rows } = await there.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'yiqiao-audit' AND wait_event_type = 'Lock'`,
        );
        return rows[0]?.n ?? 0;
      };
      expect(await waitUntil(waiting, (n) => n > 0)).toBeGreaterThan(0);
      await replica.stop();
      await locking.query('ROLLBACK');
      await audit;
    } finally {
      await locking.end();
    }
    const { rows } = await api.db.query('SELECT state FROM audit_run WHERE id = $1', [id]);
    expect(rows).toEqual([{ state: 'whole' }]);
  });
});
