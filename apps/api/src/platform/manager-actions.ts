import { isDeepStrictEqual } from 'node:util';
import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager, QueryResult } from '@mikro-orm/postgresql';
import type { ActionName } from '@yiqiao/domain/operator-actions';
import { Refusal } from '@yiqiao/domain/errors';
import { uuid7 } from './uuid7.js';

const managerSchema = defineEntity({
  name: 'Manager',
  properties: {
    id: p.bigint('number').primary(),
    name: p.string(),
    /** Whether commands are accepted under this name. */
    listed: p.boolean().defaultRaw('true'),
    addedAt: p.datetime().defaultRaw('now()'),
  },
});

export class Manager extends managerSchema.class {}
managerSchema.setClass(Manager);

const actionSchema = defineEntity({
  name: 'ManagerAction',
  properties: {
    cmdId: p.uuid().primary(),
    managerId: p.bigint('number'),
    userId: p.bigint('number').strictNullable(),
    familyId: p.bigint('number').strictNullable(),
    targetKind: p.string().defaultRaw("'member'"),
    targetId: p.string().strictNullable(),
    before: p.json<object>().strictNullable(),
    after: p.json<object>().strictNullable(),
    reason: p.string().strictNullable(),
    doneAt: p.datetime().defaultRaw('now()'),
  },
});

/** A change by an operator. The action on a member shares its command id with the ledger entries, which hold the change. */
export class ManagerAction extends actionSchema.class {}
actionSchema.setClass(ManagerAction);

/** What the action log has of a change. */
export type LoggedChange = {
  readonly action: ActionName;
  readonly target?: { readonly kind: string; readonly id: string };
  readonly before?: object | null;
  readonly after?: object | null;
  readonly reason?: string | null;
};
/** The manager who makes a change, and the reason if one was given. `log` writes it into the action log, in its transaction. */
export type Author = {
  readonly managerId: number;
  readonly reason: string | null;
  readonly log?: (em: EntityManager, change: LoggedChange) => Promise<unknown>;
};
/** Finds the author in the transaction of the change; throws when the name is not on the list. */
export type AuthorOf = (em: EntityManager) => Promise<Author>;

type Fields = Readonly<Record<string, unknown>>;
type Target = { readonly kind: 'plan' | 'channel' | 'config' | 'notice' | 'manager' | 'invoice'; readonly id: string };

/** The id of the listed manager with this name; null when there is none. */
export async function findManager(em: EntityManager, name: string): Promise<number | null> {
  const manager = await em.findOne(Manager, { name, listed: true }, { disableIdentityMap: true });
  return manager?.id ?? null;
}

/** The name of a manager, present or former; empty for none. */
export async function findManagerName(em: EntityManager, id: number): Promise<string> {
  return (await em.findOne(Manager, { id }, { disableIdentityMap: true }))?.name ?? '';
}

/** Who changed it last; null when nobody has. */
export async function lastManagerOf(em: EntityManager, { kind, id }: Target): Promise<string | null> {
  const last = await em.findOne(
    ManagerAction,
    { targetKind: kind, targetId: id },
    { orderBy: { doneAt: 'desc' }, disableIdentityMap: true },
  );
  return last && findManagerName(em, last.managerId);
}

/** Adds a name to the list. Returns the manager's id; null when it was listed already. */
export async function addManager(em: EntityManager, name: string): Promise<number | null> {
  const added = await em
    .createQueryBuilder(Manager)
    .insert({ name })
    .onConflict('name')
    .merge({ listed: true })
    .where({ listed: false })
    .returning('id')
    .execute<{ id: number } | undefined>('get');
  return added ? Number(added.id) : null;
}

/**
 * Records who changed `target`, when and why, and the changed fields before and after, in the transaction of `em`. Null stands for a target
 * that did not exist or no longer exists. Without a changed field nothing is recorded. The fields must not contain secrets.
 */
export async function recordChange(
  em: EntityManager,
  { managerId, reason, log }: Author,
  { target, before, after }: { target: Target; before: Fields | null; after: Fields | null },
): Promise<void> {
  const [was, is] = [plain(before), plain(after)];
  const names = Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(was?.[name], is?.[name]));
  if (names.length === 0) return;
  const changed = (fields: Fields | null): object | null =>
    fields && Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  const change = { before: changed(was), after: changed(is), reason };
  await em.insert(ManagerAction, {
    cmdId: uuid7(),
    managerId,
    targetKind: target.kind,
    targetId: target.id,
    ...change,
  });
  await log?.(em, { action: `${target.kind}.change`, target, ...change });
}

/** As JSON stores it: a date becomes text. */
const plain = (fields: Fields | null): Fields | null => fields && (JSON.parse(JSON.stringify(fields)) as Fields);

/** Records the reason of a command's entries. False when it was recorded before; throws when that was for another member. */
export async function recordMemberAction(
  em: EntityManager,
  action: { cmdId: string; managerId: number; userId: number; familyId: number; reason: string },
): Promise<boolean> {
  const { affectedRows } = await em
    .createQueryBuilder(ManagerAction)
    .insert({ ...action, before: null, after: null })
    .onConflict('cmdId')
    .ignore()
    .execute<QueryResult>('run');
  if (affectedRows > 0) return true;
  const recorded = await em.findOne(ManagerAction, { cmdId: action.cmdId }, { disableIdentityMap: true });
  if (recorded?.userId !== action.userId) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return false;
}
