import pg from 'pg';
import { type ActionRecord, type Actor, appendAction, executeOn } from '../platform/action-chain.js';
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
    await appendAction(executeOn(client), actor, { ...what, at: new Date() });
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
