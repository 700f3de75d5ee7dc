import { billingModeOf, entryTypeOf, type Entry, type Quota } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import { ACCOUNT_COLUMNS, accountOf, type LockedAccount } from './account-rows.js';
import { CopyRows, type Fields } from './copy-rows.js';

export type StoredEntry = { entry: Entry; hash: string };
/** A line of the translation log, as far as the ledger is concerned. */
export type StoredUsage = {
  userId: number;
  usageSeq: number;
  entrySeq: number | null;
  cmdId: string;
  at: number;
  ok: boolean;
  charged: number;
  words: number;
};
/** An account's row and what its open holds add up to. */
export type StoredAccount = LockedAccount & { openHolds: Quota };

/** Everything that the audit reads, each in ascending account and number, of one moment. */
export type AuditRows = {
  accounts: CopyRows<StoredAccount>;
  entries: CopyRows<StoredEntry>;
  usages: CopyRows<StoredUsage>;
};

const ENTRIES = `
SELECT user_id, family_id, seq, log_type, type_seq, created_at, char_change, min_change, voice_change, image_change,
  used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image, last_image, before_expire_at,
  last_expire_at, before_tran_channel_id, last_tran_channel_id, before_billing_mode, last_billing_mode,
  recharge_billing_mode, order_id, member_group_id, recharge_tran_channel_id, consume_config_id, consume_tran_channel_id,
  counterpart_id, manager_id, cmd_id, hash
FROM account_log ORDER BY user_id, seq`;

const USAGES = `
SELECT user_id, usage_seq, entry_seq, cmd_id, created_at, status, charged, word_count
FROM translation_log ORDER BY user_id, usage_seq`;

const ACCOUNTS = `
SELECT json_build_array(${ACCOUNT_COLUMNS}, coalesce(chars, 0), coalesce(voice, 0), coalesce(images, 0))::text
FROM member_account LEFT JOIN (
  SELECT user_id AS holder, sum(char_num) AS chars, sum(voice_num) AS voice, sum(image_num) AS images
  FROM ledger_hold WHERE released_at IS NULL GROUP BY user_id
) AS open ON holder = user_id
ORDER BY user_id`;

/** Opens the three streams; `clients` share one snapshot. */
export async function openRows([first, second, third]: [
  pg.ClientBase,
  pg.ClientBase,
  pg.ClientBase,
]): Promise<AuditRows> {
  return {
    accounts: await CopyRows.of(first, ACCOUNTS, accountFrom),
    entries: await CopyRows.of(second, ENTRIES, entryFrom),
    usages: await CopyRows.of(third, USAGES, usageFrom),
  };
}

function accountFrom(fields: Fields): StoredAccount {
  const row = JSON.parse(fields.text()) as (string | number | null)[];
  const openHolds = { charNum: Number(row[18]), voiceNum: Number(row[19]), imageNum: Number(row[20]) };
  return { ...accountOf(row), openHolds };
}

/** A column that is never NULL. */
const whole = (n: number | null): number => n ?? Number.NaN;

/** What no table row explains is kept as it stands: the comparison that follows names it. */
const typeFrom = (code: number): Entry['type'] => entryTypeOf(code) ?? (`unknown ${code}` as Entry['type']);

function entryFrom(f: Fields): StoredEntry {
  const entry: Entry = {
    userId: whole(f.int()),
    familyId: whole(f.int()),
    seq: whole(f.int()),
    type: typeFrom(whole(f.int())),
    typeSeq: whole(f.int()),
    createdAt: whole(f.time()),
    charChange: whole(f.int()),
    minChange: whole(f.int()),
    voiceChange: whole(f.int()),
    imageChange: whole(f.int()),
    usedCharNum: whole(f.int()),
    amount: whole(f.int()),
    beforeCharNum: whole(f.int()),
    lastCharNum: whole(f.int()),
    beforeVoiceNum: whole(f.int()),
    lastVoiceNum: whole(f.int()),
    beforeImageNum: whole(f.int()),
    lastImageNum: whole(f.int()),
    beforeExpireAt: f.time(),
    lastExpireAt: f.time(),
    beforeTranChannelId: f.int(),
    lastTranChannelId: f.int(),
    beforeBillingMode: billingModeOf(whole(f.int())) ?? 'char',
    lastBillingMode: billingModeOf(whole(f.int())) ?? 'char',
    rechargeBillingMode: billingModeOf(f.int() ?? 0),
    orderId: f.int(),
    memberGroupId: f.int(),
    rechargeTranChannelId: f.int(),
    consumeConfigId: f.int(),
    consumeTranChannelId: f.int(),
    counterpartId: f.int(),
    managerId: f.int(),
    cmdId: f.uuid(),
  };
  return { entry, hash: f.hex() };
}

const usageFrom = (f: Fields): StoredUsage => ({
  userId: whole(f.int()),
  usageSeq: whole(f.int()),
  entrySeq: f.int(),
  cmdId: f.uuid(),
  at: whole(f.time()),
  ok: f.int() === 1,
  charged: whole(f.int()),
  words: whole(f.int()),
});
