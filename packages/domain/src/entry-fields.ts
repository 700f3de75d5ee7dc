/**
 * The fields of an entry, in the order of their columns: the one description that everything else is made of. The type Entry (ledger.ts),
 * the canonical bytes (entry-bytes.ts), and in apps/api/src/ledger the column lists, the row codecs and the offsets of the byte-level
 * replay all come from this table (docs/decisions/0046).
 *
 * A new column is a row at the end, with `added: true` and the next free slot, and a migration. It is nullable because older entries have
 * no value for it, and it is hashed only where it has one, so the hashes of older entries stay as they are.
 */
type Field = {
  readonly column: string;
  readonly type: 'bigint' | 'int' | 'smallint' | 'timestamptz' | 'uuid';
  /** Where its canonical bytes are, in words of 8 bytes; a UUID takes two words. Never changes. */
  readonly slot: number;
  /** Two ints share a slot. */
  readonly half?: 'high' | 'low';
  /** Codes share a slot as the sum of code · factor. */
  readonly factor?: number;
  /** Stored and hashed as a code. */
  readonly coded?: 'entryType' | 'billingMode';
  readonly nullable?: true;
  /** Names what caused the entry; a movement sets it in `refs`. */
  readonly ref?: true;
  /** Not part of the first format. Also `nullable` and `ref`. */
  readonly added?: true;
};

export const ENTRY_FIELDS = {
  userId: { column: 'user_id', type: 'bigint', slot: 0 },
  familyId: { column: 'family_id', type: 'bigint', slot: 1 },
  /** 1, 2, 3 … within the account. */
  seq: { column: 'seq', type: 'bigint', slot: 2 },
  type: { column: 'log_type', type: 'smallint', slot: 3, coded: 'entryType' },
  /** 1, 2, 3 … within the account and type. */
  typeSeq: { column: 'type_seq', type: 'bigint', slot: 4 },
  createdAt: { column: 'created_at', type: 'timestamptz', slot: 5 },
  charChange: { column: 'char_change', type: 'bigint', slot: 6 },
  minChange: { column: 'min_change', type: 'bigint', slot: 7 },
  voiceChange: { column: 'voice_change', type: 'bigint', slot: 8 },
  imageChange: { column: 'image_change', type: 'bigint', slot: 9 },
  usedCharNum: { column: 'used_char_num', type: 'bigint', slot: 10 },
  /** fen */
  amount: { column: 'amount', type: 'bigint', slot: 11 },
  beforeCharNum: { column: 'before_char', type: 'bigint', slot: 12 },
  lastCharNum: { column: 'last_char', type: 'bigint', slot: 13 },
  beforeVoiceNum: { column: 'before_voice', type: 'bigint', slot: 14 },
  lastVoiceNum: { column: 'last_voice', type: 'bigint', slot: 15 },
  beforeImageNum: { column: 'before_image', type: 'bigint', slot: 16 },
  lastImageNum: { column: 'last_image', type: 'bigint', slot: 17 },
  beforeExpireAt: { column: 'before_expire_at', type: 'timestamptz', slot: 18, nullable: true },
  lastExpireAt: { column: 'last_expire_at', type: 'timestamptz', slot: 19, nullable: true },
  beforeTranChannelId: { column: 'before_tran_channel_id', type: 'int', slot: 20, half: 'high', nullable: true },
  lastTranChannelId: { column: 'last_tran_channel_id', type: 'int', slot: 20, half: 'low', nullable: true },
  beforeBillingMode: {
    column: 'before_billing_mode',
    type: 'smallint',
    slot: 21,
    factor: 10_000,
    coded: 'billingMode',
  },
  lastBillingMode: { column: 'last_billing_mode', type: 'smallint', slot: 21, factor: 100, coded: 'billingMode' },
  rechargeBillingMode: {
    column: 'recharge_billing_mode',
    type: 'smallint',
    slot: 21,
    factor: 1,
    coded: 'billingMode',
    nullable: true,
    ref: true,
  },
  orderId: { column: 'order_id', type: 'bigint', slot: 22, nullable: true, ref: true },
  memberGroupId: { column: 'member_group_id', type: 'int', slot: 23, nullable: true, ref: true },
  rechargeTranChannelId: { column: 'recharge_tran_channel_id', type: 'int', slot: 24, nullable: true, ref: true },
  consumeConfigId: { column: 'consume_config_id', type: 'bigint', slot: 25, nullable: true, ref: true },
  consumeTranChannelId: { column: 'consume_tran_channel_id', type: 'int', slot: 26, nullable: true, ref: true },
  /** The other side of a movement between main account and sub-account. */
  counterpartId: { column: 'counterpart_id', type: 'bigint', slot: 27, nullable: true, ref: true },
  managerId: { column: 'manager_id', type: 'bigint', slot: 28, nullable: true, ref: true },
  cmdId: { column: 'cmd_id', type: 'uuid', slot: 29 },
  /** The API key whose request it was (docs/decisions/0071). */
  apiKeyId: { column: 'api_key_id', type: 'bigint', slot: 31, nullable: true, ref: true, added: true },
} as const satisfies Record<string, Field>;

type Fields = typeof ENTRY_FIELDS;
type FieldsThat<Trait> = { [K in keyof Fields]: Fields[K] extends Trait ? K : never }[keyof Fields];

export type EntryField = keyof Fields;
export type RefField = FieldsThat<{ ref: true }>;
export type AddedField = FieldsThat<{ added: true }>;
export type NullableField = FieldsThat<{ nullable: true }>;

/** In the order of the table. */
export const ENTRY_FIELD_NAMES = Object.keys(ENTRY_FIELDS) as readonly EntryField[];

/** The row of a field without the literal types of the table. */
export const entryField = (name: EntryField): Field => ENTRY_FIELDS[name];

export const REF_FIELDS = ENTRY_FIELD_NAMES.filter((name): name is RefField => entryField(name).ref === true);
export const ADDED_FIELDS = ENTRY_FIELD_NAMES.filter((name): name is AddedField => entryField(name).added === true);
