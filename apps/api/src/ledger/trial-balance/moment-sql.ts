/** The parts of the trial balance in SQL, now or at a past moment; both are common table expressions without parameters of their own. */
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { BLOCK } from '../time-machine/account-blocks.js';
import { LINE, UNROLLED } from './ledger-days.js';

const { RECHARGE_ORDER_BY_MEMBER_GROUP: RECHARGE, SYS_ADJUST } = ENTRY_TYPES;

const ENTRY = 'char_change AS char_num, voice_change AS voice_num, image_change AS image_num, amount';

/** `moment (at, day)`: the moment and its calendar day, parameters of the query. */
export const MOMENT = 'moment (at, day) AS (VALUES (?::timestamptz, ?::date))';
const AT = '(SELECT at FROM moment)';
const DAY = '(SELECT day FROM moment)';

/** `change (line, entries, …)`: days and single entries whose sums are the lines of entries. OFFSET 0: by their numbers, not by reading the whole log. */
const CHANGES_NOW = `change AS (
  SELECT line, entries, char_num, voice_num, image_num, amount FROM ledger_day
  UNION ALL
  SELECT line, 1, char_num, voice_num, image_num, amount FROM (${UNROLLED}) AS unrolled CROSS JOIN LATERAL (
    SELECT ${LINE} AS line, ${ENTRY} FROM account_log
    WHERE user_id = unrolled.user_id AND seq > unrolled.after AND seq <= unrolled.upto OFFSET 0
  ) AS entry
)`;

/** Whole days until the moment, and the entries of its own day. Every entry of an earlier day must be counted. `zone` is a checked name. */
const changesThen = (zone: string): string => `change AS (
  SELECT day, line, entries, char_num, voice_num, image_num, amount FROM ledger_day WHERE day < ${DAY}
  UNION ALL
  SELECT ${DAY}, ${LINE} AS line, 1, ${ENTRY} FROM account_log WHERE created_at >= ${DAY}::timestamp AT TIME ZONE '${zone}' AND created_at <= ${AT}
)`;

/** `holder`: every account with its balances, recharge total (`amount`) and own expiry. */
const HOLDERS_NOW = `holder AS MATERIALIZED (
  SELECT a.user_id, a.family_id, m.closed_at IS NOT NULL AS closed, a.usable_char_num AS char_num, a.usable_voice_num AS voice_num,
    a.usable_image_num AS image_num, a.recharge_amount_total AS amount, a.expire_at
  FROM member_account a LEFT JOIN member m ON m.id = a.user_id
)`;

/** An account that was written later is read from its entries: the last complete block until then, and at most 32 entries. */
const HOLDERS_THEN = `holder AS MATERIALIZED (
  SELECT a.user_id, a.family_id, coalesce(m.closed_at <= ${AT}, false) AS closed,
    ${[
      ['a.usable_char_num', 'coalesce(e.last_char, 0)', 'char_num'],
      ['a.usable_voice_num', 'coalesce(e.last_voice, 0)', 'voice_num'],
      ['a.usable_image_num', 'coalesce(e.last_image, 0)', 'image_num'],
      ['a.recharge_amount_total', 'coalesce(base.amount, 0) + coalesce(rest.amount, 0)', 'amount'],
      ['a.expire_at', 'e.last_expire_at', 'expire_at'],
    ]
      .map(([row, entry, name]) => `CASE WHEN a.last_written_at <= ${AT} THEN ${row} ELSE ${entry} END AS ${name}`)
      .join(', ')}
  FROM member_account a LEFT JOIN member m ON m.id = a.user_id
  LEFT JOIN LATERAL (
    SELECT (block + 1) * ${BLOCK} AS seq, recharge_amount_total AS amount FROM account_block b
    WHERE b.user_id = a.user_id AND level = 0 AND last_at <= ${AT} ORDER BY last_at DESC, block DESC LIMIT 1
  ) AS base ON a.last_written_at > ${AT}
  LEFT JOIN LATERAL (
    SELECT max(seq) AS seq, sum(l.amount) AS amount FROM account_log l
    WHERE l.user_id = a.user_id AND l.created_at <= ${AT} AND l.seq > coalesce(base.seq, 0)
      AND l.seq <= coalesce((SELECT (block + 1) * ${BLOCK} FROM account_block b
        WHERE b.user_id = a.user_id AND level = 0 AND block = coalesce(base.seq, 0) / ${BLOCK}), a.entry_seq)
  ) AS rest ON a.last_written_at > ${AT}
  LEFT JOIN account_log e ON a.last_written_at > ${AT} AND e.user_id = a.user_id AND e.seq = coalesce(rest.seq, base.seq)
)`;

/** `family`: open or closed families with their sums; sub-accounts expire with their main account. */
const FAMILIES = `family AS (
  SELECT h.family_id, h.closed, coalesce(bool_or(main.expire_at <= ${AT}), false) AS expired, max(main.expire_at) AS expire_at,
    count(*) AS accounts, sum(h.char_num) AS char_num, sum(h.voice_num) AS voice_num, sum(h.image_num) AS image_num, sum(h.amount) AS amount
  FROM holder h LEFT JOIN holder main ON main.user_id = h.family_id GROUP BY h.family_id, h.closed
)`;

/** Paid orders and refunds, by the time of their entries. A refund counts once it has taken quota back, unless that was returned. */
const money = (until: (at: string) => string): string => `money AS (
  SELECT 'paid' AS line, coalesce(sum(o.amount), 0) AS amount
  FROM recharge_order o LEFT JOIN account_log e ON e.order_id = o.id AND e.log_type = ${RECHARGE.code}
  WHERE o.pay_status = 'P' AND ${until('coalesce(e.created_at, o.paid_at)')}
  UNION ALL
  SELECT 'refunded', coalesce(sum(r.amount), 0) FROM (
    SELECT p.order_id, p.refund_cmd AS cmd, coalesce(p.refund_amount, p.amount) AS amount, p.refund_state = 'refused' AS refused
    FROM payment p WHERE p.verdict = 'credit' AND p.refund_state IS NOT NULL
    UNION ALL
    SELECT p.order_id, f.cmd_id, f.amount, false FROM earlier_refund f JOIN payment p ON p.id = f.payment_id WHERE p.verdict = 'credit'
  ) AS r JOIN recharge_order o ON o.id = r.order_id
  JOIN account_log e ON e.cmd_id = r.cmd AND e.user_id = o.user_id AND ${until('e.created_at')}
  WHERE NOT (r.refused AND EXISTS (SELECT FROM account_log b WHERE b.order_id = o.id AND b.user_id = o.user_id
    AND b.log_type = ${SYS_ADJUST.code} AND b.seq > e.seq AND b.amount > 0 AND ${until('b.created_at')}))
)`;
const MONEY = { now: money(() => 'true'), then: money((at) => `${at} <= ${AT}`) };

type Source = 'now' | 'then';

export const changes = (source: Source, zone: string): string => (source === 'now' ? CHANGES_NOW : changesThen(zone));
export const families = (source: Source): string => `${source === 'now' ? HOLDERS_NOW : HOLDERS_THEN}, ${FAMILIES}`;

/** The whole balance: one row per line. */
export const balance = (source: Source, zone: string): string => `
WITH ${MOMENT}, ${changes(source, zone)}, ${families(source)}, ${MONEY[source]}
SELECT line, sum(entries)::bigint AS entries, sum(char_num)::bigint AS "charNum", sum(voice_num)::bigint AS "voiceNum",
  sum(image_num)::bigint AS "imageNum", sum(amount)::bigint AS amount
FROM (
  SELECT line, entries, char_num, voice_num, image_num, amount FROM change
  UNION ALL SELECT CASE WHEN closed THEN 'lapsed' ELSE 'held' END, NULL, char_num, voice_num, image_num, 0 FROM family
  UNION ALL SELECT 'frozen', NULL, char_num, voice_num, image_num, 0 FROM family WHERE expired AND NOT closed
  UNION ALL SELECT 'recharged', NULL, 0, 0, 0, amount FROM family
  UNION ALL SELECT line, NULL, 0, 0, 0, amount FROM money
) AS part GROUP BY line`;
