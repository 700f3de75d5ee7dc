/** Backups of a server of its own into a bucket that may refuse them: alerts fire by their real cause, and the doctor says how it stands. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Cluster } from '../bench/cluster.js';
import { Repository } from '../src/backup/repository.js';
import { backupSettings, type BackupValues } from '../src/backup/settings.js';
import { loadConfig } from '../src/platform/config.js';
import { Bucket } from './support/bucket.js';
import { onServer } from './support/database.js';
import { type Exposition, valueOf } from './support/exposition.js';
import { type Measured, startMeasured } from './support/measured.js';
import { runOperator } from './support/operator.js';
import { spawnProgram } from './support/process.js';
import { expectAlerts } from './support/promtool.js';
import { waitUntil } from './support/wait-until.js';

const CONNECTED = 'yiqiao_backup_stream_connected';
const AGE = 'yiqiao_backup_stream_behind_age_seconds';

let cluster: Cluster;
let bucket: Bucket;
let product: Measured;
let env: Record<string, string>;
let repository: Repository;
let streaming: ReturnType<typeof spawnProgram> | undefined;

const startStream = (): void => {
  streaming = spawnProgram('operator', { ...env, LOG_LEVEL: 'silent' }, ['backup', 'stream']);
};
const doctor = async (lang?: string): Promise<string> => (await runOperator(env, ['doctor'], lang)).out;
const backupIs = (state: string): ReturnType<Measured['moment']> =>
  product.whenWorker('yiqiao_nightly_state', (value) => value === 1, { task: 'backup', state });

beforeAll(async () => {
  cluster = await Cluster.create();
  bucket = await Bucket.open();
  product = await onServer(cluster.url, () => startMeasured());
  env = {
    ...product.api.env,
    ...bucket.env,
    BACKUP_URL: 's3://backups/yiqiao',
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WAL_SECONDS: '1',
  };
  repository = await Repository.open(loadConfig(env).read(backupSettings) as BackupValues);
});
afterAll(async () => {
  await streaming?.stop();
  await product.stop();
  bucket.close();
  await cluster.destroy();
});

it('an archive of the log that nobody asked for fires nothing', async () => {
  const now = await product.whenWorker('yiqiao_outbox_oldest_age_seconds', (value) => value >= 0);
  expect([...(now.worker?.types.keys() ?? [])].filter((name) => name.includes('backup_stream'))).toEqual([]);
  await expectAlerts([], now);
  expect(await doctor()).toMatch(/^– Archive of the log: has never run, so/m);
});

describe('a full copy', () => {
  it('that the bucket refuses', async () => {
    bucket.refuses = /\/full\//;
    startStream();
    await product.whenWorker(CONNECTED, (value) => value === 1);
    const now = await backupIs('failed');
    await expectAlerts(['BackupFailed'], now);
    expect(await doctor()).toMatch(/^✗ Backup: last: never; it has failed since \d{4}-/m);
    expect(await doctor('zh_CN.UTF-8')).toMatch(/^✗ 备份：上次：从未；\d{4}-.* 起备份失败/m);
    expect((await runOperator(env, ['backup'])).code).toBe(1);
    const { rows } = await product.api.db.query<{ failed: string }>(
      `SELECT body::jsonb #>> '{after,failed}' AS failed FROM operator_action WHERE action = 'backup.record'`,
    );
    // However often it is tried.
    expect(rows).toEqual([{ failed: 'QuotaExceeded' }]);
  });

  it('that it takes when it is tried again', async () => {
    bucket.refuses = undefined;
    await expectAlerts([], await backupIs('ok'));
    expect(await doctor()).toMatch(/^✓ Backup: last: \d{4}-/m);
  });
});

describe('the archive of the log', () => {
  it('that keeps up confirms only what is stored', async () => {
    const { rows } = await product.api.db.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
    const sql = `SELECT restart_lsn >= $1::pg_lsn AS stored FROM pg_replication_slots WHERE slot_name = 'yiqiao_backup'`;
    const confirmed = async () =>
      (await product.api.db.query<{ stored: boolean }>(sql, [rows[0]?.lsn])).rows[0]?.stored === true;
    await waitUntil(confirmed, Boolean);
    expect(await repository.wal()).not.toEqual([]);
    expect(await doctor()).toMatch(/^✓ Archive of the log: connected, \d+\.\d MiB behind$/m);
    expect(await doctor('zh_CN.UTF-8')).toMatch(/^✓ 日志归档：已连接，落后 \d+\.\d MiB$/m);
  });

  it('that was killed', async () => {
    await streaming?.stop();
    await expectAlerts(['BackupStreamStopped'], await product.whenWorker(CONNECTED, (value) => value === 0));
    expect(await doctor()).toMatch(/^! Archive of the log: not connected, \d+\.\d MiB behind: start operator backup/m);
  });

  it('whose log the bucket refuses waits, connected or not, and catches up', async () => {
    startStream();
    await product.whenWorker(CONNECTED, (value) => value === 1);
    bucket.refuses = /\/wal\//;
    const { worker } = await product.whenWorker(AGE, (value) => value > 10);
    expect(valueOf(worker as Exposition, 'yiqiao_backup_stream_behind_bytes')).toBeGreaterThan(0);
    bucket.refuses = undefined;
    await product.whenWorker(AGE, (value) => value === 0);
    await expectAlerts([], await product.whenWorker(CONNECTED, (value) => value === 1));
  });
});
