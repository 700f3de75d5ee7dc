import pg from 'pg';
import { type Actor, appendAction, type ActionRecord } from '../platform/action-chain.js';
import type { Config } from '../platform/config.js';
import { appConnection, OPERATOR_ROLE } from '../platform/database.js';

/** Writes a line of the action log without the application: a backup needs nothing else of it. */
export async function recordAction(config: Config, actor: Actor, what: ActionRecord): Promise<void> {
  const { onConnect, ...connection } = appConnection(config, 'yiqiao-backup', OPERATOR_ROLE);
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await onConnect?.(client);
    await client.query('BEGIN');
    const execute = async <T extends object>(sql: string, values: readonly unknown[]): Promise<T[]> => {
      let at = 0;
      const { rows } = await client.query<T>(
        sql.replaceAll('?', () => `$${++at}`),
        [...values],
      );
      return rows;
    };
    await appendAction(execute, actor, { ...what, at: new Date() });
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
