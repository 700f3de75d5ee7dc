import type { LedgerDifference } from '../audit/audit.js';
import type { Execute } from '../../platform/action-chain.js';

/** In ascending id, as every writer of the ledger locks. */
const LOCK = 'SELECT user_id FROM member_account WHERE family_id = ? ORDER BY user_id FOR NO KEY UPDATE';

/**
 * Makes a family read-only because of a difference, in the transaction of `execute`: commands that would write an entry for any of its
 * accounts refuse from its commit on, and those under way finish before. False if it is read-only already.
 */
export async function setReadOnly(
  execute: Execute,
  { familyId, runId, difference }: { familyId: number; runId: number; difference: LedgerDifference },
): Promise<boolean> {
  await execute(LOCK, [familyId]);
  const made = await execute(
    `INSERT INTO family_read_only (family_id, run_id, account, seq, what) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (family_id) WHERE lifted_at IS NULL DO NOTHING RETURNING id`,
    [familyId, runId, difference.userId, difference.seq, difference.field],
  );
  if (made.length === 0) return false;
  // Changes the rows, so that the writer's cache reads them again.
  await execute('UPDATE member_account SET read_only = true WHERE family_id = ?', [familyId]);
  return true;
}

/** Lets a family go on, in the transaction of `execute`. False if it is not read-only. */
export async function liftReadOnly(execute: Execute, familyId: number): Promise<boolean> {
  await execute(LOCK, [familyId]);
  const lifted = await execute(
    'UPDATE family_read_only SET lifted_at = clock_timestamp() WHERE family_id = ? AND lifted_at IS NULL RETURNING id',
    [familyId],
  );
  if (lifted.length === 0) return false;
  await execute('UPDATE member_account SET read_only = false WHERE family_id = ?', [familyId]);
  return true;
}
