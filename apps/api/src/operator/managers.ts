import { userInfo } from 'node:os';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import { commandIdOf } from '../platform/command-id.js';
import { uuid7 } from '../platform/uuid7.js';
import { sentence, type Typed } from './command-line.js';
import { Misuse } from '../platform/speech.js';

const NAME_MOST = 64;
const REASON_MOST = 500;

/** Who does something to an account, and why: every member can read both in the account log (decisions §4). */
export type Motive = { manager: string; reason: string };

/** `--by` (or whoever is signed in to this machine) and `--reason`, which nobody may leave out. */
export function motiveOf(typed: Typed): Motive {
  const reason = typed.options.get('reason');
  if (reason === undefined)
    throw new Misuse({ zh: '缺少 --reason "原因"', en: '--reason "…" is missing: the member will read why.' });
  return {
    manager: operatorName(typed),
    reason: sentence('--reason', reason, REASON_MOST),
  };
}

/** `--by`, else whoever is signed in to this machine. */
export const operatorName = (typed: Typed): string =>
  sentence('--by', typed.options.get('by') ?? systemUser(), NAME_MOST);

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return process.env['USER'] ?? 'operator';
  }
}

/** The id of the operator with this name, who is written down when new; in the transaction of `em`. */
export async function managerIdOf(em: EntityManager, name: string): Promise<number> {
  await em.execute('INSERT INTO manager (name) VALUES (?) ON CONFLICT (name) DO NOTHING', [name]);
  const [row] = await em.execute<{ id: number }[]>('SELECT id FROM manager WHERE name = ?', [name]);
  return Number(row?.id);
}

/** With `--key` the same command id every time: it is applied once, for good. */
export function commandIdFor(what: 'adjust' | 'grant', typed: Typed): string {
  const key = typed.options.get('key');
  if (key === undefined) return uuid7();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(key))
    throw new Misuse({
      zh: '--key 为 1–64 位字母、数字、下划线或连字符',
      en: '--key has 1–64 letters, digits, _ or -.',
    });
  return commandIdOf(`operator:${what}:${key}`);
}

/** Why the entries of `cmdId` were written. False when it was written down before; throws when that was about another member. */
export async function recordAction(
  em: EntityManager,
  action: { cmdId: string; managerId: number; userId: number; familyId: number; reason: string },
): Promise<boolean> {
  const written = await em.execute<unknown[]>(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (cmd_id) DO NOTHING RETURNING cmd_id`,
    [action.cmdId, action.managerId, action.userId, action.familyId, action.reason],
  );
  if (written.length > 0) return true;
  const [row] = await em.execute<{ user_id: number }[]>('SELECT user_id FROM manager_action WHERE cmd_id = ?', [
    action.cmdId,
  ]);
  if (Number(row?.user_id) !== action.userId) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return false;
}
