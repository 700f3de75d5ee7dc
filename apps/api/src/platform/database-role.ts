import type pg from 'pg';
import { ConfigurationError } from './configuration-error.js';

/** The setting that a connection was opened with. */
export type DatabaseSetting = 'DATABASE_URL' | 'LEDGER_DATABASE_URL' | 'STANDBY_DATABASE_URL';

/**
 * Rejects a new connection that does not work as `role`: a pooler drops the startup parameter that asks for it, and the login itself may
 * rewrite the ledger. Throws ConfigurationError.
 */
export const requireRole =
  (setting: DatabaseSetting, role: string) =>
  async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ role: string; login: string }>(
      'SELECT current_user AS role, session_user AS login',
    );
    const [who] = rows;
    if (who?.role === role) return;
    const login = who?.login ?? '';
    throw new ConfigurationError([
      `${setting}: works as ${who?.role ?? 'nobody'}, must work as ${role}; behind a pooler give it to the login: ALTER ROLE ${login} SET role = '${role}'`,
    ]);
  };

/** Rejects a login with more rights, which could undo its role by RESET ROLE and rewrite the ledger. Throws ConfigurationError. */
export async function requireLeastPrivilege(setting: DatabaseSetting, role: string, query: Query): Promise<void> {
  const [who] = await query(PRIVILEGES);
  const what = who?.superuser ? 'a superuser' : who?.owner ? 'the owner of the tables' : null;
  if (what === null) return;
  throw new ConfigurationError([
    `${setting}: signs in as ${what}, who could rewrite the ledger; name a login IN ROLE ${role} that owns nothing, and the owner in DATABASE_MIGRATION_URL`,
  ]);
}

type Query = (sql: string) => Promise<{ superuser: boolean; owner: boolean }[]>;

/** The privileges of the login, whatever its current role. Raw: system catalogs. */
const PRIVILEGES = `
SELECT r.rolsuper AS superuser, EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owner
FROM pg_roles r WHERE r.rolname = session_user`;

/** How to mend a refused connection, by SQLSTATE; null: nothing is wrong with the settings, as while PostgreSQL is away. */
export function refusedConnection(setting: DatabaseSetting, role: string, error: unknown): ConfigurationError | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const mend = MEND[code]?.(role);
  return mend === undefined ? null : new ConfigurationError([`${setting}: ${mend}`]);
}

const MEND: Readonly<Record<string, (role: string) => string>> = {
  '28000': () => 'PostgreSQL refuses this user from this address; see its pg_hba.conf',
  '28P01': () => 'PostgreSQL refuses this user with this password',
  '3D000': () => 'PostgreSQL has no database of this name; run `operator prepare` first',
  '42501': (role) => `the login is not a member of ${role}; as the owner: GRANT ${role} TO the login`,
  '42704': (role) => `PostgreSQL has no role ${role}; run \`operator prepare\` first`,
  '22023': (role) => `PostgreSQL has no role ${role}; run \`operator prepare\` first`,
};
