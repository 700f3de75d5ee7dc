import type pg from 'pg';

/**
 * The ledger's invariants in plain SQL, without any code of the product. Each query returns the rows that break its rule; `$1` limits it to
 * one family, or null for all.
 */
const RULES: Record<string, string> = {
  'usable equals the sum of the entries, and so do what was used and recharged': `
    SELECT a.user_id FROM member_account a LEFT JOIN LATERAL (
      SELECT coalesce(sum(char_change), 0) AS chars, coalesce(sum(voice_change), 0) AS voice, coalesce(sum(image_change), 0) AS images,
        coalesce(sum(used_char_num), 0) AS used, coalesce(sum(amount), 0) AS amount
      FROM account_log WHERE user_id = a.user_id) e ON true
    WHERE ($1::bigint IS NULL OR a.family_id = $1) AND (a.usable_char_num, a.usable_voice_num, a.usable_image_num, a.used_char_total,
      a.recharge_amount_total) IS DISTINCT FROM (e.chars, e.voice, e.images, e.used, e.amount)`,
  'entries are numbered without gaps, in the order of time, and each begins where the one before ended': `
    SELECT user_id, seq FROM (
      SELECT *, row_number() OVER w AS n, lag(created_at) OVER w AS at, lag(last_char) OVER w AS chars, lag(last_voice) OVER w AS voice,
        lag(last_image) OVER w AS images, lag(last_expire_at) OVER w AS expires, lag(last_tran_channel_id) OVER w AS channel,
        lag(last_billing_mode) OVER w AS mode FROM account_log WHERE $1::bigint IS NULL OR family_id = $1
      WINDOW w AS (PARTITION BY user_id ORDER BY seq)) e
    WHERE seq <> n OR created_at < at OR before_char <> coalesce(chars, 0) OR before_voice <> coalesce(voice, 0)
      OR before_image <> coalesce(images, 0) OR before_expire_at IS DISTINCT FROM expires
      OR before_tran_channel_id IS DISTINCT FROM channel OR before_billing_mode <> coalesce(mode, 1)
      OR before_char + char_change <> last_char OR before_voice + voice_change <> last_voice OR before_image + image_change <> last_image`,
  'entries of one type are numbered without gaps': `
    SELECT user_id, seq FROM (SELECT *, row_number() OVER (PARTITION BY user_id, log_type ORDER BY seq) AS n FROM account_log
      WHERE $1::bigint IS NULL OR family_id = $1) e WHERE type_seq <> n`,
  'the balance row stands where its last entry ended': `
    SELECT a.user_id FROM member_account a LEFT JOIN account_log e ON e.user_id = a.user_id AND e.seq = a.entry_seq
    WHERE ($1::bigint IS NULL OR a.family_id = $1) AND (a.entry_seq <> (SELECT count(*) FROM account_log WHERE user_id = a.user_id)
      OR a.usable_char_num <> coalesce(e.last_char, 0) OR a.expire_at IS DISTINCT FROM e.last_expire_at
      OR a.tran_channel_id IS DISTINCT FROM e.last_tran_channel_id OR a.billing_mode <> coalesce(e.last_billing_mode, 1))`,
  'what is held is what open holds say, and is covered': `
    SELECT a.user_id FROM member_account a LEFT JOIN LATERAL (
      SELECT coalesce(sum(char_num), 0) AS chars, coalesce(sum(voice_num), 0) AS voice, coalesce(sum(image_num), 0) AS images
      FROM ledger_hold WHERE user_id = a.user_id AND released_at IS NULL) h ON true
    WHERE ($1::bigint IS NULL OR a.family_id = $1) AND ((a.held_char_num, a.held_voice_num, a.held_image_num)
      IS DISTINCT FROM (h.chars, h.voice, h.images) OR a.held_char_num > a.usable_char_num OR a.held_voice_num > a.usable_voice_num
      OR a.held_image_num > a.usable_image_num OR least(a.held_char_num, a.held_voice_num, a.held_image_num) < 0)`,
  'distribution and recovery have two sides that add up to nothing': `
    SELECT family_id, cmd_id FROM account_log WHERE log_type IN (4, 5) AND ($1::bigint IS NULL OR family_id = $1)
    GROUP BY family_id, cmd_id HAVING count(*) <> 2 OR sum(char_change) <> 0 OR sum(voice_change) <> 0 OR sum(image_change) <> 0
      OR bool_or(user_id = counterpart_id)
        OR min(user_id) <> min(counterpart_id) OR max(user_id) <> max(counterpart_id)`,
  'every charge has its line and every charged line its entry': `
    SELECT coalesce(e.user_id, l.user_id) FROM (SELECT * FROM account_log WHERE consume_tran_channel_id IS NOT NULL AND counterpart_id IS NULL) e
    FULL JOIN (SELECT * FROM translation_log WHERE entry_seq IS NOT NULL) l ON l.user_id = e.user_id AND l.entry_seq = e.seq
    WHERE ($1::bigint IS NULL OR coalesce(e.family_id, l.family_id) = $1) AND (e.cmd_id IS DISTINCT FROM l.cmd_id
      OR l.charged <> -(e.char_change + e.voice_change + e.image_change))`,
};

/** Violations by rule; empty if every rule holds. */
export async function brokenInvariants(
  pool: pg.Pool,
  familyId: number | null = null,
): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, query] of Object.entries(RULES)) {
    const { rows } = await pool.query<Record<string, unknown>>(query, [familyId]);
    if (rows.length > 0) broken[rule] = rows;
  }
  return broken;
}
