import type { EntryField, NullableField } from '@yiqiao/domain/entry-fields';
import { ACCOUNT_COLUMNS } from '../rows/account-rows.js';
import { insertEntries } from '../rows/entry-rows.js';

// The statements of one batch, each prepared once per connection. Every array parameter holds one column.

/** In ascending id, as every writer of the ledger locks, so that writers cannot deadlock. */
export const LOCK_ACCOUNTS = `
SELECT ${ACCOUNT_COLUMNS}, (date_part('epoch', now()) * 1000)::bigint, xmin::text, pg_current_xact_id()::xid::text,
  capped::int
FROM member_account WHERE user_id = ANY ($1::bigint[]) ORDER BY user_id FOR NO KEY UPDATE`;

/** Accounts without a lock. A sub-account comes with the expiry of its main account. */
export const READ_ACCOUNTS = `
SELECT ${ACCOUNT_COLUMNS}, (date_part('epoch', now()) * 1000)::bigint, xmin::text,
  (SELECT (date_part('epoch', main.expire_at) * 1000)::bigint FROM member_account main
    WHERE main.user_id = member_account.family_id AND member_account.family_id <> member_account.user_id),
  capped::int
FROM member_account WHERE user_id = ANY ($1::bigint[])`;

/** The rows among these that another transaction has locked. */
export const LOCKED = `
WITH free AS (SELECT user_id FROM member_account WHERE user_id = ANY ($1::bigint[]) FOR NO KEY UPDATE SKIP LOCKED)
SELECT user_id FROM member_account WHERE user_id = ANY ($1::bigint[]) AND user_id NOT IN (SELECT user_id FROM free)`;

export const READ_HOLDS = `
SELECT id, user_id, kind, char_num, voice_num, image_num, used_char_num, billing_mode, released_at IS NOT NULL, api_key_id
FROM ledger_hold WHERE id = ANY ($1::uuid[])`;

/**
 * The log lines with these ids: charged, failed or free. One lookup per id, by LATERAL: while statistics say that the log is empty, a
 * plain `= ANY` would scan all of it.
 */
export const READ_LINES = `
SELECT l.cmd_id, l.user_id, l.status, l.charged, l.word_count, l.billing_mode, l.entry_seq
FROM unnest($1::uuid[]) AS command (id), LATERAL (SELECT * FROM translation_log WHERE cmd_id = command.id LIMIT 1) AS l`;

/**
 * Locks cached accounts and confirms an optimistic read of them: `ok` if each row still has its version ($2, xmin) and each main account in
 * $7 the expiry in $8 (ms), the clock is within a second of $3 (ms), no log line has an id of $4 and no hold an id of $6. $5: the number of
 * accounts. The statements combined with it write nothing otherwise; `confirmed` then names the accounts that have not changed.
 */
export const CONFIRM_READ = `
SELECT (date_part('epoch', now()) * 1000)::bigint AS now, pg_current_xact_id()::xid::text AS version,
  CASE WHEN count(*) < $5::int THEN coalesce(array_to_string(array_agg(user_id), ','), '') END AS confirmed, (count(*) = $5::int
  AND abs(date_part('epoch', now()) * 1000 - $3::bigint) < 1000
  AND NOT EXISTS (SELECT FROM translation_log WHERE cmd_id = ANY ($4::uuid[]))
  AND NOT EXISTS (SELECT FROM ledger_hold WHERE id = ANY ($6::uuid[]))) AS ok
FROM (SELECT a.user_id FROM member_account a
  JOIN unnest($1::bigint[], $2::xid[], $7::bigint[], $8::bigint[]) AS cached (id, version, main, expires) ON a.user_id = cached.id
  WHERE a.xmin = cached.version AND (cached.main IS NULL OR cached.expires IS NOT DISTINCT FROM (
    SELECT (date_part('epoch', m.expire_at) * 1000)::bigint FROM member_account m WHERE m.user_id = cached.main))
  ORDER BY a.user_id FOR NO KEY UPDATE OF a) AS locked`;

/** The sub-accounts among these with auto-distribution (decisions §4). */
export const READ_SHARING = `
SELECT id FROM member WHERE id = ANY ($1::bigint[]) AND auto_distribution AND closed_at IS NULL`;

/** A sub-account lives as long as its main account's package (decisions §3). */
export const READ_EXPIRIES = `
SELECT user_id, (date_part('epoch', expire_at) * 1000)::bigint FROM member_account WHERE user_id = ANY ($1::bigint[])`;

/** Accounts that were charged. */
export const UPDATE_ACCOUNTS = `
UPDATE member_account a SET usable_char_num = d.chars, usable_voice_num = d.voice, usable_image_num = d.images,
  held_char_num = d.held_chars, held_voice_num = d.held_voice, held_image_num = d.held_images,
  used_char_total = d.used, entry_seq = d.seq, usage_seq = d.usage,
  type_seqs = d.type_seqs::bigint[],
  head_hash = decode(d.head, 'hex'), last_written_at = to_timestamp(d.at / 1000.0::float8)
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
  $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::text[])
  AS d (id, chars, voice, images, held_chars, held_voice, held_images, used, seq, usage, at, type_seqs, head)
WHERE a.user_id = d.id`;

/** Accounts of which only held quota or the number of log lines changed. */
export const UPDATE_HELD = `
UPDATE member_account a SET held_char_num = d.chars, held_voice_num = d.voice, held_image_num = d.images, usage_seq = d.usage,
  last_written_at = to_timestamp(d.at / 1000.0::float8)
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
  AS d (id, chars, voice, images, usage, at)
WHERE a.user_id = d.id`;

/** Charged translations, one row each, as the input of the two statements below. */
export const CHARGES = `
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
  $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[],
  $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[], $22::bigint[], $23::bigint[],
  $24::bigint[], $25::uuid[], $26::text[], $27::text[], $28::text[], $29::text[])
AS d (user_id, family_id, seq, type, type_seq, at, char_change, voice_change, image_change, used, last_char, last_voice,
  last_image, expire_at, channel_id, mode, config_id, used_channel_id, usage_seq, hold_mode, client_type, vendor_account, vendor_cost,
  api_key_id, cmd_id, hash, ip, source, target)`;

/** A charge changes no expiry, channel, billing mode, minutes or amount. Fields that are left out stay NULL. */
const CHARGE_VALUES = {
  userId: 'user_id',
  familyId: 'family_id',
  seq: 'seq',
  type: 'type',
  typeSeq: 'type_seq',
  createdAt: 'at',
  charChange: 'char_change',
  minChange: '0',
  voiceChange: 'voice_change',
  imageChange: 'image_change',
  usedCharNum: 'used',
  amount: '0',
  beforeCharNum: 'last_char - char_change',
  lastCharNum: 'last_char',
  beforeVoiceNum: 'last_voice - voice_change',
  lastVoiceNum: 'last_voice',
  beforeImageNum: 'last_image - image_change',
  lastImageNum: 'last_image',
  beforeExpireAt: 'expire_at',
  lastExpireAt: 'expire_at',
  beforeTranChannelId: 'channel_id',
  lastTranChannelId: 'channel_id',
  beforeBillingMode: 'mode',
  lastBillingMode: 'mode',
  consumeConfigId: 'config_id',
  consumeTranChannelId: 'used_channel_id',
  cmdId: 'cmd_id',
  apiKeyId: 'api_key_id',
} satisfies Record<Exclude<EntryField, NullableField>, string> & Partial<Record<EntryField, string>>;

export const CHARGE_ENTRIES = insertEntries(CHARGE_VALUES, { hash: 'hash', from: 'charged' });

export const CHARGE_LINES = `
INSERT INTO translation_log (user_id, family_id, usage_seq, entry_seq, cmd_id, created_at, kind, status, charged,
  word_count, billing_mode, tran_channel_id, ip, client_type, source_lang, target_lang, vendor_account_id, vendor_cost,
  api_key_id)
SELECT user_id, family_id, usage_seq, seq, cmd_id, to_timestamp(at / 1000.0::float8),
  CASE WHEN voice_change <> 0 THEN 2 WHEN image_change <> 0 THEN 3 ELSE 1 END, 1,
  -(char_change + voice_change + image_change), used, hold_mode, used_channel_id, ip::inet, client_type, source, target,
  vendor_account, vendor_cost, api_key_id
FROM charged`;

export const INSERT_HOLDS = `
INSERT INTO ledger_hold (user_id, family_id, kind, char_num, voice_num, image_num, used_char_num, billing_mode, created_at,
  expires_at, api_key_id, id)
SELECT user_id, family_id, kind, chars, voice, images, used, mode, to_timestamp(at / 1000.0::float8),
  to_timestamp(until / 1000.0::float8), api_key_id, id
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
  $9::bigint[], $10::bigint[], $11::bigint[], $12::uuid[])
  AS d (user_id, family_id, kind, chars, voice, images, used, mode, at, until, api_key_id, id)`;

export const RELEASE_HOLDS = `UPDATE ledger_hold SET released_at = now() WHERE id = ANY ($1::uuid[])`;

/** Deletes holds that were charged, or that are made again under the same id. */
export const DROP_HOLDS = `DELETE FROM ledger_hold WHERE id = ANY ($1::uuid[])`;

/** Lines without a charge: failures, glosses and cached translations. */
export const INSERT_FREE_LINES = `
INSERT INTO translation_log (user_id, family_id, usage_seq, created_at, kind, status, free, charged, word_count,
  billing_mode, tran_channel_id, client_type, api_key_id, cmd_id, ip, source_lang, target_lang)
SELECT user_id, family_id, usage_seq, to_timestamp(at / 1000.0::float8), kind, status, free, 0, words, mode, channel_id,
  client_type, api_key_id, cmd_id, ip::inet, source, target
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
  $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::uuid[], $14::text[], $15::text[], $16::text[])
  AS d (user_id, family_id, usage_seq, at, kind, status, free, words, mode, channel_id, client_type, api_key_id, cmd_id, ip, source,
    target)`;
