import type { MinutePrice } from '@yiqiao/domain/conversion';
import { ENTRY_FIELD_NAMES, type EntryField } from '@yiqiao/domain/entry-fields';
import { billingModeOf, entryTypeOf, type Entry, type Quota } from '@yiqiao/domain/ledger';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount, type Value } from '../rows/account-rows.js';
import type { ReplayState } from './anchors.js';
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
  counters: StoredCounters;
  /** No account of its family comes after it. */
  endsFamily: boolean;
  /** Its entry in the newest close that it is in; null: none, or the scope has no anchors. */
  leaf: { seq: number; head: string } | null;
  /** Null if it has none that may be trusted. */
  anchor: ReplayState | null;
  /** Where its rows begin: at the anchor or at its archive's; null: at the first entry. */
  start: ReplayState | null;
};

/** The accounts to read: all, these (ascending), or those after one that was read before. */
export type Scope = { userIds?: readonly number[]; after?: number; anchors?: AnchorScope };

/**
 * Anchors and leaves are read with the accounts. `from`: rows are read from the anchors on; `except`: accounts whose anchor is not used.
 * `archives`: accounts with entries in cold files begin at their archive, `except` some; null: nothing is taken from there.
 */
export type AnchorScope = {
  from: boolean;
  except: readonly number[];
  archives: { except: readonly number[] } | null;
};

const trusted = ({ except }: { except: readonly number[] }): string =>
  `n.user_id <> ALL ('{${except.map(Number).join(',')}}'::bigint[])`;
/** Usage must be counted up to the anchor's entry. */
const COUNTED = 'n.seq <= (SELECT rolled_seq FROM usage_mark m WHERE m.user_id = n.user_id)';
/** The row at which those of the account `a` begin: of its anchor or its archive, whichever is later. */
const startOf = ({ from, archives, ...anchors }: AnchorScope, a: string): string => {
  const of = (table: string, also: string): string =>
    `SELECT n.seq, n.usage_seq, n.usage_day FROM ${table} n WHERE n.user_id = ${a}.user_id AND ${also}`;
  const starts = [
    ...(from ? [of('account_anchor', `${COUNTED} AND ${trusted(anchors)}`)] : []),
    ...(archives ? [of('account_archive', trusted(archives))] : []),
  ];
  return starts.length > 1 ? `${starts.join(' UNION ALL ')} ORDER BY seq DESC LIMIT 1` : (starts[0] ?? '');
};

/**
 * Rows of each account from its start on, in ascending order of accounts and `order`. `rows` selects those of the account `a` with the
 * start `n`, which may be null, in that order; it keeps its ORDER BY, so that the accounts come first in every plan.
 */
export const fromStarts = (scope: Scope & { anchors: AnchorScope }, rows: string, order: string): string => `
SELECT r.* FROM member_account a LEFT JOIN LATERAL (${startOf(scope.anchors, 'a')}) n ON true
CROSS JOIN LATERAL (${rows} ORDER BY ${order}) r WHERE ${within(scope, 'a.user_id')} ORDER BY a.user_id, r.${order}`;

/** The scope, if the rows of some accounts do not begin with the first one. */
export const startingLater = (scope: Scope): (Scope & { anchors: AnchorScope }) | null => {
  const { anchors } = scope;
  return anchors && (anchors.from || anchors.archives) ? { ...scope, anchors } : null;
};

export async function hasArchives(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ some: boolean }>('SELECT EXISTS (SELECT FROM account_archive) AS some');
  return rows[0]?.some === true;
}

/** The scope for a reader that relies on archives as they are stored: the first row of an archived account is that of its archive. */
export const beginningAtArchives = async (client: pg.ClientBase, scope: Scope): Promise<Scope> =>
  (await hasArchives(client)) ? { ...scope, anchors: { from: false, except: [], archives: { except: [] } } } : scope;

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
export function entriesOf(scope: Scope, also = 'true'): string {
  const all = `SELECT ${ENTRY_ROW.join(', ')} FROM account_log`;
  const since = startingLater(scope);
  // The anchor's own entry is compared with it.
  if (since)
    return fromStarts(since, `${all} WHERE user_id = a.user_id AND seq >= coalesce(n.seq, 0) AND ${also}`, 'seq');
  return `${all} WHERE ${within(scope, 'user_id')} AND ${also} ORDER BY user_id, seq`;
}

/** What every reader of entries reads. */
export const ENTRY_ROW = [...ENTRY_COLUMN_NAMES, 'hash'];

export const entriesFrom = (stream: Readable): Promise<CopyRows> => CopyRows.from(stream, ENTRY_ROW.length);

export const openEntries = (client: pg.ClientBase, scope: Scope, also?: string): Promise<CopyRows> =>
  CopyRows.of(client, entriesOf(scope, also), ENTRY_ROW.length);

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

export const LINE_ROW = 'user_id usage_seq entry_seq cmd_id created_at status charged word_count tran_channel_id'.split(
  ' ',
);

export const linesFrom = (stream: Readable): Promise<CopyRows> => CopyRows.from(stream, LINE_ROW.length);

export function linesOf(scope: Scope): string {
  const all = `SELECT ${LINE_ROW.join(', ')} FROM translation_log`;
  const since = startingLater(scope);
  const order = 'usage_seq';
  if (since)
    return fromStarts(since, `${all} WHERE user_id = a.user_id AND usage_seq > coalesce(n.usage_seq, 0)`, order);
  return `${all} WHERE ${within(scope, 'user_id')} ORDER BY user_id, ${order}`;
}

export const openLines = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, linesOf(scope), LINE_ROW.length);

/** What caps are checked against: characters by API key and day, and the use of the account in its last day and month. Days count from 1970. */
export type StoredCounters = {
  keys: readonly (readonly [apiKeyId: number, day: number, charNum: number])[];
  /** Null: the account has no caps of its own. */
  own: { day: readonly [first: number, used: Quota]; month: readonly [first: number, used: Quota] } | null;
};

/** The counters of an account. `since`: those of keys only after this SQL date. */
const countersOf = (since: string | null): string => `
(SELECT json_agg(json_build_array(k.id, d.day - DATE '1970-01-01', d.char_num)) FROM api_key k JOIN api_key_day d ON d.api_key_id = k.id
  WHERE k.family_id = member_account.family_id AND k.user_id = member_account.user_id
  ${since === null ? '' : `AND d.day > coalesce(${since}, '-infinity')`}),
(SELECT json_build_array(c.day - DATE '1970-01-01', day_char_used, day_voice_used, day_image_used,
  c.month - DATE '1970-01-01', month_char_used, month_voice_used, month_image_used) FROM spending_cap c WHERE c.user_id = member_account.user_id
  AND greatest(day_char, day_voice, day_image, month_char, month_voice, month_image) > 0)`;

type Numbers = readonly number[];

/** `keys` and `own` as `countersOf` returns them. */
function countersFrom(keys: unknown, own: unknown): StoredCounters {
  const [day = 0, charNum = 0, voiceNum = 0, imageNum = 0, month = 0, chars = 0, voice = 0, images = 0] = (own ??
    []) as Numbers;
  return {
    keys: (keys ?? []) as StoredCounters['keys'],
    own: own
      ? {
          day: [day, { charNum, voiceNum, imageNum }],
          month: [month, { charNum: chars, voiceNum: voice, imageNum: images }],
        }
      : null,
  };
}

/** The last day of which entries may be left out: that of the last usage before the anchor. */
const sinceOf = (scope: Scope): string | null => {
  const since = startingLater(scope);
  return since && `(SELECT n.usage_day FROM (${startOf(since.anchors, 'member_account')}) n)`;
};

const accountsOf = (scope: Scope): string => `
SELECT json_build_array(${ACCOUNT_COLUMNS}, coalesce(chars, 0), coalesce(voice, 0), coalesce(images, 0),
  coalesce((SELECT rolled_seq FROM usage_mark m WHERE m.user_id = member_account.user_id), 0),
  (SELECT json_agg(json_build_array(gift, char_num, voice_num, image_num)) FROM mailbox_gift g WHERE g.user_id = member_account.user_id),
  (SELECT json_agg(json_build_array(id, minute_price, reference_price)) FROM recharge_order o
    WHERE o.user_id = member_account.user_id AND paid_by IS NOT NULL),
  (NOT EXISTS (SELECT FROM member_account f WHERE f.family_id = member_account.family_id AND f.user_id > member_account.user_id))::int,
  ${countersOf(sinceOf(scope))}
  ${
    scope.anchors
      ? `, (SELECT json_build_array(seq, encode(head, 'hex')) FROM close_leaf l WHERE l.user_id = member_account.user_id ORDER BY l.n DESC LIMIT 1),
  (SELECT json_build_array(n.state::json, (${COUNTED})::int) FROM account_anchor n WHERE n.user_id = member_account.user_id AND ${trusted(scope.anchors)}),
  ${scope.anchors.archives ? `(SELECT n.state::json FROM account_archive n WHERE n.user_id = member_account.user_id AND ${trusted(scope.anchors.archives)})` : 'NULL'}`
      : ''
  })::text
FROM member_account LEFT JOIN (
  SELECT user_id AS holder, sum(char_num) AS chars, sum(voice_num) AS voice, sum(image_num) AS images
  FROM ledger_hold WHERE released_at IS NULL GROUP BY user_id
) AS open ON holder = user_id
WHERE ${within(scope, 'user_id')} ORDER BY user_id`;

export const openAccounts = (client: pg.ClientBase, scope: Scope): Promise<CopyRows> =>
  CopyRows.of(client, accountsOf(scope), 1);

/** `scope`: of the rows. */
export function accountFrom(rows: CopyRows, { anchors }: Scope = {}): StoredAccount {
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
  const leaf = (row[28] ?? null) as unknown as [seq: number, head: string] | null;
  const [anchor = null, isCounted] = (row[29] ?? []) as unknown as [ReplayState | null, number | null] | [];
  const archive = (row[30] ?? null) as unknown as ReplayState | null;
  const starts = [anchors?.from && isCounted === 1 ? anchor : null, archive].filter((state) => state !== null);
  return {
    ...accountOf(row),
    openHolds,
    rolledSeq: Number(row[22]),
    gifts,
    orders,
    endsFamily: row[25] === 1,
    counters: countersFrom(row[26], row[27]),
    leaf: leaf && { seq: leaf[0], head: leaf[1] },
    anchor,
    start: starts.toSorted((a, b) => seqOf(b) - seqOf(a))[0] ?? null,
  };
}

const seqOf = ({ entries }: ReplayState): number => entries.account.seq;

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
