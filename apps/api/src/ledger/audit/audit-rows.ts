import type { MinutePrice } from '@yiqiao/domain/conversion';
import { ENTRY_FIELD_NAMES, type EntryField } from '@yiqiao/domain/entry-fields';
import { billingModeOf, entryTypeOf, type Entry, type Quota } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from '../rows/account-rows.js';
import { CopyRows } from './copy-rows.js';
import { compileDecoder, ENTRY_COLUMN_NAMES } from '../rows/entry-rows.js';

/** A once-only gift of a mailbox, as stored. */
type StoredGift = Quota & { gift: string };

/**
 * An account's row with the sum of its open holds, the last entry counted as usage, the gifts of its mailbox, and the minute prices of its
 * paid orders by id.
 */
export type StoredAccount = LockedAccount & {
  openHolds: Quota;
  rolledSeq: number;
  gifts: readonly StoredGift[];
  orders: ReadonlyMap<number, MinutePrice>;
  /** No account of its family comes after it. */
  endsFamily: boolean;
};

/** The accounts to read: all, these (ascending), or those after one that was read before. */
export type Scope = { userIds?: readonly number[]; after?: number };

/** An SQL condition on the user id in `column`. Ids are numbers, so nothing needs quoting. */
export function within({ userIds, after }: Scope, column: string): string {
  const conditions = ['true'];
  if (userIds) conditions.push(`${column} = ANY ('{${userIds.map(Number).join(',')}}'::bigint[])`);
  if (after !== undefined) conditions.push(`${column} > ${Number(after)}`);
  return conditions.join(' AND ');
}

/** The columns of `entriesOf`: the fields of the table, then the hash. */
export const ENTRY_COLUMN = Object.fromEntries([...ENTRY_FIELD_NAMES, 'hash'].map((name, i) => [name, i])) as Record<
  EntryField | 'hash',
  number
>;

/** Entries by ascending account and number. `also`: an additional condition. */
export const entriesOf = (scope: Scope, also = 'true'): string =>
  `SELECT ${ENTRY_COLUMN_NAMES.join(', ')}, hash FROM account_log
   WHERE ${within(scope, 'user_id')} AND ${also} ORDER BY user_id, seq`;

export const openEntries = (client: pg.ClientBase, scope: Scope, also?: string): Promise<CopyRows> =>
  CopyRows.of(client, entriesOf(scope, also), ENTRY_COLUMN_NAMES.length + 1);

/** The columns of `linesOf`. */
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
    WHERE o.user_id = member_account.user_id AND paid_by IS NOT NULL),
  (NOT EXISTS (SELECT FROM member_account f WHERE f.family_id = member_account.family_id AND f.user_id > member_account.user_id))::int
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
  const openHolds = { charNum: Number(row[19]), voiceNum: Number(row[20]), imageNum: Number(row[21]) };
  const gifts = ((row[23] ?? []) as unknown as [string, number, number, number][]).map(
    ([gift, charNum, voiceNum, imageNum]) => ({ gift, charNum, voiceNum, imageNum }),
  );
  const orders = new Map(
    ((row[24] ?? []) as unknown as [number, number, number][]).map(([id, minutePrice, referencePrice]) => [
      id,
      { minutePrice, referencePrice },
    ]),
  );
  return { ...accountOf(row), openHolds, rolledSeq: Number(row[22]), gifts, orders, endsFamily: row[25] === 1 };
}

/** The entry that `rows` is on. A type without a row in ENTRY_TYPES is kept as text: the comparison that follows reports it. */
export const entryFrom = compileDecoder<CopyRows>({
  number: (rows, column) => rows.int(column),
  numberOrNull: (rows, column) => rows.intOrNull(column),
  time: (rows, column) => rows.time(column),
  timeOrNull: (rows, column) => rows.timeOrNull(column),
  uuid: (rows, column) => rows.uuid(column),
  entryType: (rows, column) => entryTypeOf(rows.int(column)) ?? (`unknown ${rows.int(column)}` as Entry['type']),
  billingMode: (rows, column) => billingModeOf(rows.int(column)) ?? 'char',
  billingModeOrNull: (rows, column) => billingModeOf(rows.intOrNull(column) ?? 0),
});
