import { billingModeCode, billingModeOf, ENTRY_TYPES, entryTypeOf, type Entry } from '@yiqiao/domain/ledger';
import type { Value } from './account-rows.js';
import { LiteralArray } from './array-parameters.js';

const isTime = (name: string): boolean => name.endsWith('_at') || name === 'created_at';

/** How every field of an entry is stored: column by field, in the order of the canonical bytes. */
const COLUMN_OF = {
  userId: 'user_id',
  familyId: 'family_id',
  seq: 'seq',
  type: 'log_type',
  typeSeq: 'type_seq',
  createdAt: 'created_at',
  charChange: 'char_change',
  minChange: 'min_change',
  voiceChange: 'voice_change',
  imageChange: 'image_change',
  usedCharNum: 'used_char_num',
  amount: 'amount',
  beforeCharNum: 'before_char',
  lastCharNum: 'last_char',
  beforeVoiceNum: 'before_voice',
  lastVoiceNum: 'last_voice',
  beforeImageNum: 'before_image',
  lastImageNum: 'last_image',
  beforeExpireAt: 'before_expire_at',
  lastExpireAt: 'last_expire_at',
  beforeTranChannelId: 'before_tran_channel_id',
  lastTranChannelId: 'last_tran_channel_id',
  beforeBillingMode: 'before_billing_mode',
  lastBillingMode: 'last_billing_mode',
  rechargeBillingMode: 'recharge_billing_mode',
  orderId: 'order_id',
  memberGroupId: 'member_group_id',
  rechargeTranChannelId: 'recharge_tran_channel_id',
  consumeConfigId: 'consume_config_id',
  consumeTranChannelId: 'consume_tran_channel_id',
  counterpartId: 'counterpart_id',
  managerId: 'manager_id',
  cmdId: 'cmd_id',
} as const satisfies Record<keyof Entry, string>;

/** In the order of the columns. */
export const ENTRY_FIELDS = Object.keys(COLUMN_OF) as (keyof Entry)[];

export const ENTRY_COLUMN_NAMES = Object.values(COLUMN_OF);

/** The select list that `entryOf` reads: times as milliseconds. */
export const ENTRY_COLUMNS = ENTRY_COLUMN_NAMES.map((name) =>
  isTime(name) ? `(date_part('epoch', ${name}) * 1000)::bigint` : name,
).join(', ');

const MODES: readonly string[] = ['beforeBillingMode', 'lastBillingMode', 'rechargeBillingMode'];

function stored(entry: Entry, field: keyof Entry): Value {
  if (field === 'type') return ENTRY_TYPES[entry.type].code;
  if (field === 'beforeBillingMode' || field === 'lastBillingMode' || field === 'rechargeBillingMode') {
    const mode = entry[field];
    return mode === null ? null : billingModeCode(mode);
  }
  return entry[field];
}

const CMD_AT = ENTRY_COLUMN_NAMES.length;

/** Entries of any type with their hashes, in one statement: with the parameters of `entryParameters`. */
export const INSERT_ENTRIES = `
INSERT INTO account_log (${ENTRY_COLUMN_NAMES.join(', ')}, hash)
SELECT ${ENTRY_COLUMN_NAMES.map((name) => (isTime(name) ? `to_timestamp(${name} / 1000.0::float8)` : name)).join(', ')}, decode(hash, 'hex')
FROM unnest(${ENTRY_COLUMN_NAMES.map((name, i) => `$${i + 1}::${name === 'cmd_id' ? 'uuid' : 'bigint'}[]`).join(', ')}, $${CMD_AT + 1}::text[])
  AS d (${ENTRY_COLUMN_NAMES.join(', ')}, hash)`;

/** An entry that is to be written, with its link of the chain in hex. */
export type ChainedEntry = { entry: Entry; hash: string };

export const entryParameters = (entries: readonly ChainedEntry[]): LiteralArray[] => [
  ...ENTRY_FIELDS.map((field) => new LiteralArray(entries.map(({ entry }) => stored(entry, field)))),
  new LiteralArray(entries.map(({ hash }) => hash)),
];

/** An entry from its row. Throws on a type that no table row has: a forged line. */
export function entryOf(row: Value[]): Entry {
  const fields = ENTRY_FIELDS.map((field, at): [string, unknown] => {
    const value = row[at] ?? null;
    if (field === 'cmdId') return [field, String(value)];
    if (value === null) return [field, null];
    if (MODES.includes(field)) return [field, billingModeOf(Number(value))];
    if (field === 'type') return [field, entryTypeOf(Number(value)) ?? `unknown type ${value}`];
    return [field, Number(value)];
  });
  return Object.fromEntries(fields) as Entry;
}
