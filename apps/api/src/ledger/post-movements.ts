import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import { billingModeCode, ENTRY_TYPES, post, type Entry, type Movement } from '@yiqiao/domain/ledger';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from './account-rows.js';
import { chain } from './chain.js';
import { ENTRY_COLUMN_NAMES, ENTRY_COLUMNS, entryOf, entryValues, placeholderOf } from './entry-rows.js';

/** A movement of one account. */
export type Posting = { userId: number; movement: Movement };

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
  if (!em.isInTransaction()) throw new Error('a movement is posted in the transaction of its command');
  const { accounts, now } = await lock(em, userIds);
  const earlier = await readEntries(em, userIds, cmdId);
  if (earlier.size > 0) return postings.map((posting) => sameAsBefore(posting, earlier.get(posting.userId)));
  const entries = postings.map(({ userId, movement }) => {
    const account = accounts.get(userId);
    if (!account) throw new Refusal('NOT_FOUND');
    return move(account, movement, { cmdId, now });
  });
  for (const { entry, hash } of entries) await em.execute(INSERT_ENTRY, [...entryValues(entry), hash]);
  for (const account of accounts.values()) await em.execute(UPDATE_ACCOUNT, accountValues(account));
  return entries.map(({ entry }) => entry);
}

/** The accounts in ascending id, as every writer of the ledger locks them. */
async function lock(
  em: EntityManager,
  userIds: number[],
): Promise<{ accounts: Map<number, LockedAccount>; now: number }> {
  const rows = await em.execute<{ line: Value[] }[]>(
    `SELECT json_build_array(${ACCOUNT_COLUMNS}, (date_part('epoch', clock_timestamp()) * 1000)::bigint) AS line
     FROM member_account WHERE user_id = ANY (?::bigint[]) ORDER BY user_id FOR NO KEY UPDATE`,
    [`{${userIds.join(',')}}`],
  );
  const accounts = rows.map(({ line }) => accountOf(line));
  const now = Math.max(0, ...rows.map(({ line }) => Number(line[18])));
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
  type_seqs = ?::bigint[], head_hash = decode(?, 'hex'), last_written_at = to_timestamp(?::float8 / 1000)
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
  account.userId,
];
