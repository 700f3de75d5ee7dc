import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { uuid7 } from './uuid7.js';

/** The manager who makes a change, and the reason if one was given. */
export type Author = { readonly managerId: number; readonly reason: string | null };
/** Finds the author in the transaction of the change; throws when the name is not on the list. */
export type AuthorOf = (em: EntityManager) => Promise<Author>;

type Fields = Readonly<Record<string, unknown>>;
type Target = { readonly kind: 'plan' | 'channel' | 'config' | 'notice' | 'manager'; readonly id: string };

/** The id of the listed manager with this name; null when there is none. */
export async function findManager(em: EntityManager, name: string): Promise<number | null> {
  const [row] = await em.execute<{ id: string }[]>('SELECT id FROM manager WHERE name = ? AND listed', [name]);
  return row ? Number(row.id) : null;
}

/**
 * Records who changed `target`, when and why, and the changed fields before and after, in the transaction of `em`. Null stands for a target
 * that did not exist or no longer exists. Without a changed field nothing is recorded. The fields must not contain secrets.
 */
export async function recordChange(
  em: EntityManager,
  { managerId, reason }: Author,
  { target, before, after }: { target: Target; before: Fields | null; after: Fields | null },
): Promise<void> {
  const [was, is] = [plain(before), plain(after)];
  const names = Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(was?.[name], is?.[name]));
  if (names.length === 0) return;
  const only = (fields: Fields | null): string | null =>
    fields && JSON.stringify(Object.fromEntries(names.map((name) => [name, fields[name] ?? null])));
  await em.execute(
    `INSERT INTO manager_action (cmd_id, manager_id, target_kind, target_id, before, after, reason)
     VALUES (?, ?, ?, ?, ?::jsonb, ?::jsonb, ?)`,
    [uuid7(), managerId, target.kind, target.id, only(was), only(is), reason],
  );
}

/** As JSON stores it: a date becomes text. */
const plain = (fields: Fields | null): Fields | null => fields && (JSON.parse(JSON.stringify(fields)) as Fields);
