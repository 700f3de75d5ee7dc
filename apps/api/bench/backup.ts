/**
 * Full copy, restore to a second and drill of a ledger of BENCH_ROWS entries (a million), with as many other rows as make BENCH_GB gigabytes (none; 10
 * for the figures of docs/performance.md), in a cluster of its own. Needs POSTGRES_BIN_DIR.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { drill } from '../src/backup/drill.js';
import { archiveWal } from '../src/backup/wal-archive.js';
import { credentialsFor, give } from '../src/backup/local-server.js';
import { Replication } from '../src/backup/replication.js';
import { Repository } from '../src/backup/repository.js';
import { planRestore } from '../src/backup/restore-plan.js';
import { restoreServer } from '../src/backup/restore.js';
import { backupSettings, type BackupValues } from '../src/backup/settings.js';
import { storedBytes, takeCopy } from '../src/backup/take-copy.js';
import { loadConfig } from '../src/platform/config.js';
import { Cluster } from './cluster.js';
import { YEAR_DAYS } from './history.js';
import { withHistory } from './history-fixture.js';
import { type Report, type Settings, some } from './targets.js';

const GIGABYTE = 1e9;
const ROWS_AT_ONCE = 200_000;
/** Of log, written after the full copy, as a day of a busy product would. */
const LOG_BYTES = 1e9;

type Figures = {
  entries: number;
  /** Bytes: of the data folder, of the stored copy, of the log after it. */
  data: number;
  stored: number;
  log: number;
  /** Seconds of each. */
  copy: number;
  restore: { copy: number; log: number };
  drill: { copy: number; log: number; audit: number };
};

export async function benchBackup(settings: Settings): Promise<Report> {
  const rows = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
  const parent = path.resolve(process.env['BENCH_OUT'] ?? '.data/bench');
  mkdirSync(parent, { recursive: true });
  const base = process.env['BACKUP_WORK_DIR'] ?? parent;
  const cluster = await Cluster.create(['shared_buffers=256MB', 'max_wal_size=4GB'], base);
  try {
    return await withHistory(
      { ...settings, server: cluster.url },
      { rows, days: YEAR_DAYS },
      async (url) => report(await measure(cluster, url, settings)),
      '',
    );
  } finally {
    await cluster.destroy();
  }
}

async function measure(cluster: Cluster, url: string, { scale, log }: Settings): Promise<Figures> {
  await fill(url, Number(process.env['BENCH_GB'] ?? 0) * GIGABYTE);
  const work = path.join(cluster.folder, 'work');
  mkdirSync(work);
  give(work, credentialsFor(cluster.folder));
  const values = loadConfig({
    ...{ DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1' },
    APP_SECRET: randomBytes(32).toString('hex'),
    BACKUP_URL: path.join(cluster.folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WORK_DIR: work,
    POSTGRES_BIN_DIR: process.env['POSTGRES_BIN_DIR'] ?? '',
  }).read(backupSettings) as BackupValues;
  const repository = await Repository.open(values);
  const [archiving, stop] = await beginArchive(repository, cluster.url);
  log('full copy …');
  const [copy, seconds] = await timed(() =>
    takeCopy(repository, { values, replicationUrl: cluster.url, ownerUrl: url, given: {} }),
  );
  log('writing …');
  const wanted = some(LOG_BYTES, scale);
  const until = await writeLog(url, wanted);
  await reached(repository, until);
  stop.abort();
  await archiving;
  const moment = (date: Date): string => date.toISOString();
  log('restore to a second …');
  const folder = path.join(work, 'restored');
  const binDir = values.POSTGRES_BIN_DIR;
  const { server, seconds: restore } = await restoreServer(repository, await planRestore(repository, until, moment), {
    folder,
    binDir,
    durability: 'kept',
    onProgress: () => undefined,
  });
  await server.dispose();
  const data = await sizeOf(folder);
  await rm(folder, { recursive: true });
  log('drill …');
  const plan = await planRestore(repository, null, moment);
  const drilled = await drill(repository, plan, { values, timeZone: 'Asia/Shanghai' });
  if (drilled.audit.findings.length > 0) throw new Error('the restored ledger is not whole');
  return {
    entries: drilled.audit.entries,
    data,
    stored: storedBytes(copy),
    log: wanted,
    copy: seconds,
    restore,
    drill: drilled.seconds,
  };
}

/** Adds rows that are as random as those of the logs, which compress to a third or less, until the database has that size. */
async function fill(url: string, bytes: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('CREATE TABLE bench_rows (n bigint PRIMARY KEY, digest bytea, said text)');
    const sql = 'SELECT pg_database_size(current_database())::float8 AS n';
    for (let first = 0; Number((await client.query<{ n: number }>(sql)).rows[0]?.n) < bytes; first += ROWS_AT_ONCE)
      await client.query(
        `INSERT INTO bench_rows SELECT n, sha256(n::text::bytea), repeat('a translation of some length ', 6)
         FROM generate_series($1::bigint, $2::bigint) n`,
        [first, first + ROWS_AT_ONCE - 1],
      );
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Streams the log into the repository until it is stopped; resolves once that has begun. */
async function beginArchive(repository: Repository, url: string): Promise<[Promise<void>, AbortController]> {
  const stop = new AbortController();
  const replication = await Replication.open(url);
  const begun = Promise.withResolvers<void>();
  const archiving = archiveWal(replication, repository, {
    everySeconds: 1,
    signal: stop.signal,
    begin: 'now',
    onStart: () => begun.resolve(),
  }).finally(() => replication.close());
  await Promise.race([begun.promise, archiving]);
  return [archiving, stop];
}

/** Writes that much log, and returns a moment after it that lies before the last commit. */
async function writeLog(url: string, bytes: number): Promise<Date> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('CREATE TABLE bench_log (at timestamptz, filler text)');
    const start = (await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn')).rows[0]?.lsn;
    const sql = 'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::float8 AS n';
    while (Number((await client.query<{ n: number }>(sql, [start])).rows[0]?.n) < bytes)
      await client.query(
        `INSERT INTO bench_log SELECT now(), sha512(n::text::bytea)::text FROM generate_series(1, 10000) n`,
      );
    await sleep(1_100);
    const moment = new Date();
    await sleep(1_100);
    await client.query('DROP TABLE bench_log');
    return moment;
  } finally {
    await client.end();
  }
}

async function reached(repository: Repository, moment: Date): Promise<void> {
  for (;;) {
    const last = (await repository.reaches()).at(-1);
    if (last && new Date(last.at).getTime() > moment.getTime() + 1_500) return;
    await sleep(250);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const result = await work();
  return [result, (performance.now() - began) / 1_000];
}

async function sizeOf(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(path.join(parentPath, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

function report(figures: Figures): Report {
  const { entries, data, stored, log, copy, restore, drill: drilled } = figures;
  const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(2)} GB`;
  const speed = (bytes: number, seconds: number): string => `${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
  const line = (what: string, seconds: number, bytes: number): string =>
    `  ${what.padEnd(34)}${seconds.toFixed(1).padStart(9)} s  ${speed(bytes, seconds).padStart(9)}`;
  const text = [
    `Backup of ${entries.toLocaleString('en-US')} entries: ${gigabytes(data)} on the disk, ${gigabytes(stored)} stored, ${gigabytes(log)} of log since`,
    line('full copy', copy, data),
    line('restore to a second: unpacking', restore.copy, data),
    line('restore to a second: log', restore.log, log),
    line('drill: unpacking', drilled.copy, data),
    line('drill: log', drilled.log, log),
    `  ${'drill: audit'.padEnd(34)}${drilled.audit.toFixed(1).padStart(9)} s`,
  ].join('\n');
  return { text, json: figures, targets: [] };
}
