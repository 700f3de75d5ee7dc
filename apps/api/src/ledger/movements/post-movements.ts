import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Entry, Movement } from '@yiqiao/domain/ledger';
import { QUOTA_MAX } from '@yiqiao/domain/limits';
import type { LockedAccount, Value } from '../rows/account-rows.js';
import { arrayLiteral } from '../rows/array-parameters.js';
import { ENTRY_COLUMNS, entryOf, type ChainedEntry } from '../rows/entry-rows.js';
import { moveAccount, mustStayCovered } from '../rows/move-account.js';
import { changedRows } from '../writer/changed-rows.js';
import { lockAccounts, type AccountView, type LockedAccounts, type Which } from './locked-accounts.js';

/** A movement of one account. */
export type Posting = {
  userId: number;
  movement: Movement;
  /** Its own id, if the account moves more than once in the command. Both sides of a transfer share it. */
  cmdId?: string;
  /** Converts the characters held by translations under way, oldest first; `charNum`: the new balance. */
  convertHolds?: (holds: readonly number[], charNum: number) => number[];
};

/** Decides how locked accounts move (ascending id; `now` is the database's clock, ms). May throw a Refusal. */
export type Rule = (accounts: readonly AccountView[], now: number) => Posting[];

/**
 * `releaseHolds`: the accounts whose open holds are released first. `otherIds`: more ids that its postings may have; a repeated command
 * returns their entries, too.
 */
export type MoveCommand = { cmdId: string; otherIds?: readonly string[]; releaseHolds?: readonly number[] };

/** See Ledger.postAll. */
export async function postMovements(
  em: EntityManager,
  postings: Posting[],
  { cmdId }: { cmdId: string },
): Promise<Entry[]> {
  const userIds = postings.map((posting) => posting.userId);
  if (new Set(userIds).size !== userIds.length) throw new Error('a command moves each account once');
  const locked = await lockAccounts(em, { userIds });
  const earlier = await readEntries(em, [...locked.accounts.keys()], [cmdId]);
  if (earlier.length > 0)
    return postings.map((posting) =>
      sameAsBefore(
        posting,
        earlier.find(({ userId }) => userId === posting.userId),
      ),
    );
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
  const earlier = await readEntries(em, [...accounts.keys()], [cmdId, ...(command.otherIds ?? [])]);
  if (earlier.length > 0) return earlier;
  const released = await releaseHolds(
    em,
    (command.releaseHolds ?? []).flatMap((userId) => accounts.get(userId) ?? []),
  );
  const postings = rule([...accounts.values()], now);
  // Otherwise a repetition would not find it and would apply it again.
  if (postings.length > 0 && !postings.some((posting) => (posting.cmdId ?? cmdId) === cmdId))
    throw new Error('a command leaves an entry under its own id');
  return write(em, postings, { accounts, now, cmdId, released });
}

/** Read after locking, so that a duplicate committed before is seen. Ascending id. */
async function readEntries(em: EntityManager, userIds: number[], cmdIds: readonly string[]): Promise<Entry[]> {
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ENTRY_COLUMNS}) AS line FROM account_log
     WHERE cmd_id = ANY (?::uuid[]) AND user_id = ANY (?::bigint[]) ORDER BY user_id, seq`,
    [arrayLiteral(cmdIds), arrayLiteral(userIds)],
  );
  return rows.map(({ line }) => entryOf(line));
}

/** A handful of statements for any number of postings: the largest family converts and closes within one transaction. */
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
  for (const { text, parameters } of changedRows(entries, [...changed]))
    await em.execute(
      text.replaceAll(/\$\d+/g, '?'),
      parameters.map((parameter) => parameter.array),
    );
  return entries.map(({ entry }) => entry);
}

/** A repeated command returns its first entry; one with different content is refused. */
function sameAsBefore({ movement }: Posting, entry: Entry | undefined): Entry {
  const m = movement;
  const same =
    entry !== undefined &&
    entry.type === m.type &&
    entry.charChange === (m.charChange ?? 0) &&
    entry.minChange === (m.minChange ?? 0) &&
    entry.voiceChange === (m.voiceChange ?? 0) &&
    entry.imageChange === (m.imageChange ?? 0) &&
    entry.usedCharNum === (m.usedCharNum ?? 0) &&
    entry.amount === (m.amount ?? 0) &&
    entry.lastExpireAt === (m.expireAt === undefined ? entry.beforeExpireAt : m.expireAt) &&
    entry.lastTranChannelId === (m.tranChannelId === undefined ? entry.beforeTranChannelId : m.tranChannelId) &&
    entry.lastBillingMode === (m.billingMode ?? entry.beforeBillingMode) &&
    Object.entries(m.refs ?? {}).every(([name, value]) => entry[name as keyof Entry] === value);
  if (!same) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return entry;
}

type StoredHold = { id: string; charNum: number; released: boolean };

/**
 * The open holds of locked accounts, as a command converts them. A hold that was released as stale can still be settled late: it reserves
 * nothing, but its price is converted like the others.
 */
class OpenHolds {
  readonly #byUser = new Map<number, StoredHold[]>();
  readonly #changed = new Map<string, number>();

  private constructor(private readonly em: EntityManager) {}

  /** Reads the holds that `postings` convert, oldest first. */
  static async of(
    em: EntityManager,
    accounts: ReadonlyMap<number, LockedAccount>,
    postings: readonly Posting[],
  ): Promise<OpenHolds> {
    const holds = new OpenHolds(em);
    const converting = postings.filter(({ convertHolds }) => convertHolds).map(({ userId }) => userId);
    if (converting.length === 0) return holds;
    const holding = converting.filter((userId) => (accounts.get(userId)?.held.charNum ?? 0) > 0);
    const rows = await em.execute<{ id: string; user_id: number; char_num: number; released: boolean }[]>(READ, [
      arrayLiteral(holding),
      arrayLiteral(converting),
    ]);
    for (const [userId, list] of Map.groupBy(rows, (row) => Number(row.user_id)))
      holds.#byUser.set(
        userId,
        list.map(({ id, char_num: charNum, released }) => ({ id, charNum: Number(charNum), released })),
      );
    return holds;
  }

  /** Converts the holds of one account, as its posting says. */
  convert(account: LockedAccount, posting: Posting): void {
    const { convertHolds } = posting;
    const holds = this.#byUser.get(account.userId);
    if (!holds || !convertHolds) return;
    const open = holds.filter((hold) => !hold.released);
    const late = holds.filter((hold) => hold.released);
    const charNum = account.state.charNum + (posting.movement.charChange ?? 0);
    const charNums = (list: readonly StoredHold[]): number[] => list.map((hold) => hold.charNum);
    this.#change(open, convertHolds(charNums(open), charNum));
    this.#change(late, convertHolds(charNums(late), QUOTA_MAX));
    account.held.charNum = charNums(open).reduce((sum, n) => sum + n, 0);
  }

  #change(holds: readonly StoredHold[], converted: readonly number[]): void {
    for (const [i, hold] of holds.entries()) {
      hold.charNum = converted[i] ?? hold.charNum;
      this.#changed.set(hold.id, hold.charNum);
    }
  }

  async save(): Promise<void> {
    if (this.#changed.size === 0) return;
    await this.em.execute(CONVERT, [arrayLiteral(this.#changed.keys()), arrayLiteral(this.#changed.values())]);
  }
}

/**
 * Releases every hold of these accounts and returns the accounts that had one. Holds of zero (text in time mode) are released too, so that
 * a closed account is not charged later. The caller writes the rows of the returned accounts, which invalidates the writer's cache.
 */
async function releaseHolds(em: EntityManager, accounts: readonly LockedAccount[]): Promise<LockedAccount[]> {
  if (accounts.length === 0) return [];
  const rows = await em.execute<{ user_id: number }[]>(RELEASE, [
    arrayLiteral(accounts.map((account) => account.userId)),
  ]);
  const released = new Set(rows.map((row) => Number(row.user_id)));
  const holding = accounts.filter((account) => released.has(account.userId));
  for (const { held } of holding) Object.assign(held, { charNum: 0, voiceNum: 0, imageNum: 0 });
  return holding;
}

/** Requests end after a minute (decisions §7), so no settlement comes later than this after its hold was released. */
const LATE = '1 hour';

const READ = `
SELECT id, user_id, char_num, false AS released, created_at FROM ledger_hold
WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
UNION ALL
SELECT id, user_id, char_num, true, created_at FROM ledger_hold
WHERE released_at > now() - interval '${LATE}' AND char_num > 0 AND user_id = ANY (?::bigint[])
ORDER BY user_id, created_at, id`;

const CONVERT = `
UPDATE ledger_hold h SET char_num = d.char_num FROM unnest(?::uuid[], ?::bigint[]) AS d (id, char_num) WHERE h.id = d.id`;

const RELEASE = `UPDATE ledger_hold SET released_at = now() WHERE released_at IS NULL AND user_id = ANY (?::bigint[])
RETURNING user_id`;
