import type { EntityManager } from '@mikro-orm/postgresql';
import * as migrations from '../../migrations/list.js';
import { ConfigurationError } from './configuration-error.js';

/** What is wrong; null: nothing. */
export type DatabaseProblem =
  'unreachable' | 'read-only' | 'disk-full' | 'wrong-role' | 'no-schema' | 'old-schema' | null;

/** Every migration that this version was built with. */
export const EXPECTED_MIGRATIONS: readonly string[] = Object.keys(migrations);

/**
 * Whether PostgreSQL takes and keeps what is written, and has the schema of this version or a later one: an older version stays ready while
 * a newer one is rolled out. Writes a message to the log of the database and waits for its commit, which changes nothing. Never rejects.
 */
export async function probeDatabase(em: EntityManager): Promise<DatabaseProblem> {
  try {
    const known = [`{${EXPECTED_MIGRATIONS.join(',')}}`];
    const [found] = await em.fork().execute<{ missing: string[] }[]>(PROBE, known);
    return found?.missing.length === 0 ? null : 'old-schema';
  } catch (error) {
    if (error instanceof ConfigurationError) return 'wrong-role';
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return BY_SQLSTATE[code] ?? 'unreachable';
  }
}

// Raw: functions of the server. The DELETE deletes nothing; a server that only reads refuses it, and the pool gives such connections up.
const PROBE = `
WITH refused AS (DELETE FROM idempotency_key WHERE false)
SELECT ARRAY(SELECT unnest(?::text[]) EXCEPT SELECT name FROM mikro_orm_migrations) AS missing,
  pg_logical_emit_message(true, 'yiqiao', '')`;

/** Undefined table and schema; a table of migrations whose names this version's migrator has not yet allowed to be read. */
const BY_SQLSTATE: Readonly<Record<string, DatabaseProblem>> = {
  '25006': 'read-only',
  '53100': 'disk-full',
  '42P01': 'no-schema',
  '3F000': 'no-schema',
  '42501': 'old-schema',
};
