import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '@yiqiao/domain/limits';
import pg from 'pg';
import { auditLedger, type AuditResult } from '../ledger/ledger.js';
import { openPool, parseValues } from '../platform/database.js';
import { credentialsFor, give } from './local-server.js';
import { type Repository } from './repository.js';
import { restoreServer } from './restore.js';
import type { RestorePlan } from './restore-plan.js';
import type { BackupValues } from './settings.js';

const PREFIX = 'yiqiao-drill-';

export type DrillResult = {
  /** The state that was restored: everything committed until then. */
  restoredTo: Date;
  seconds: { copy: number; log: number; audit: number };
  audit: AuditResult;
};

/** Restores what `plan` says beside the running system, in a folder and a server of its own, audits it, and throws it away. */
export async function drill(
  repository: Repository,
  plan: RestorePlan,
  { values, timeZone }: { values: BackupValues; timeZone: string },
): Promise<DrillResult> {
  return withRestored(repository, plan, values, async (connection, seconds) => {
    const types = new pg.TypeOverrides();
    parseValues(types);
    const pool = openPool({ ...connection, types, max: 6 });
    const began = performance.now();
    try {
      const audit = await auditLedger(pool, { timeZone });
      return {
        restoredTo: plan.at ?? new Date(plan.reach?.at ?? plan.copy.stoppedAt),
        seconds: { ...seconds, audit: (performance.now() - began) / 1_000 },
        audit,
      };
    } finally {
      await pool.end();
    }
  });
}

/** Runs `work` on a restored server that is gone afterwards. */
export async function withRestored<T>(
  repository: Repository,
  plan: RestorePlan,
  values: BackupValues,
  work: (connection: pg.ClientConfig, seconds: { copy: number; log: number }) => Promise<T>,
): Promise<T> {
  const base = values.BACKUP_WORK_DIR ?? tmpdir();
  await removeAbandoned(base);
  const folder = await mkdtemp(path.join(base, PREFIX));
  const abandon = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', abandon);
  try {
    await chmod(folder, 0o700);
    give(folder, credentialsFor(base));
    const data = path.join(folder, 'data');
    const binDir = values.POSTGRES_BIN_DIR;
    const options = { folder: data, binDir, durability: 'thrown away', onProgress: () => undefined } as const;
    const { server, connection, seconds } = await restoreServer(repository, plan, options);
    try {
      return await work(connection, seconds);
    } finally {
      await server.dispose();
    }
  } finally {
    process.off('exit', abandon);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a killed process has left; none takes a day. */
async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(base, name);
    const found = await stat(folder).catch(() => null);
    if (found && Date.now() - found.mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true });
  }
}
