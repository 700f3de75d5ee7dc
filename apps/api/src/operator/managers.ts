import { userInfo } from 'node:os';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import { commandIdOf } from '../platform/command-id.js';
import { type AuthorOf, findManager } from '../platform/manager-actions.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { uuid7 } from '../platform/uuid7.js';
import { sentence, type Typed } from './command-line.js';

export const NAME_MOST = 64;
const REASON_MOST = 500;

/** Who does something, and why. Of what is done to an account every member can read both in the account log (decisions §4). */
export type Motive = { manager: string; reason: string };

/** `--by` (or whoever is signed in to this machine) and `--reason`, which nobody may leave out. */
export function motiveOf(typed: Typed): Motive {
  const { manager, reason } = signatureOf(typed);
  if (reason === null)
    throw new UsageError({ zh: '缺少 --reason "原因"', en: '--reason "…" is missing: it is kept with what is done.' });
  return { manager, reason };
}

/** The same where a reason may be left out. */
function signatureOf(typed: Typed): { manager: string; reason: string | null } {
  const reason = typed.options.get('reason');
  return {
    manager: operatorName(typed),
    reason: reason === undefined ? null : sentence('--reason', reason, REASON_MOST),
  };
}

/** In whose name a change is made; reads what was typed at once, and the list of managers in the transaction of the change. */
export function authorOf(typed: Typed): AuthorOf {
  const { manager, reason } = signatureOf(typed);
  return async (em) => ({ managerId: await managerIdOf(em, manager), reason });
}

/** `--by`, else whoever is signed in to this machine. */
export const operatorName = (typed: Typed): string =>
  sentence('--by', typed.options.get('by') ?? systemUser(), NAME_MOST);

export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return process.env['USER'] ?? 'operator';
  }
}

/** The id of the manager with this name, on the connection of `em`. Throws CommandError, with what to do, for a name that is not on the list. */
export async function managerIdOf(em: EntityManager, name: string): Promise<number> {
  const id = await findManager(em, name);
  if (id !== null) return id;
  const names = await managerNames(em);
  if (names.length === 0)
    throw new CommandError({
      zh: `还没有操作员。请先登记第一位：npm run operator -- manager add ${quoted(name)}`,
      en: `There is no manager yet. Add the first one: npm run operator -- manager add ${quoted(name)}`,
    });
  const add = `npm run operator -- manager add ${quoted(name)} --by <…>`;
  throw new CommandError({
    zh: `${name} 不在操作员名单中。用 --by 指明名单中的一位（${names.join('、')}），或由其登记：${add}`,
    en: `${name} is not on the list of managers. Say --by with one who is (${names.join(', ')}), who may also add you: ${add}`,
  });
}

const quoted = (name: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;

/** Everybody on the list. */
export async function managerNames(em: EntityManager): Promise<string[]> {
  const rows = await em.execute<{ name: string }[]>('SELECT name FROM manager WHERE listed ORDER BY name');
  return rows.map(({ name }) => name);
}

/** With `--key` the same command id every time: it is applied once, for good. */
export function commandIdFor(what: 'adjust' | 'grant', typed: Typed): string {
  const key = typed.options.get('key');
  if (key === undefined) return uuid7();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(key))
    throw new UsageError({
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
