import type pg from 'pg';
import { auditAccount, type LedgerDifference } from './audit-account.js';
import { openRows, type AuditRows } from './audit-rows.js';

export type { LedgerDifference } from './audit-account.js';

export type AuditProgress = { accounts: number; entries: number };
export type AuditResult = AuditProgress & { difference: LedgerDifference | null };

const EVERY_ENTRIES = 100_000;

/**
 * Replays every account from zero with the domain's own fold and compares it with its balance row, its hash chain, its open
 * holds and the translation log; stops at the first difference. Everything is read of one moment, in constant memory, while
 * the product goes on. `pool` gives three connections at once and may read every table.
 */
export async function auditLedger(
  pool: pg.Pool,
  { onProgress }: { onProgress?: (progress: AuditProgress) => void } = {},
): Promise<AuditResult> {
  const clients = [await pool.connect(), await pool.connect(), await pool.connect()] as const;
  let unread = true;
  try {
    await shareSnapshot(clients);
    const rows = await openRows([...clients]);
    const result = await replayAll(rows, onProgress);
    unread = result.difference !== null;
    if (!unread) await Promise.all(clients.map((client) => client.query('COMMIT')));
    return result;
  } finally {
    // A stream that was not read to its end would speak into whatever the connection did next.
    for (const client of clients) client.release(unread);
  }
}

async function shareSnapshot([first, ...others]: readonly pg.PoolClient[]): Promise<void> {
  const begin =
    'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL synchronize_seqscans = off';
  await first?.query(begin);
  const exported = await first?.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
  const id = exported?.rows[0]?.id.replaceAll(/[^0-9A-F-]/gi, '');
  for (const client of others) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET TRANSACTION SNAPSHOT '${id}'`);
    await client.query('SET LOCAL statement_timeout = 0');
  }
}

async function replayAll(rows: AuditRows, onProgress?: (progress: AuditProgress) => void): Promise<AuditResult> {
  const result: AuditResult = { accounts: 0, entries: 0, difference: null };
  let next = EVERY_ENTRIES;
  const count = (): void => {
    if (++result.entries < next) return;
    next += EVERY_ENTRIES;
    onProgress?.({ accounts: result.accounts, entries: result.entries });
  };
  for (; rows.accounts.head; await rows.accounts.shift()) {
    result.difference =
      orphan(rows, rows.accounts.head.userId) ?? (await auditAccount(rows.accounts.head, rows, count));
    if (result.difference) return result;
    result.accounts++;
  }
  result.difference = orphan(rows, Number.POSITIVE_INFINITY);
  onProgress?.({ accounts: result.accounts, entries: result.entries });
  return result;
}

/** An entry or a line of the translation log that belongs to no account. */
function orphan({ entries, usages }: AuditRows, nextUserId: number): LedgerDifference | null {
  const entry = entries.head?.entry;
  if (entry && entry.userId < nextUserId)
    return { userId: entry.userId, seq: entry.seq, field: 'account', expected: 'a row', found: 'none' };
  const usage = usages.head;
  if (usage && usage.userId < nextUserId)
    return { userId: usage.userId, seq: usage.entrySeq, field: 'account', expected: 'a row', found: 'none' };
  return null;
}
