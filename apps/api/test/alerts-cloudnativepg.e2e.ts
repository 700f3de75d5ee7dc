/**
 * What an installation sees whose PostgreSQL CloudNativePG keeps: a server whose log goes through that operator's own program. What takes Kubernetes,
 * when a backup was made or failed, is in infra/monitoring/alerts.test.yml alone.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cluster } from '../bench/cluster.js';
import { type TestApi, startApi } from './support/api.js';
import { onServer } from './support/database.js';
import type { Exposition } from './support/exposition.js';
import { runOperator } from './support/operator.js';
import { expectAlerts } from './support/promtool.js';
import { waitUntil } from './support/wait-until.js';

/** Once it is there, the archive takes what it is given: the operator's program is not on this machine, so until then it refuses everything. */
const opens = path.join(tmpdir(), `archive-${randomBytes(6).toString('hex')}`);

let cluster: Cluster;
let api: TestApi;

beforeAll(async () => {
  const archiving = ['archive_mode=on', `archive_command=/controller/manager wal-archive %p || test -e ${opens}`];
  cluster = await Cluster.create(['fsync=off', ...archiving]);
  api = await onServer(cluster.url, () => startApi());
});
afterAll(async () => {
  await api.stop();
  await cluster.destroy();
  await rm(opens, { force: true });
});

/** As the default queries of its exporter define them. */
const SHOWN = `
SELECT coalesce(extract(epoch FROM last_archived_time), -1)::float8 AS cnpg_pg_stat_archiver_last_archived_time,
  coalesce(extract(epoch FROM last_failed_time), -1)::float8 AS cnpg_pg_stat_archiver_last_failed_time,
  coalesce(extract(epoch FROM now() - last_archived_time), -1)::float8 AS cnpg_pg_stat_archiver_seconds_since_last_archival
FROM pg_stat_archiver`;

async function shown(): Promise<Exposition> {
  const [row = {}] = (await api.db.query<Record<string, number>>(SHOWN)).rows;
  const samples = Object.entries(row).map(([name, value]) => ({ name, labels: {}, value: Number(value) }));
  return { types: new Map(samples.map(({ name }) => [name, 'gauge'])), samples };
}

const archiver = async (): Promise<{ archived: number; failed: number }> => {
  const sql = 'SELECT archived_count::int AS archived, failed_count::int AS failed FROM pg_stat_archiver';
  const [row] = (await api.db.query<{ archived: number; failed: number }>(sql)).rows;
  return row ?? { archived: 0, failed: 0 };
};

describe('the log', () => {
  /** No worker shows figures here. */
  const beside = ['StateUnknown'];

  it('that the archive refuses, and takes when it is tried again', async () => {
    await api.db.query('SELECT pg_logical_emit_message(false, $1, $1), pg_switch_wal()', ['x']);
    await waitUntil(archiver, ({ failed }) => failed > 0);
    await expectAlerts(['CnpgArchivingFails'], { database: await shown() }, { beside });
    await writeFile(opens, '');
    // It waits for a minute after three failures, but not after it was asked for another file.
    await api.db.query('SELECT pg_logical_emit_message(false, $1, $1), pg_switch_wal()', ['x']);
    await waitUntil(archiver, ({ archived }) => archived > 0);
    await expectAlerts([], { database: await shown() }, { beside });
  });
});

describe('the doctor', () => {
  const doctor = (extra: Record<string, string> = {}, lang?: string) =>
    runOperator({ ...api.env, ...extra }, ['doctor'], lang);

  it('sends those who ask for backups to CloudNativePG', async () => {
    const { code, out } = await doctor();
    expect(out).toMatch(/^! Backup: CloudNativePG makes it, not this program: .*CnpgBackupLate/m);
    expect(out).toMatch(/^! Restore drill: this program restores no backup of CloudNativePG/m);
    expect(out).toMatch(/^– Daily close: last: never/m);
    expect(code).toBe(0);
    expect((await doctor({}, 'zh_CN.UTF-8')).out).toMatch(/^! 备份：由 CloudNativePG 完成/m);
  });

  it('but not where this program is to make them as well', async () => {
    const own = { BACKUP_URL: path.join(cluster.folder, 'backups'), BACKUP_KEY: randomBytes(32).toString('hex') };
    expect((await doctor(own)).out).toMatch(/^– Backup: last: never; run operator backup stream/m);
  });
});
