import type { ActionName } from '@yiqiao/domain/operator-actions';
import { hash } from 'node:crypto';
import type pg from 'pg';

/** Who acts: an operator in a session, the command line of a system user, or the product itself. */
export type Actor = {
  /** The operator's name, `cli:<system user>` or `system`. */
  readonly actor: string;
  readonly ip?: string;
  /** The first digits of the session's digest. */
  readonly session?: string;
  readonly requestId?: string;
};

/** `before` and `after` hold only what changed, and never a secret. */
export type ActionRecord = {
  readonly action: ActionName;
  readonly target?: { readonly kind: string; readonly id: string };
  readonly before?: object | null;
  readonly after?: object | null;
  readonly reason?: string | null;
  /** The approved request that it carries out. */
  readonly approvalId?: number;
  /** The command whose ledger entries it made. */
  readonly cmdId?: string;
};

/** Runs a statement with `?` for its values in an open transaction. */
export type Execute = <T extends object>(sql: string, values: readonly unknown[]) => Promise<T[]>;

/** The same on a connection of the driver alone. */
export const executeOn =
  (client: pg.ClientBase): Execute =>
  async <T extends object>(sql: string, values: readonly unknown[]): Promise<T[]> => {
    let at = 0;
    const numbered = sql.replaceAll('?', () => `$${++at}`);
    return (await client.query<T>(numbered, [...values])).rows;
  };

/** The hash before the first action. */
export const FIRST_ACTION_HEAD = '0'.repeat(64);

/** The link of an action in the chain, in hex. */
export const actionHash = (head: string, body: string): string =>
  hash('sha256', Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(body)]), 'hex');

/** Appends one action in the transaction of `execute`; others wait until it ends. Raw: the columns are generated from the body. */
export async function appendAction(
  execute: Execute,
  { actor, ...from }: Actor,
  { at, ...what }: ActionRecord & { at: Date },
): Promise<number> {
  await execute("SELECT pg_advisory_xact_lock(hashtextextended('operator actions', 0))", []);
  const [last] = await execute<{ n: number; hash: string }>(
    `SELECT n, encode(hash, 'hex') AS hash FROM operator_action ORDER BY n DESC LIMIT 1`,
    [],
  );
  const n = Number(last?.n ?? 0) + 1;
  const body = JSON.stringify({ n, at: at.getTime(), actor, ...what, ...from });
  const link = actionHash(last?.hash ?? FIRST_ACTION_HEAD, body);
  await execute(`INSERT INTO operator_action (n, body, hash) VALUES (?, ?, decode(?, 'hex'))`, [n, body, link]);
  return n;
}
