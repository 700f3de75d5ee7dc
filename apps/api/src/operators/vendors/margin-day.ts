import { CHANNELS } from '@yiqiao/domain/channels';

/** The value and the cost of what was used on one day, by channel, plan and vendor account. */

/** Micro-yuan. `account`: of the vendor; null for what no vendor served, and for the minutes of time packages. */
export type MarginRow = {
  channel: number;
  plan: number;
  account: number | null;
  chars: number;
  minutes: number;
  value: number;
  cost: number;
  costless: number;
};

/** Parameters: the beginning of the day, and its end (exclusive) or the moment up to which it has come. */
export const MARGIN_DAY = `
WITH day AS MATERIALIZED (SELECT ?::timestamptz AS a, ?::timestamptz AS b),
prices AS MATERIALIZED (
  SELECT tran_channel_id AS channel, price, effective_at AS since,
    lead(effective_at, 1, 'infinity') OVER (PARTITION BY tran_channel_id ORDER BY effective_at) AS until
  FROM channel_price),
lines AS (
  SELECT t.family_id, t.tran_channel_id AS channel, t.vendor_account_id AS account, sum(t.charged) AS chars,
    sum(t.charged::numeric * coalesce(p.price, 0)) AS worth, sum(coalesce(t.vendor_cost, 0)) AS cost,
    count(*) FILTER (WHERE t.vendor_cost IS NULL AND t.free IS NULL AND t.status = 1 AND t.tran_channel_id <> ${CHANNELS.offline.id}) AS costless
  FROM day, translation_log t
  LEFT JOIN account_log e ON e.user_id = t.user_id AND e.seq = t.entry_seq
  LEFT JOIN prices p ON p.channel = e.last_tran_channel_id AND t.created_at >= p.since AND t.created_at < p.until
  WHERE t.created_at >= day.a AND t.created_at < day.b
  GROUP BY t.family_id, t.tran_channel_id, t.vendor_account_id),
timed AS (
  SELECT a.user_id, g.minute_price FROM member_account a JOIN member m ON m.id = a.user_id JOIN member_group g ON g.id = m.member_group_id
  WHERE a.user_id = a.family_id AND (a.billing_mode = 2 OR EXISTS (
    SELECT 1 FROM recharge_order o WHERE o.user_id = a.user_id AND o.pay_status = 'P' AND o.billing_mode = 2))),
states AS (
  SELECT e.user_id, timed.minute_price, e.created_at AS since, e.last_billing_mode AS mode, e.last_expire_at AS expires,
    e.last_tran_channel_id AS channel, lead(e.created_at, 1, 'infinity') OVER (PARTITION BY e.user_id ORDER BY e.seq) AS until
  FROM day, timed JOIN account_log e ON e.user_id = timed.user_id
  WHERE (e.log_type NOT IN (1, 7, 8, 9, 10) OR e.log_type IN (1, 10)) AND e.created_at < day.b),
passed AS (
  SELECT user_id AS family_id, channel, sum(minutes) AS minutes, sum(minutes * minute_price) AS worth FROM (
    SELECT states.*, extract(epoch FROM least(until, expires, day.b) - greatest(since, day.a)) / 60 AS minutes
    FROM day, states WHERE mode = 2 AND expires IS NOT NULL) AS s
  WHERE minutes > 0 GROUP BY user_id, channel),
used AS (
  SELECT family_id, channel, account, chars, 0::numeric AS minutes, worth, cost, costless FROM lines
  UNION ALL
  SELECT family_id, channel, NULL, 0, minutes, worth, 0, 0 FROM passed WHERE channel IS NOT NULL),
families AS (
  SELECT f.family_id, m.member_group_id AS plan_now,
    (SELECT o.member_group_id FROM recharge_order o
     WHERE o.user_id = f.family_id AND o.pay_status = 'P' AND o.paid_at < day.b ORDER BY o.paid_at DESC LIMIT 1) AS plan_then,
    credited.paid, credited.worth
  FROM day, (SELECT DISTINCT family_id FROM used) AS f JOIN member m ON m.id = f.family_id JOIN member_group g ON g.id = m.member_group_id
  CROSS JOIN LATERAL (
    SELECT sum(e.amount)::numeric * 10000 AS paid,
      sum(e.char_change::numeric * coalesce(p.price, 0) + e.min_change::numeric * g.minute_price) AS worth
    FROM account_log e
    LEFT JOIN prices p ON p.channel = e.last_tran_channel_id AND e.created_at >= p.since AND e.created_at < p.until
    WHERE e.user_id = f.family_id AND e.log_type IN (1, 3, 9, 10) AND e.created_at < day.b
      AND (e.char_change <> 0 OR e.min_change <> 0 OR e.amount <> 0)) AS credited)
SELECT u.channel, coalesce(f.plan_then, f.plan_now) AS plan, u.account, sum(u.chars)::float8 AS chars, sum(u.minutes)::float8 AS minutes,
  round(sum(u.worth * CASE WHEN f.worth > 0 THEN greatest(0, f.paid) / f.worth ELSE 0 END))::float8 AS value,
  sum(u.cost)::float8 AS cost, sum(u.costless)::int AS costless
FROM used u JOIN families f USING (family_id)
GROUP BY 1, 2, 3`;
