import type { MinutePrice } from '@yiqiao/domain/conversion';
import { billingModeOf, entryTypeOf, type Entry, type Quota } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from '../rows/account-rows.js';
import { CopyRows } from './copy-rows.js';
import { ENTRY_COLUMN_NAMES, ENTRY_FIELDS } from '../rows/entry-rows.js';

/** What a mailbox was given once, as its row says. */
type StoredGift = Quota & { gift: string };

/**
 * An account's row, what its open holds add up to, how far its usage is counted, what its mailbox was given, and by its paid orders what
 * they say of a minute.
 */
export type StoredAccount = LockedAccount & {
  openHolds: Quota;
  rolledSeq: number;
  gifts: readonly StoredGift[];
  orders: ReadonlyMap<number, MinutePrice>;
};

/** Which accounts are read: all, these alone (ascending), or those after one that has been read before. */
export type Scope = { userIds?: readonly number[]; after?: number };

/** SQL over the user id in `column`. Ids are numbers, so nothing needs quoting. */
export function within({ userIds, after }: Scope, column: string): string {
  const conditions = ['true'];
  if (userIds) conditions.push(`${column} = ANY ('{${userIds.map(Number).join(',')}}'::bigint[])`);
  if (after !== undefined) conditions.push(`${column} > ${Number(after)}`);
  return conditions.join(' AND ');
}

/** Where `openEntries` has each field of an entry, and after them the hash. */
export const ENTRY_COLUMN = Object.fromEntries([...ENTRY_FIELDS, 'hash'].map((field, i) => [field, i])) as Record<
  keyof Entry | 'hash',
  number
>;

/** Entries in ascending account and number. `also`: a condition more. */
export const entriesOf = (scope: Scope, also = 'true'): string =>
  `SELECT ${ENTRY_COLUMN_NAMES.join(', ')}, hash FROM account_log
   WHERE ${within(scope, 'user_id')} AND ${also} ORDER BY user_id, seq`;

export const openEntries = (client: pg.ClientBase, scope: Scope, also?: string): Promise<CopyRows> =>
  CopyRows.of(client, entriesOf(scope, also), ENTRY_COLUMN_NAMES.length + 1);

/** The columns of the translation log as far as the ledger is concerned. */
export const LINE_COLUMN = {
  userId: 0,
  usageSeq: 1,
  entrySeq: 2,
  cmdId: 3,
  at: 4,
  status: 5,
  charged: 6,
  words: 7,
  tranChannelId: 8,
};

export const linesOf = (scope: Scope): string =>
  `SELECT user_id, usage_seq, entry_seq, cmd_id, created_at, status, charged, word_count, tran_channel_id FROM translation_log
   WHERE ${within(scope, 'user_id')} ORDER BY user_id, usage_seq`;

export const openLines = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, linesOf(scope), Object.keys(LINE_COLUMN).length);

const accountsOf = (scope: Scope): string => `
SELECT json_build_array(${ACCOUNT_COLUMNS}, coalesce(chars, 0), coalesce(voice, 0), coalesce(images, 0),
  coalesce((SELECT rolled_seq FROM usage_mark m WHERE m.user_id = member_account.user_id), 0),
  (SELECT json_agg(json_build_array(gift, char_num, voice_num, image_num)) FROM mailbox_gift g WHERE g.user_id = member_account.user_id),
  (SELECT json_agg(json_build_array(id, minute_price, reference_price)) FROM recharge_order o
    WHERE o.user_id = member_account.user_id AND paid_by IS NOT NULL)
  )::text
FROM member_account LEFT JOIN (
  SELECT user_id AS holder, sum(char_num) AS chars, sum(voice_num) AS voice, sum(image_num) AS images
  FROM ledger_hold WHERE released_at IS NULL GROUP BY user_id
) AS open ON holder = user_id
WHERE ${within(scope, 'user_id')} ORDER BY user_id`;

export const openAccounts = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, accountsOf(scope), 1);

export function accountFrom(rows: CopyRows): StoredAccount {
  const row = JSON.parse(rows.text(0)) as Value[];
  const openHolds = { charNum: Number(row[18]), voiceNum: Number(row[19]), imageNum: Number(row[20]) };
  const gifts = ((row[22] ?? []) as unknown as [string, number, number, number][]).map(
    ([gift, charNum, voiceNum, imageNum]) => ({ gift, charNum, voiceNum, imageNum }),
  );
  const orders = new Map(
    ((row[23] ?? []) as unknown as [number, number, number][]).map(([id, minutePrice, referencePrice]) => [
      id,
      { minutePrice, referencePrice },
    ]),
  );
  return { ...accountOf(row), openHolds, rolledSeq: Number(row[21]), gifts, orders };
}

/** What no table row explains is kept as it stands: the comparison that follows names it. */
const typeFrom = (code: number): Entry['type'] => entryTypeOf(code) ?? (`unknown ${code}` as Entry['type']);

/** The entry that `rows` stands on. */
export function entryFrom(rows: CopyRows): Entry {
  const c = ENTRY_COLUMN;
  return {
    userId: rows.int(c.userId),
    familyId: rows.int(c.familyId),
    seq: rows.int(c.seq),
    type: typeFrom(rows.int(c.type)),
    typeSeq: rows.int(c.typeSeq),
    createdAt: rows.time(c.createdAt),
    charChange: rows.int(c.charChange),
    minChange: rows.int(c.minChange),
    voiceChange: rows.int(c.voiceChange),
    imageChange: rows.int(c.imageChange),
    usedCharNum: rows.int(c.usedCharNum),
    amount: rows.int(c.amount),
    beforeCharNum: rows.int(c.beforeCharNum),
    lastCharNum: rows.int(c.lastCharNum),
    beforeVoiceNum: rows.int(c.beforeVoiceNum),
    lastVoiceNum: rows.int(c.lastVoiceNum),
    beforeImageNum: rows.int(c.beforeImageNum),
    lastImageNum: rows.int(c.lastImageNum),
    beforeExpireAt: rows.timeOrNull(c.beforeExpireAt),
    lastExpireAt: rows.timeOrNull(c.lastExpireAt),
    beforeTranChannelId: rows.intOrNull(c.beforeTranChannelId),
    lastTranChannelId: rows.intOrNull(c.lastTranChannelId),
    beforeBillingMode: billingModeOf(rows.int(c.beforeBillingMode)) ?? 'char',
    lastBillingMode: billingModeOf(rows.int(c.lastBillingMode)) ?? 'char',
    rechargeBillingMode: billingModeOf(rows.intOrNull(c.rechargeBillingMode) ?? 0),
    orderId: rows.intOrNull(c.orderId),
    memberGroupId: rows.intOrNull(c.memberGroupId),
    rechargeTranChannelId: rows.intOrNull(c.rechargeTranChannelId),
    consumeConfigId: rows.intOrNull(c.consumeConfigId),
    consumeTranChannelId: rows.intOrNull(c.consumeTranChannelId),
    counterpartId: rows.intOrNull(c.counterpartId),
    managerId: rows.intOrNull(c.managerId),
    cmdId: rows.uuid(c.cmdId),
  };
}
