/**
 * Alerts about nights and payments fire by their real cause. Where that is only that time passes, the product has done the thing once, for real, and
 * its own row of it is dated back.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { Cluster } from '../bench/cluster.js';
import { credentialsFor, give } from '../src/backup/local-server.js';
import { Repository } from '../src/backup/repository.js';
import { backupSettings, type BackupValues } from '../src/backup/settings.js';
import { withApp } from '../src/operator/operator-app.js';
import { StartAuditRun } from '../src/operators/audits/audit-runs.js';
import { loadConfig } from '../src/platform/config.js';
import { closeDay, newSigningKey } from './support/closing.js';
import { onServer } from './support/database.js';
import { valueOf } from './support/exposition.js';
import { makeMain } from './support/family.js';
import { FakeGateway } from './support/fake-gateway.js';
import { type Measured, startMeasured } from './support/measured.js';
import { type Ran, runOperator } from './support/operator.js';
import { AMOUNT, notify, onlyGateway, placeOrder } from './support/orders.js';
import { expectAlerts } from './support/promtool.js';
import { beijing } from './support/statements.js';
import { waitUntil } from './support/wait-until.js';

let cluster: Cluster;
let gateway: FakeGateway;
let product: Measured;
let env: Record<string, string>;

const operator = (...args: string[]): Promise<Ran> => runOperator(env, args);

const whenStates = (states: Readonly<Record<string, string>>): ReturnType<Measured['moment']> =>
  waitUntil(
    product.moment,
    ({ worker }) =>
      worker !== null &&
      Object.entries(states).every(([task, state]) => valueOf(worker, 'yiqiao_nightly_state', { task, state }) === 1),
  );

/** Dates back what the action log says was done, which nobody but a superuser can; with negative hours as it was, so that the log is whole again. */
const age = (action: string, hours: number): Promise<unknown> =>
  product.api.db.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE operator_action SET body = replace(body, '"at":' || (body::jsonb ->> 'at'),
       '"at":' || (body::jsonb ->> 'at')::bigint - ${hours * 3_600_000}) WHERE action = '${action}'; COMMIT`,
  );

/** The first close, as it was made two nights ago, signed with a key that the worker lacks: without it nothing closes the days since. */
const closeEarlier = (): Promise<string[] | null> =>
  withApp(loadConfig({ ...env, CLOSE_SIGNING_KEY: newSigningKey() }), (app) => closeDay(app, -2));

beforeAll(async () => {
  cluster = await Cluster.create();
  gateway = await FakeGateway.open();
  product = await onServer(cluster.url, () => startMeasured({ ...onlyGateway(gateway.env), AUDIT_FULL_DAYS: '1' }));
  const folder = path.join(cluster.folder, 'work');
  await mkdir(folder);
  give(folder, credentialsFor(cluster.folder));
  env = {
    ...product.api.env,
    BACKUP_URL: path.join(cluster.folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WORK_DIR: folder,
    POSTGRES_BIN_DIR: process.env['POSTGRES_BIN_DIR'] ?? '',
  };
});
afterAll(async () => {
  await product.stop();
  gateway.close();
  await cluster.destroy();
});

describe('payments', () => {
  let no: string;

  it('whose message took ten minutes, and is the first that the process credits', async () => {
    ({ no } = await placeOrder(await makeMain(product.api)));
    gateway.pay(no, AMOUNT);
    const before = await product.moment();
    const message = gateway.notification(no, { gmt_payment: beijing(10) });
    expect(await notify(product, message)).toMatchObject({ text: 'success' });
    const now = await product.moment();
    await expectAlerts(['PaymentsCreditedLate'], now, { before, hours: 1 / 3 });
    // And no longer than it is news.
    await expectAlerts([], now);
  });

  it('that were given back on the gateway’s own pages', async () => {
    gateway.refundByHand(no, AMOUNT);
    expect(await operator('payments', 'reconcile')).toMatchObject({ code: 1 });
    const now = await whenStates({ reconciliation: 'differs' });
    await expectAlerts(['GatewaysDiffer'], now);
  });
});

describe('the nights', () => {
  it('an audit, a backup and a restore of it fire none', async () => {
    const commands = (await product.api.commandLine()).get(CommandBus);
    await commands.execute(new StartAuditRun({ scope: 'all', depth: 'full' }, { actor: 'system' }));
    expect(await operator('backup')).toMatchObject({ code: 0, err: '' });
    expect(await operator('drill')).toMatchObject({ code: 0, err: '' });
    const now = await whenStates({ audit: 'ok', backup: 'ok', drill: 'ok' });
    await expectAlerts([], now, { beside: ['GatewaysDiffer'] });
  });

  it('of which none was made since', async () => {
    expect(await closeEarlier()).toHaveLength(1);
    await product.api.db.query(
      `UPDATE audit_run SET created_at = created_at - interval '27 hours', started_at = started_at - interval '27 hours'`,
    );
    await age('backup.record', 27);
    await age('backup.drill', 51);
    const now = await whenStates({ audit: 'late', fullAudit: 'late', backup: 'late', drill: 'late', close: 'late' });
    await expectAlerts(['AuditLate', 'BackupLate', 'CloseLate', 'DrillLate', 'FullAuditLate'], now, {
      beside: ['GatewaysDiffer'],
    });
    await age('backup.record', -27);
    await age('backup.drill', -51);
  });

  it('a backup that its folder refuses, and then takes', async () => {
    const [full, away] = ['full', 'away'].map((name) => path.join(env['BACKUP_URL'] ?? '', name)) as [string, string];
    await rename(full, away);
    await writeFile(full, '');
    expect(await operator('backup')).toMatchObject({ code: 1 });
    const beside = ['GatewaysDiffer', 'AuditLate', 'FullAuditLate', 'CloseLate'];
    await expectAlerts(['BackupFailed'], await whenStates({ backup: 'failed' }), { beside });
    await rm(full);
    await rename(away, full);
    expect(await operator('backup')).toMatchObject({ code: 0 });
    await expectAlerts([], await whenStates({ backup: 'ok' }), { beside });
  });

  it('a backup that was damaged', async () => {
    const repository = await Repository.open(loadConfig(env).read(backupSettings) as BackupValues);
    const [piece] = (await repository.copies()).at(-1)?.pieces ?? [];
    const file = path.join(env['BACKUP_URL'] ?? '', piece?.name ?? '');
    const content = await readFile(file);
    content[5_000] = (content[5_000] ?? 0) ^ 1;
    await writeFile(file, content);
    expect(await operator('drill')).toMatchObject({ code: 1 });
    const now = await whenStates({ drill: 'failed', backup: 'ok' });
    await expectAlerts(['DrillFailed'], now, { beside: ['GatewaysDiffer', 'AuditLate', 'FullAuditLate', 'CloseLate'] });
  });
});
