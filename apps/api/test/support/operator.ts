import { execFile } from 'node:child_process';
import path from 'node:path';
import type pg from 'pg';
import { appendAction, executeOn } from '../../src/platform/action-chain.js';
import { findManager, type AuthorOf } from '../../src/platform/manager-actions.js';
import { systemUser } from '../../src/operator/managers.js';
import { asOperator, type OperatorTask } from '../../src/operator/operator-app.js';
import { loadConfig } from '../../src/platform/config.js';
import { runCommand } from './run-command.js';

/** Adds names to the list of managers, beside the user who runs the tests. */
export async function listManagers(db: pg.Pool, ...names: string[]): Promise<void> {
  await db.query(
    `INSERT INTO manager (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO UPDATE SET listed = true`,
    [[systemUser(), ...names]],
  );
}

/** The manager in whose name tests change documents and notices. */
export const tester: AuthorOf = async (em) => {
  const managerId = await findManager(em, systemUser());
  if (managerId === null) throw new Error('nobody is on the list of managers');
  return { managerId, reason: null };
};

/** Records the operator and reason of an adjustment, without which the audit would report it, as commands do. Returns the operator's id. */
export async function giveReason(db: pg.Pool, { cmdId, userId }: { cmdId: string; userId: number }): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO manager (name) VALUES ('tester') ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`,
  );
  const managerId = Number(rows[0]?.id);
  const { rowCount } = await db.query(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason)
     SELECT $1, $2, id, family_id, 'a test' FROM member WHERE id = $3 ON CONFLICT DO NOTHING`,
    [cmdId, managerId, userId],
  );
  if (rowCount === 1) await logAdjustment(db, { cmdId, userId });
  return managerId;
}

/** Writes the row of the action log that a command on an account leaves. */
export async function logAdjustment(db: pg.Pool, { cmdId, userId }: { cmdId: string; userId: number }): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    const target = { kind: 'member', id: String(userId) };
    const what = { action: 'quota.adjust', target, cmdId, at: new Date() } as const;
    await appendAction(executeOn(client), { actor: 'tester' }, what);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const program = path.resolve(import.meta.dirname, '../../dist/src/operator.js');

export type Ran = { code: number; out: string; err: string };

/** The built operator command as a separate process, on the stores of an api. */
export const runOperator = (env: Record<string, string>, args: string[], lang = 'en_US.UTF-8'): Promise<Ran> =>
  new Promise((resolve) => {
    const surroundings = { PATH: process.env['PATH'] ?? '', ...env, LOG_LEVEL: 'silent', LANG: lang };
    execFile(process.execPath, [program, ...args], { env: surroundings, timeout: 100_000 }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    );
  });

/** A command on an application of its own in this process, which starts several times faster than another process. */
export const runTask = (env: Record<string, string>, read: () => OperatorTask, locale?: string): Promise<Ran> =>
  runCommand(() => asOperator(loadConfig({ ...env, LOG_LEVEL: 'silent' }), read), locale);
