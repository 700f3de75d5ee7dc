import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { partitionEmptyLogs } from '../src/ledger/operator/partition-command.js';
import { migrate } from '../src/migrate.js';

export const ACCOUNTS = 10_000;
/** The single account of the hot cases. */
export const HOT = 77;

export const pick = (load: 'hot' | 'spread'): number =>
  load === 'hot' ? HOT : 1 + Math.floor(Math.random() * (ACCOUNTS - 1));

const HASH = "'\\x' || repeat('00', 32)";

// pgbench writes the same rows as the writer, without the hash: a charge with its entry and log line.
const CONSUME = `
CREATE FUNCTION bench_consume(p_user bigint, p_n bigint, p_cmd uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE a member_account;
BEGIN
  UPDATE member_account SET usable_char_num = usable_char_num - p_n, used_char_total = used_char_total + p_n,
    entry_seq = entry_seq + 1, type_seqs[7] = type_seqs[7] + 1, usage_seq = usage_seq + 1, last_written_at = now()
    WHERE user_id = p_user AND usable_char_num - held_char_num >= p_n RETURNING * INTO a;
  IF NOT FOUND THEN RETURN NULL; END IF;
  ${insertEntry('a', 'p_n', 'p_cmd', '')};
  ${insertLine('a', 'p_n', 'p_cmd', '')};
  RETURN a.usable_char_num;
END $$`;

// The two steps of the writer as an application without it would write them: one function call and one commit each.
const HOLD = `
CREATE FUNCTION bench_hold(p_user bigint, p_n bigint, p_id uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE a member_account;
BEGIN
  UPDATE member_account SET held_char_num = held_char_num + p_n, last_written_at = now()
    WHERE user_id = p_user AND usable_char_num - held_char_num >= p_n AND expire_at > now() RETURNING * INTO a;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO ledger_hold (id, user_id, family_id, kind, char_num, voice_num, image_num, used_char_num, billing_mode, created_at,
    expires_at) VALUES (p_id, p_user, a.family_id, 1, p_n, 0, 0, p_n, a.billing_mode, now(), now() + interval '90 s');
  RETURN a.usable_char_num;
END $$`;
const SETTLE = `
CREATE FUNCTION bench_settle(p_user bigint, p_id uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE a member_account; n bigint;
BEGIN
  DELETE FROM ledger_hold WHERE id = p_id AND user_id = p_user AND released_at IS NULL RETURNING char_num INTO n;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE member_account SET usable_char_num = usable_char_num - n, held_char_num = held_char_num - n,
    used_char_total = used_char_total + n, entry_seq = entry_seq + 1, type_seqs[7] = type_seqs[7] + 1, usage_seq = usage_seq + 1,
    last_written_at = now() WHERE user_id = p_user RETURNING * INTO a;
  ${insertEntry('a', 'n', 'p_id', '')};
  ${insertLine('a', 'n', 'p_id', '')};
  RETURN a.usable_char_num;
END $$`;

/** The two inserts of a charge, in every single-transaction form. `from`: the rest of the SELECT. */
export function insertEntry(a: string, n: string, cmd: string, from: string): string {
  return `INSERT INTO account_log (user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change,
    voice_change, image_change, used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image, last_image,
    before_expire_at, last_expire_at, before_tran_channel_id, last_tran_channel_id, before_billing_mode, last_billing_mode,
    consume_tran_channel_id, hash)
  SELECT ${a}.user_id, ${a}.family_id, ${a}.entry_seq, 7, ${a}.type_seqs[7], ${cmd}, ${a}.last_written_at, -(${n}), 0, 0, 0, ${n}, 0,
    ${a}.usable_char_num + ${n}, ${a}.usable_char_num, ${a}.usable_voice_num, ${a}.usable_voice_num, ${a}.usable_image_num,
    ${a}.usable_image_num, ${a}.expire_at, ${a}.expire_at, ${a}.tran_channel_id, ${a}.tran_channel_id, ${a}.billing_mode,
    ${a}.billing_mode, 1, (${HASH})::bytea ${from}`;
}

export function insertLine(a: string, n: string, cmd: string, from: string): string {
  return `INSERT INTO translation_log (user_id, family_id, usage_seq, entry_seq, cmd_id, created_at, status, charged, word_count,
    billing_mode, tran_channel_id, ip, client_type, source_lang, target_lang)
  SELECT ${a}.user_id, ${a}.family_id, ${a}.usage_seq, ${a}.entry_seq, ${cmd}, ${a}.last_written_at, 1, ${n}, ${n}, ${a}.billing_mode, 1,
    '192.0.2.7', 0, 'zh', 'en' ${from}`;
}

const ACCOUNT_ROWS = `
INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (1, 'offline', '离线引擎', 'Offline engine', 10);
INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, reference_channel_id) VALUES (1, '试用', 'Trial', 'trial', 1, 0, 0, 1);
INSERT INTO member (id, family_id, nickname, member_group_id) SELECT n, n, 'bench', 1 FROM generate_series(1, ${ACCOUNTS}) n;
INSERT INTO member_account (user_id, family_id, usable_char_num, expire_at, tran_channel_id, type_seqs)
SELECT n, n, 1000000000000, now() + interval '1 day', 1, '{0,0,0,0,0,0,0}' FROM generate_series(1, ${ACCOUNTS}) n;
VACUUM ANALYZE`;

export type Fixture = { url: string; owner: pg.Client; close: () => Promise<void> };

/** Of each log: as in an installation (docs/decisions/0070), or LEDGER_PARTS. */
export const LEDGER_PARTS = Number(process.env['LEDGER_PARTS'] ?? 32);

/** Migrates the database at `url` and splits its logs. */
export async function install(url: string): Promise<void> {
  await migrate(url);
  await partitionEmptyLogs(url, LEDGER_PARTS);
}

/** Creates a database with the product's schema and 10,000 accounts with large balances. */
export async function createFixture(server: string): Promise<Fixture> {
  const name = `bench_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await install(url.href);
  const owner = new pg.Client({ connectionString: url.href });
  await owner.connect();
  for (const statement of [...ACCOUNT_ROWS.split(';\n'), CONSUME, HOLD, SETTLE]) await owner.query(statement);
  const close = async (): Promise<void> => {
    await owner.end();
    const admin = new MikroORM(
      defineConfig({ clientUrl: server, entities: [], discovery: { warnWhenNoEntities: false } }),
    );
    await admin.schema.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.close(true);
  };
  return { url: url.href, owner, close };
}
