/** Backups for real (docs/decisions/0063): a cluster of its own is copied, its log archived, lost, and restored to a second. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { flushOrder } from '@yiqiao/contracts/orders';
import { Cluster } from '../bench/cluster.js';
import { Repository } from '../src/backup/repository.js';
import { removeOld } from '../src/backup/retention.js';
import { backupSettings, type BackupValues } from '../src/backup/settings.js';
import { loadConfig } from '../src/platform/config.js';
import { give, credentialsFor } from '../src/backup/local-server.js';
import { onServer } from './support/database.js';
import { Bucket } from './support/bucket.js';
import { makeMain } from './support/family.js';
import { runOperator, type Ran } from './support/operator.js';
import { openOrder, OrderFixture, orderOf } from './support/orders.js';
import { spawnProgram } from './support/process.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

let cluster: Cluster;
let fixture: OrderFixture;
let env: Record<string, string>;
let repository: Repository;
let streaming: ReturnType<typeof spawnProgram> | undefined;

const valuesOf = (given: Record<string, string>): BackupValues =>
  loadConfig(given).read(backupSettings) as BackupValues;
const operator = (args: string[], extra: Record<string, string> = {}): Promise<Ran> =>
  runOperator({ ...env, ...extra }, args);
const stored = (): string => env['BACKUP_URL'] ?? '';
const work = (): string => env['BACKUP_WORK_DIR'] ?? '';

const startStream = (): void => {
  streaming = spawnProgram('operator', { ...env, LOG_LEVEL: 'silent' }, ['backup', 'stream']);
};
const stopStream = async (): Promise<void> => {
  streaming?.terminate();
  await streaming?.exited;
  streaming = undefined;
};

const inDatabase = async <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> => {
  const client = new pg.Client(env['DATABASE_URL']);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
};

const charsOf = async ({ session }: TestMember): Promise<number> => {
  const sql = 'SELECT usable_char_num::int AS chars FROM member_account WHERE user_id = $1';
  return (await inDatabase<{ chars: number }>(sql, [session.userId]))[0]?.chars ?? -1;
};

const give10k = async (who: TestMember): Promise<void> => {
  const args = ['account', 'adjust', who.username, '--chars', '10000', '--reason', 'a test'];
  expect(await operator(args)).toMatchObject({ code: 0 });
};

/** The archive has everything that was committed before this call. */
async function archived(): Promise<void> {
  const [row] = await inDatabase<{ now: Date }>('SELECT clock_timestamp() AS now');
  const now = row?.now ?? new Date();
  await until(async () => {
    const last = (await repository.reaches()).at(-1);
    return last !== undefined && new Date(last.at) > now;
  });
}

/** In the clock's format. */
const wire = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' }).format(date);

const until = (isTrue: () => Promise<boolean>): Promise<boolean> => waitUntil(isTrue, Boolean);
const untilNextSecond = (): Promise<void> => sleep(1_050 - (Date.now() % 1_000));

beforeAll(async () => {
  cluster = await Cluster.create();
  fixture = await onServer(cluster.url, () => OrderFixture.open());
  const folder = path.join(cluster.folder, 'work');
  await mkdir(folder);
  give(folder, credentialsFor(cluster.folder));
  env = {
    ...fixture.api.env,
    LOG_LEVEL: 'silent',
    BACKUP_URL: path.join(cluster.folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WAL_SECONDS: '1',
    BACKUP_WORK_DIR: folder,
    POSTGRES_BIN_DIR: process.env['POSTGRES_BIN_DIR'] ?? '',
  };
  repository = await Repository.open(valuesOf(env));
});

afterAll(async () => {
  await stopStream();
  fixture.gateway.close();
  await cluster.destroy();
});

describe('a full copy', () => {
  it('holds the settings, and is noted for the console', async () => {
    const made = await operator(['backup']);
    expect(made).toMatchObject({ code: 0 });
    expect(made.out).toMatch(/^Full copy \d{8}T\d{6}Z: [\d.]+ MB, stored as [\d.]+ MB/);
    expect((await operator(['backup', 'list'])).out).toContain('18.');
    const into = path.join(cluster.folder, 'files');
    expect(await operator(['backup', 'files', '--into', into])).toMatchObject({ code: 0 });
    const settings = await readFile(path.join(into, 'settings.env'), 'utf8');
    expect(settings).toContain(`APP_SECRET="${env['APP_SECRET']}"`);
    expect(settings).toContain('ALIPAY_PRIVATE_KEY');
    expect(settings).not.toContain('BACKUP_KEY');
    const [row] = await inDatabase<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'backup.record' ORDER BY n DESC LIMIT 1`,
    );
    expect(JSON.parse(row?.body ?? '{}')).toMatchObject({ after: { bytes: expect.any(Number) as unknown } });
  });

  it('has nothing readable on the disk', async () => {
    for (const file of await readdir(stored(), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const content = await readFile(path.join(file.parentPath, file.name));
      expect(content.subarray(0, 4).toString('latin1')).toBe('YQBK');
      expect(content.includes('yiqiao')).toBe(false);
    }
  });

  it('does not count when it is killed in the middle, and the next one does', async () => {
    const before = (await repository.copies()).length;
    const killed = spawnProgram('operator', { ...env, LOG_LEVEL: 'silent' }, ['backup']);
    await until(async () => (await repository.unfinished()).length > 0);
    await killed.stop();
    expect(await repository.copies()).toHaveLength(before);
    expect(await repository.unfinished()).toHaveLength(1);
    await untilNextSecond();
    expect(await operator(['backup'])).toMatchObject({ code: 0 });
    expect(await repository.copies()).toHaveLength(before + 1);
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000);
    expect((await removeOld(repository, 3_650, inThreeDays)).copies).toHaveLength(1);
    expect(await repository.unfinished()).toEqual([]);
  });

  it('is refused for another cluster, and with another key', async () => {
    const wrong = { BACKUP_KEY: randomBytes(32).toString('hex') };
    const refused = await operator(['backup'], wrong);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/^The wrong BACKUP_KEY: cluster was encrypted with key [0-9a-f]{8}/);
    const other = await Cluster.create();
    try {
      const answer = await operator(['backup'], { BACKUP_DATABASE_URL: other.url });
      expect(answer).toMatchObject({ code: 1 });
      expect(answer.err).toContain('Another cluster');
    } finally {
      await other.destroy();
    }
  });
});

describe('a drill', () => {
  const counts = (): Promise<object[]> => {
    const tables = ['member', 'member_account', 'account_log', 'recharge_order', 'audit_run'];
    return inDatabase(`SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`);
  };

  it('is held by the worker, once a night', async () => {
    const drills = async (): Promise<number> => {
      const sql = `SELECT count(*)::int AS n FROM operator_action WHERE action = 'backup.drill'`;
      return (await inDatabase<{ n: number }>(sql))[0]?.n ?? 0;
    };
    const before = await drills();
    const time = wire(new Date()).slice(11, 16);
    const worker = spawnProgram('worker', { ...env, BACKUP_DRILL_AT: time });
    await until(async () => (await drills()) > before);
    worker.terminate();
    await worker.exited;
    expect(await drills()).toBe(before + 1);
  });

  it('restores and audits beside the running product, and leaves nothing but a line in the action log', async () => {
    const buyer = await makeMain(fixture.api);
    await fixture.buy(buyer);
    expect(await operator(['backup'])).toMatchObject({ code: 0 });
    const before = await counts();
    const done = await operator(['drill']);
    expect(done.err).toBe('');
    expect(done).toMatchObject({ code: 0 });
    expect(done.out).toMatch(/^Drill: restored the state of .* \(\d+ s ago\)/);
    expect(done.out).toMatch(/The restored ledger is whole: \d+ accounts, \d+ entries\./);
    expect(await counts()).toEqual(before);
    expect(await readdir(work())).toEqual([]);
    const [row] = await inDatabase<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'backup.drill' ORDER BY n DESC LIMIT 1`,
    );
    expect(JSON.parse(row?.body ?? '{}')).toMatchObject({ after: { differences: 0 } });
  });

  it('names a file that was changed, cut or lost, and notes that it failed', async () => {
    const [piece] = (await repository.copies()).at(-1)?.pieces ?? [];
    const file = path.join(stored(), piece?.name ?? '');
    const content = await readFile(file);
    const failing = async (message: string): Promise<void> => {
      const failed = await operator(['drill']);
      expect(failed).toMatchObject({ code: 1, out: '' });
      expect(failed.err).toBe(`This file of the backup is ${message}: ${piece?.name}\n`);
    };
    const altered = Buffer.from(content);
    altered[5_000] = (altered[5_000] ?? 0) ^ 1;
    await writeFile(file, altered);
    await failing('damaged or cut short');
    await writeFile(file, content);
    await truncate(file, content.length - 1);
    await failing('damaged or cut short');
    await rm(file);
    await failing('missing');
    await writeFile(file, content);
    expect(await readdir(work())).toEqual([]);
    const [row] = await inDatabase<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'backup.drill' ORDER BY n DESC LIMIT 1`,
    );
    expect(JSON.parse(row?.body ?? '{}')).toMatchObject({
      after: { failed: expect.stringContaining('missing') as unknown },
    });
  });
});

describe('a restore', () => {
  it('brings back a second: later writes are gone, and what was paid since is credited from the gateways', async () => {
    const { api, gateway } = fixture;
    const copies = (await repository.copies()).length;
    startStream();
    // The log of before it ran was not archived, so it begins with a copy of its own.
    await until(async () => (await repository.copies()).length > copies);
    const [early, late, bystander] = [await makeMain(api), await makeMain(api), await makeMain(api)];
    await give10k(bystander);
    const waiting = await openOrder(api, early, { payChannel: 'ALI_NATIVE' });
    const { no, amount } = await orderOf(api, waiting);
    await untilNextSecond();
    const moment = wire(new Date());
    const then = { early: await charsOf(early), late: await charsOf(late), bystander: await charsOf(bystander) };
    await untilNextSecond();

    await give10k(bystander);
    gateway.pay(no, amount);
    await early.client.call(flushOrder, { id: String(waiting) });
    const { no: lateNo } = await fixture.buy(late);
    const stranger = await makeMain(api);
    const { no: strangerNo } = await fixture.buy(stranger);
    const bought = { early: await charsOf(early), late: await charsOf(late) };
    expect(bought.early).toBeGreaterThan(then.early);
    await archived();

    const restore = ['restore', '--into', cluster.data, '--to', moment];
    const refused = await operator(restore);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/^Stop api, worker, operators and backup first; still running: .*yiqiao/);

    const inUse = await operator(restore, {
      DATABASE_URL: 'postgresql://yiqiao@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect(inUse).toMatchObject({ code: 1 });
    expect(inUse.err).toMatch(/^PostgreSQL runs in .*: stop it first/);

    const redis = new Redis(env['REDIS_URL'] ?? '');
    await redis.set(`${env['REDIS_PREFIX']}:deliveries:of-a-future`, '1');
    await redis.set('another:installation', '1');
    await api.app.close();
    await api.db.end();
    await stopStream();
    await cluster.stop();

    const restored = await operator(restore);
    expect(restored.err).toBe('');
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.out).toContain(`Restored to ${moment}`);
    expect((await readdir(cluster.folder)).filter((name) => name.startsWith('data.before-'))).toHaveLength(1);
    await cluster.start();
    expect(await charsOf(early)).toBe(then.early);
    expect(await charsOf(late)).toBe(then.late);
    expect(await charsOf(bystander)).toBe(then.bystander);
    expect(await charsOf(stranger)).toBe(-1);

    const finished = await operator(['restore', 'finish']);
    expect(finished.err).toBe('');
    expect(finished).toMatchObject({ code: 0 });
    expect(finished.out).toContain(`entered again: ${lateNo}`);
    expect(finished.out).toContain(`Decide about order ${strangerNo} yourself`);
    expect(finished.out).toContain('2 orders credited now');
    expect(finished.out).toMatch(/The ledger is whole/);
    expect({ early: await charsOf(early), late: await charsOf(late) }).toEqual(bought);
    expect(await charsOf(bystander)).toBe(then.bystander);
    expect(await redis.get(`${env['REDIS_PREFIX']}:deliveries:of-a-future`)).toBeNull();
    expect(await redis.getdel('another:installation')).toBe('1');
    redis.disconnect();
    expect(await readdir(work())).toEqual([]);
    const [row] = await inDatabase<{ n: number }>(
      `SELECT count(*)::int AS n FROM operator_action WHERE action = 'backup.restore'`,
    );
    expect(row?.n).toBe(1);
  });

  it('goes on with the new timeline, of which the newest state can be restored again', async () => {
    const copies = (await repository.copies()).length;
    startStream();
    await until(async () => (await repository.copies()).length > copies);
    expect((await repository.copies()).at(-1)).toMatchObject({ stopTimeline: 2 });
    await inDatabase('CREATE TABLE last_words (said text)');
    await inDatabase(`INSERT INTO last_words VALUES ('kept')`);
    await archived();
    await streaming?.stop();
    await cluster.stop();
    await rm(cluster.data, { recursive: true });
    const restored = await operator(['restore', '--into', cluster.data]);
    expect(restored.err).toBe('');
    expect(restored).toMatchObject({ code: 0 });
    await cluster.start();
    expect(await inDatabase('SELECT said FROM last_words')).toEqual([{ said: 'kept' }]);
    await inDatabase('DROP TABLE last_words');
    expect(await operator(['restore', 'finish'])).toMatchObject({ code: 0 });
  });

  it('says which moments it can restore', async () => {
    const into = path.join(cluster.folder, 'elsewhere');
    const early = await operator(['restore', '--into', into, '--to', '2020-01-01 00:00:00']);
    expect(early).toMatchObject({ code: 1 });
    expect(early.err).toMatch(/^The earliest moment that can be restored is \d{4}-/);
    const late = await operator(['restore', '--into', into, '--to', '2099-01-01 00:00:00']);
    expect(late).toMatchObject({ code: 1 });
    expect(existsSync(into)).toBe(false);
    expect(await operator(['restore', '--to', '2099-01-01 00:00:00'])).toMatchObject({ code: 2 });
    expect(await operator(['restore', '--into', into, '--to', 'yesterday'])).toMatchObject({ code: 2 });
  });
});

describe('a bucket', () => {
  it('takes a copy and gives it back, to whoever has its keys', async () => {
    const bucket = await Bucket.open();
    try {
      const there = { ...bucket.env, BACKUP_URL: 's3://backups/yiqiao' };
      bucket.busyFor = 2;
      expect(await operator(['backup'], there)).toMatchObject({ code: 0, err: '' });
      expect(await operator(['drill'], there)).toMatchObject({ code: 0, err: '' });
      const remote = await Repository.open(valuesOf({ ...env, ...there }));
      for (const at of [1, 2, 3, 4]) await remote.writeWal(`part-${at}`, randomBytes(10));
      expect(await remote.wal()).toHaveLength(4);
      const [copy] = await remote.copies();
      const stranger = await Repository.open(valuesOf({ ...env, ...there, BACKUP_S3_SECRET: 'guessed' }));
      await expect(stranger.copies()).rejects.toThrow('SignatureDoesNotMatch');
      await expect(stranger.writeWal('part-5', randomBytes(10))).rejects.toThrow('SignatureDoesNotMatch');
      await remote.removeCopy(copy?.id ?? '');
      expect(await remote.copies()).toEqual([]);
      expect(await remote.unfinished()).toEqual([]);
      expect(await remote.read('full/nothing')).toBeNull();
      expect([...bucket.objects.keys()].every((name) => name.startsWith('yiqiao/'))).toBe(true);
    } finally {
      bucket.close();
    }
  });
});

describe('the archive', () => {
  it('takes a new copy at once where the server has removed what comes next', async () => {
    const copies = (await repository.copies()).length;
    await inDatabase(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT temporary`);
    for (let at = 0; at < 6; at++) {
      await inDatabase('SELECT pg_logical_emit_message(false, $1, repeat($1, 1000000)), pg_switch_wal()', ['x']);
      await inDatabase('CHECKPOINT');
    }
    startStream();
    await until(async () => (await repository.copies()).length > copies);
    await archived();
    expect(await operator(['drill'])).toMatchObject({ code: 0 });
    await stopStream();
  });
});

describe('the retention', () => {
  it('removes old copies with the log before the oldest that is kept, and the rest can be restored', async () => {
    await operator(['backup']);
    const all = await repository.copies();
    const removed = await removeOld(repository, 1, new Date(Date.now() + 2 * 86_400_000));
    expect(removed.copies).toHaveLength(all.length - 1);
    expect(await repository.copies()).toEqual(all.slice(-1));
    expect(removed.segments).toBeGreaterThan(0);
    expect(await operator(['drill'])).toMatchObject({ code: 0 });
  });
});
