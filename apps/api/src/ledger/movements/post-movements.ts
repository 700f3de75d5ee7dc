import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry } from '@yiqiao/domain/ledger';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { listOf } from '../rows/columns.js';
import { ENTRY_COLUMNS, entryOf, type ChainedEntry } from '../rows/entry-rows.js';
import { lockAccounts, type AccountView, type LockedAccounts, type Which } from './locked-accounts.js';
import { moveAccount, mustStayCovered } from '../rows/move-account.js';
import { movedRows } from '../writer/moved-rows.js';
import { OpenHolds, releaseHolds } from './open-holds.js';
import { sameAsBefore, type Posting } from './posting.js';

/** Looks at locked accounts (ascending id; `now` is the database's clock, ms) and says how they move. May throw a Refusal. */
export type Rule = (accounts: readonly AccountView[], now: number) => Posting[];

/** `releaseHolds`: the accounts whose open holds are given back first, because nobody will settle them. */
export type MoveCommand = { cmdId: string; releaseHolds?: readonly number[] };

/** See Ledger.postAll. */
export async function postMovements(
  em: EntityManager,
  postings: Posting[],
  { cmdId }: { cmdId: string },
): Promise<Entry[]> {
  const userIds = postings.map((posting) => posting.userId);
  if (new Set(userIds).size !== userIds.length) throw new Error('a command moves each account once');
  const locked = await lockAccounts(em, { userIds });
  const earlier = await readEntries(em, [...locked.accounts.keys()], cmdId);
  if (earlier.size > 0) return postings.map((posting) => sameAsBefore(posting, earlier.get(posting.userId)));
  return write(em, postings, { ...locked, cmdId, released: [] });
}

/** See Ledger.move. */
export async function moveByRule(
  em: EntityManager,
  which: Which,
  { rule, command }: { rule: Rule; command: MoveCommand },
): Promise<Entry[]> {
  const { cmdId } = command;
  const { accounts, now } = await lockAccounts(em, which);
  const earlier = await readEntries(em, [...accounts.keys()], cmdId);
  if (earlier.size > 0) return [...earlier.values()];
  const released = await releaseHolds(
    em,
    (command.releaseHolds ?? []).flatMap((userId) => accounts.get(userId) ?? []),
  );
  const postings = rule([...accounts.values()], now);
  // Else its repetition would find nothing of it and do it again.
  if (postings.length > 0 && !postings.some((posting) => (posting.cmdId ?? cmdId) === cmdId))
    throw new Error('a command leaves an entry under its own id');
  return write(em, postings, { accounts, now, cmdId, released });
}

/** Read after the lock: a twin of this command that was committed under it is seen. Ascending id. */
async function readEntries(em: EntityManager, userIds: number[], cmdId: string): Promise<Map<number, Entry>> {
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ENTRY_COLUMNS}) AS line FROM account_log
     WHERE cmd_id = ?::uuid AND user_id = ANY (?::bigint[]) ORDER BY user_id`,
    [cmdId, listOf(userIds)],
  );
  return new Map(rows.map(({ line }) => entryOf(line)).map((entry) => [entry.userId, entry]));
}

/** However many postings, a handful of statements: the largest family converts and closes within one transaction. */
async function write(
  em: EntityManager,
  postings: Posting[],
  { accounts, now, cmdId, released }: LockedAccounts & { cmdId: string; released: LockedAccount[] },
): Promise<Entry[]> {
  const holds = await OpenHolds.of(em, accounts, postings);
  const changed = new Set(released);
  const entries: ChainedEntry[] = [];
  for (const posting of postings) {
    const account = accounts.get(posting.userId);
    if (!account) throw new Refusal('NOT_FOUND');
    holds.convert(account, posting);
    mustStayCovered(account, posting.movement);
    entries.push(moveAccount(account, posting.movement, { cmdId: posting.cmdId ?? cmdId, now }));
    changed.add(account);
  }
  await holds.save();
  for (const { text, columns } of movedRows(entries, [...changed]))
    await em.execute(
      text.replaceAll(/\$\d+/g, '?'),
      columns.map((column) => column.parameter),
    );
  return entries.map(({ entry }) => entry);
}
