import pg from 'pg';
import { type ActionRecord, type Actor, appendAction, executeOn } from '../platform/action-chain.js';
import type { Config } from '../platform/config.js';
import { appConnection, OPERATOR_ROLE } from '../platform/database.js';

const LAST = `SELECT body::jsonb -> 'after' AS after FROM operator_action WHERE action = ? ORDER BY n DESC LIMIT 1`;

/**
 * Writes a line of the action log without the application: a backup needs nothing else of it. `isSaid`: nothing is written where this holds of the
 * last line of the action.
 */
export async function recordAction(
  config: Config,
  actor: Actor,
  what: ActionRecord,
  isSaid: (after: object) => boolean = () => false,
): Promise<void> {
  const { onConnect, ...connection } = appConnection(config, 'yiqiao-backup', OPERATOR_ROLE);
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await onConnect?.(client);
    await client.query('BEGIN');
    const execute = executeOn(client);
    const [last] = await execute<{ after: object | null }>(LAST, [what.action]);
    if (!isSaid(last?.after ?? {})) await appendAction(execute, actor, { ...what, at: new Date() });
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
