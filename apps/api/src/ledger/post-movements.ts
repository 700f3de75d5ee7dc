import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import {
  billingModeCode,
  ENTRY_TYPES,
  post,
  type AccountState,
  type Entry,
  type Movement,
  type Quota,
} from '@yiqiao/domain/ledger';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from './account-rows.js';
import { chain } from './chain.js';
import { ENTRY_COLUMN_NAMES, ENTRY_COLUMNS, entryOf, entryValues, placeholderOf } from './entry-rows.js';

/** A movement of one account. `cmdId`: when it is not the command's own, because an account moves twice. */
export type Posting = {
  userId: number;
  movement: Movement;
  cmdId?: string;
  /** What this posting makes of the characters that translations under way hold, oldest first; `charNum`: the new balance. */
  convertHolds?: (holds: readonly number[], charNum: number) => number[];
};

/** The accounts that a command locks: some of them, or a whole family. */
export type Which = { userIds: readonly number[] } | { familyId: number };

/** An account as a rule sees it, under its lock. */
export type AccountView = {
  userId: number;
  familyId: number;
  state: Readonly<AccountState>;
  held: Readonly<Quota>;
};

/** Looks at locked accounts (ascending id; `now` is the database's clock, ms) and says how they move. May throw a Refusal. */
export type Rule = (accounts: readonly AccountView[], now: number) => Posting[];

/** `releaseHolds`: the accounts whose open holds are given back first, because nobody will settle them. */
export type MoveCommand = { cmdId: string; releaseHolds?: readonly number[] };

export async function openAccount(em: EntityManager, account: { userId: number; familyId: number }): Promise<void> {
  await em.execute('INSERT INTO member_account (user_id, family_id) VALUES (?, ?)', [account.userId, account.familyId]);
}

/** See Ledger.postAll. */
export async function postMovements(
  em: EntityManager,
  postings: Posting[],
  { cmdId }: { cmdId: string },
): Promise<Entry[]> {
  const userIds = postings.map((posting) => posting.userId);
  if (new Set(userIds).size !== userIds.length) throw new Error('a command moves each account once');
  const { accounts, now } = await lock(em, { userIds });
  const earlier = await readEntries(em, [...accounts.keys()], cmdId);
  if (earlier.size > 0) return postings.map((posting) => sameAsBefore(posting, earlier.get(posting.userId)));
  return write(em, postings, { accounts, now, cmdId });
}

/** See Ledger.move. */
export async function moveByRule(
  em: EntityManager,
  which: Which,
  { rule, command }: { rule: Rule; command: MoveCommand },
): Promise<Entry[]> {
  const { accounts, now } = await lock(em, which);
  const earlier = await readEntries(em, [...accounts.keys()], command.cmdId);
  if (earlier.size > 0) return [...earlier.values()];
  await releaseHolds(em, accounts, command.releaseHolds ?? []);
  const postings = rule([...accounts.values()], now);
  return write(em, postings, { accounts, now, cmdId: command.cmdId });
}

/** The accounts as they stand, without a lock: what a preview is made of. Ascending id. */
export async function viewAccounts(em: EntityManager, which: Which): Promise<{ accounts: AccountView[]; now: number }> {
  const { accounts, now } = await readAccounts(em, which, '');
  return { accounts: [...accounts.values()], now };
}

type Locked = { accounts: Map<number, LockedAccount>; now: number };

/** The accounts in ascending id, as every writer of the ledger locks them. */
function lock(em: EntityManager, which: Which): Promise<Locked> {
  if (!em.isInTransaction()) throw new Error('a movement is posted in the transaction of its command');
  return readAccounts(em, which, 'FOR NO KEY UPDATE');
}

async function readAccounts(em: EntityManager, which: Which, locking: string): Promise<Locked> {
  const [condition, value] =
    'familyId' in which
      ? ['family_id = ?', which.familyId]
      : ['user_id = ANY (?::bigint[])', `{${which.userIds.join(',')}}`];
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ACCOUNT_COLUMNS}, (date_part('epoch', clock_timestamp()) * 1000)::bigint) AS line
     FROM member_account WHERE ${condition} ORDER BY user_id ${locking}`,
    [value],
  );
  const accounts = rows.map(({ line }) => accountOf(line));
  const now = Math.max(0, ...rows.slice(-1).map(({ line }) => Number(line[18])));
  return { accounts: new Map(accounts.map((account) => [account.userId, account])), now };
}

/** Read after the lock: a twin of this command that was committed under it is seen. */
async function readEntries(em: EntityManager, userIds: number[], cmdId: string): Promise<Map<number, Entry>> {
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ENTRY_COLUMNS}) AS line FROM account_log WHERE cmd_id = ?::uuid AND user_id = ANY (?::bigint[])`,
    [cmdId, `{${userIds.join(',')}}`],
  );
  return new Map(rows.map(({ line }) => entryOf(line)).map((entry) => [entry.userId, entry]));
}

async function releaseHolds(
  em: EntityManager,
  accounts: Locked['accounts'],
  userIds: readonly number[],
): Promise<void> {
  const holding = userIds
    .flatMap((id) => accounts.get(id) ?? [])
    .filter(({ held }) => Object.values(held).some((n) => n > 0));
  if (holding.length === 0) return;
  const ids = `{${holding.map((account) => account.userId).join(',')}}`;
  await em.execute(
    `UPDATE ledger_hold SET released_at = now() WHERE released_at IS NULL AND user_id = ANY (?::bigint[])`,
    [ids],
  );
  await em.execute(
    `UPDATE member_account SET held_char_num = 0, held_voice_num = 0, held_image_num = 0 WHERE user_id = ANY (?::bigint[])`,
    [ids],
  );
  for (const { held } of holding) Object.assign(held, { charNum: 0, voiceNum: 0, imageNum: 0 });
}

async function write(
  em: EntityManager,
  postings: Posting[],
  { accounts, now, cmdId }: Locked & { cmdId: string },
): Promise<Entry[]> {
  const entries = [];
  for (const posting of postings) {
    const account = accounts.get(posting.userId);
    if (!account) throw new Refusal('NOT_FOUND');
    if (posting.convertHolds) await convertHolds(em, account, posting);
    entries.push(move(account, posting.movement, { cmdId: posting.cmdId ?? cmdId, now }));
  }
  for (const { entry, hash } of entries) await em.execute(INSERT_ENTRY, [...entryValues(entry), hash]);
  for (const account of accounts.values()) await em.execute(UPDATE_ACCOUNT, accountValues(account));
  return entries.map(({ entry }) => entry);
}

async function convertHolds(em: EntityManager, account: LockedAccount, posting: Posting): Promise<void> {
  if (account.held.charNum === 0) return;
  const holds = await em.execute<{ id: string; char_num: number }[]>(
    `SELECT id, char_num FROM ledger_hold WHERE released_at IS NULL AND user_id = ? ORDER BY created_at, id`,
    [account.userId],
  );
  const before = holds.map((hold) => Number(hold.char_num));
  const charNum = account.state.charNum + (posting.movement.charChange ?? 0);
  const after = posting.convertHolds?.(before, charNum) ?? before;
  for (const [i, hold] of holds.entries())
    await em.execute('UPDATE ledger_hold SET char_num = ? WHERE id = ?', [after[i], hold.id]);
  account.held.charNum = after.reduce((sum, n) => sum + n, 0);
}

function move(
  account: LockedAccount,
  movement: Movement,
  at: { cmdId: string; now: number },
): { entry: Entry; hash: string } {
  const { state, held } = account;
  // What is reserved is not free to be taken: a translation under way could not be paid (decisions §4).
  const enough =
    state.charNum + (movement.charChange ?? 0) >= held.charNum &&
    state.voiceNum + (movement.voiceChange ?? 0) >= held.voiceNum &&
    state.imageNum + (movement.imageChange ?? 0) >= held.imageNum;
  if (!enough) throw new Refusal('QUOTA_NOT_ENOUGH');
  const code = ENTRY_TYPES[movement.type].code;
  const typeSeq = (account.typeSeqs[code - 1] ?? 0) + 1;
  const createdAt = Math.max(at.now, account.lastAt);
  const { userId, familyId } = account;
  const entry = post(state, movement, { userId, familyId, typeSeq, cmdId: at.cmdId, createdAt });
  account.typeSeqs[code - 1] = typeSeq;
  account.lastAt = createdAt;
  account.head = chain(account.head, entry);
  return { entry, hash: account.head };
}

/** A command that comes again answers its first entry; one that changed its mind is refused. */
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

const INSERT_ENTRY = `
INSERT INTO account_log (${ENTRY_COLUMN_NAMES.join(', ')}, hash)
VALUES (${ENTRY_COLUMN_NAMES.map(placeholderOf).join(', ')}, decode(?, 'hex'))`;

const UPDATE_ACCOUNT = `
UPDATE member_account SET entry_seq = ?, usable_char_num = ?, usable_voice_num = ?, usable_image_num = ?, used_char_total = ?,
  recharge_amount_total = ?, expire_at = to_timestamp(?::float8 / 1000), tran_channel_id = ?, billing_mode = ?,
  type_seqs = ?::bigint[], head_hash = decode(?, 'hex'), last_written_at = to_timestamp(?::float8 / 1000), held_char_num = ?
WHERE user_id = ?`;

const accountValues = ({ state, ...account }: LockedAccount): Value[] => [
  state.seq,
  state.charNum,
  state.voiceNum,
  state.imageNum,
  state.usedCharTotal,
  state.rechargeAmountTotal,
  state.expireAt,
  state.tranChannelId,
  billingModeCode(state.billingMode),
  `{${account.typeSeqs.join(',')}}`,
  account.head,
  account.lastAt,
  account.held.charNum,
  account.userId,
];
