import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Clock } from '../../platform/clock.js';

// What readers of a log need to know of cold files (docs/decisions/0075).

/** The last entry of an account whose translations up to it are in cold files, and its time. */
export type Archived = { seq: number; at: Date };

/** Null: everything of the account is in the database. */
export async function archivedOf(em: EntityManager, userId: number): Promise<Archived | null> {
  const [row] = await em.execute<Archived[]>('SELECT seq, at FROM account_archive WHERE user_id = ?', [userId]);
  return row ?? null;
}

/** What a page of a member's log says of it; empty if everything is in the database. */
export async function archivedNote(
  em: EntityManager,
  userId: number,
  clock: Clock,
): Promise<{ archivedUntil?: string }> {
  const archived = await archivedOf(em, userId);
  return archived ? { archivedUntil: clock.toWire(archived.at) } : {};
}

/** Of an account, of a family, or of all. */
export type Whose = { userId: number } | { familyId: number } | 'all';

function latestOf(whose: Whose): [sql: string, values: number[]] {
  if (whose === 'all') return ['SELECT at FROM account_archive ORDER BY at DESC LIMIT 1', []];
  if ('userId' in whose) return ['SELECT at FROM account_archive WHERE user_id = ?', [whose.userId]];
  return [
    'SELECT max(h.at) AS at FROM account_archive h JOIN member_account a USING (user_id) WHERE a.family_id = ?',
    [whose.familyId],
  ];
}

/** From this moment on everything is in the database; null: there are no cold files. */
export async function archivedUntil(em: EntityManager, whose: Whose): Promise<Date | null> {
  const [row] = await em.execute<{ at: Date | null }[]>(...latestOf(whose));
  return row?.at ?? null;
}

/** Throws LEDGER_ARCHIVED if something that was written after `at` is in cold files: the ledger at that moment cannot be read. */
export async function requireInDatabase(
  em: EntityManager,
  { whose, at }: { whose: Whose; at: Date },
  clock: Clock,
): Promise<void> {
  const since = await archivedUntil(em, whose);
  if (since && at.getTime() < since.getTime()) refuseArchived(since, clock);
}

export function refuseArchived(since: Date, clock: Clock): never {
  throw new Refusal('LEDGER_ARCHIVED', { data: { since: clock.toWire(since) } });
}
