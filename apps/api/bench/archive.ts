/** Moving translations to cold files, and what the audit and the tables are then (docs/decisions/0075). Changes the database. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { openBackupStorage } from '../src/backup/backup.js';
import { entities } from '../src/entities.js';
import { archive, movable } from '../src/ledger/archive/archive.js';
import { type ArchiveContext, verifyArchives } from '../src/ledger/archive/verify-archives.js';
import { auditLedger, type AuditResult } from '../src/ledger/audit/audit.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { AccountBlocks } from '../src/ledger/time-machine/account-blocks.js';
import { LedgerDays } from '../src/ledger/trial-balance/ledger-days.js';
import { loadConfig } from '../src/platform/config.js';
import { makeClose } from './anchors.js';
import { rate, type Report, type Settings } from './targets.js';

const NOWHERE = { REDIS_URL: 'redis://none', SMTP_URL: 'smtp://none', APP_SECRET: '0'.repeat(64) };
const MEGABYTE = 1e6;

/** Seconds; bytes of both logs with their indexes, rewritten before and after. */
export type ArchiveFigures = {
  rows: number;
  accounts: number;
  entries: number;
  lines: number;
  coldBytes: number;
  tableBytes: [before: number, after: number];
  moving: number;
  verifying: number;
  audit: [before: number, after: number];
};

/** `url`: a database filled by loadHistory. */
export async function measureArchive(url: string, { log }: Settings): Promise<ArchiveFigures> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-cold-'));
  const { privateKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const backup = { BACKUP_URL: path.join(folder, 'backups'), BACKUP_KEY: randomBytes(32).toString('hex') };
  const config = loadConfig({ ...NOWHERE, ...backup, DATABASE_URL: url, CLOSE_SIGNING_KEY: privateKey });
  const keys = new CloseKeys(config);
  const owner = new pg.Pool({ connectionString: url, max: 8 });
  owner.on('error', () => undefined);
  const orm = new MikroORM(defineConfig({ clientUrl: url, entities }));
  const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const begun = performance.now();
    const result = await work();
    return [(performance.now() - begun) / 1_000, result];
  };
  const audit = async (): Promise<AuditResult> => {
    const result = await auditLedger(owner, { anchors: { keys, store: owner } });
    if (result.difference) throw new Error(`the bench's ledger is not whole: ${JSON.stringify(result.difference)}`);
    return result;
  };
  const tableBytes = async (): Promise<number> => {
    for (const table of ['account_log', 'translation_log']) await owner.query(`VACUUM (FULL, ANALYZE) ${table}`);
    const { rows } = await owner.query<{ n: string }>(
      `SELECT sum(pg_total_relation_size(relid)) AS n
       FROM unnest(ARRAY['account_log', 'translation_log']) log, pg_partition_tree(log::regclass)`,
    );
    return Number(rows[0]?.n);
  };
  try {
    await orm.connect();
    await makeClose(owner, keys);
    const blocks = new AccountBlocks(orm.em, config);
    for (const userId of await blocks.accountsBehind()) await blocks.catchUp(userId);
    await new LedgerDays(orm.em, config).catchUp();
    await audit();
    const sizeBefore = await tableBytes();
    const [auditBefore, { entries: rows }] = await timed(audit);
    const storage = await openBackupStorage(config);
    const context: ArchiveContext = { owner, storage, keys, timeZone: config.env.APP_TIMEZONE };
    const [moving, moved] = await timed(async () => archive(context, await movable(context, { before: new Date() })));
    log(`  ${rate(moved.entries)} entries of ${moved.accounts} accounts moved in ${moving.toFixed(1)} s`);
    const sizeAfter = await tableBytes();
    const [auditAfter] = await timed(audit);
    const [verifying, verified] = await timed(() => verifyArchives(context, {}));
    for (const finding of [...moved.findings, ...verified.findings]) throw new Error(JSON.stringify(finding));
    return {
      ...{ rows, accounts: moved.accounts, entries: moved.entries, lines: moved.lines, coldBytes: moved.bytes },
      ...{ tableBytes: [sizeBefore, sizeAfter], moving, verifying, audit: [auditBefore, auditAfter] },
    };
  } finally {
    await orm.close(true);
    await owner.end();
    await rm(folder, { recursive: true });
  }
}

export function reportArchive(figures: ArchiveFigures): Report {
  const { rows, accounts, entries, lines, coldBytes, tableBytes, moving, verifying, audit } = figures;
  const megabytes = (bytes: number): string => `${rate(bytes / MEGABYTE)} MB`;
  const text = [
    '',
    `cold files: ${rate(entries)} of ${rate(rows)} entries moved, with ${rate(lines)} lines, of ${accounts} accounts`,
    `  moving: written, proven, signed, removed               ${moving.toFixed(1)} s, ${rate(entries / moving)} entries/s`,
    `  cold files                                             ${megabytes(coldBytes)}`,
    `  both logs, before and after                            ${megabytes(tableBytes[0])}, ${megabytes(tableBytes[1])}`,
    `  full audit, before and after                           ${audit[0].toFixed(1)} s, ${audit[1].toFixed(1)} s`,
    `  verify-archive: these accounts from their first entry  ${verifying.toFixed(1)} s`,
  ].join('\n');
  return { text, json: figures, targets: [] };
}
