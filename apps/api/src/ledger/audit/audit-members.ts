import type pg from 'pg';
import { fromStarts, startingLater, type Scope } from './audit-rows.js';
import { about, type Findings } from './findings.js';

type Row = { user_id: string | null; field: string; expected: string; found: string };

/** Checks beside the entries of the accounts, each limited to `$1` rows. `days`: a condition on the days whose usage is added up. */
const checksOf = (days: string): string[] => [
  `SELECT m.id AS user_id, 'account of the member' AS field, 'a row' AS expected, 'none' AS found
   FROM member m LEFT JOIN member_account a ON a.user_id = m.id WHERE a.user_id IS NULL ORDER BY m.id LIMIT $1`,
  `SELECT a.user_id, 'family of the member' AS field, a.family_id::text AS expected, m.family_id::text AS found
   FROM member_account a JOIN member m ON m.id = a.user_id WHERE a.family_id <> m.family_id ORDER BY a.user_id LIMIT $1`,
  `SELECT u.family_id AS user_id, 'usage of the family of ' || coalesce(u.day, f.day) AS field,
     concat_ws(' / ', u.char_num, u.voice_num, u.image_num) AS expected, concat_ws(' / ', f.char_num, f.voice_num, f.image_num) AS found
   FROM (SELECT family_id, day, sum(char_num)::bigint AS char_num, sum(voice_num)::bigint AS voice_num, sum(image_num)::bigint AS image_num
     FROM usage_day WHERE ${days} GROUP BY family_id, day) u
   FULL JOIN (SELECT * FROM family_usage_day WHERE ${days}) f ON f.family_id = u.family_id AND f.day = u.day
   WHERE (u.char_num, u.voice_num, u.image_num) IS DISTINCT FROM (f.char_num, f.voice_num, f.image_num) LIMIT $1`,
  `SELECT m.user_id, 'account' AS field, 'a row' AS expected, 'none' AS found
   FROM usage_mark m LEFT JOIN member_account a ON a.user_id = m.user_id WHERE a.user_id IS NULL LIMIT $1`,
  // A gift names its member, except old ones for which no entry was found: they have neither member nor quota.
  `SELECT NULL AS user_id, 'member of a gift' AS field, 'a member' AS expected, 'none' AS found
   FROM mailbox_gift WHERE user_id IS NULL AND char_num IS NOT NULL LIMIT $1`,
  `SELECT NULL AS user_id, 'earlier refunds of payment ' || p.gateway || ' ' || p.trade_no AS field,
     coalesce(f.sum, 0)::text AS expected, p.refunded_before::text AS found
   FROM payment p LEFT JOIN (SELECT payment_id, sum(amount) AS sum FROM earlier_refund GROUP BY payment_id) f ON f.payment_id = p.id
   WHERE p.refunded_before <> coalesce(f.sum, 0) ORDER BY p.id LIMIT $1`,
];

/** All foreign keys, to look for orphans, which only a superuser who disables triggers can create. Those of a part are its table's. */
const FOREIGN_KEYS = `
SELECT c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent,
  (SELECT array_agg(quote_ident(a.attname) ORDER BY k.n) FROM unnest(c.conkey) WITH ORDINALITY k (attnum, n)
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum)::text[] AS columns,
  (SELECT array_agg(quote_ident(a.attname) ORDER BY k.n) FROM unnest(c.confkey) WITH ORDINALITY k (attnum, n)
    JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum)::text[] AS keys,
  EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attname = 'user_id') AS has_user
FROM pg_constraint c WHERE c.contype = 'f' AND c.conparentid = 0 AND c.connamespace = 'public'::regnamespace ORDER BY 1, c.conname`;

type ForeignKey = { child: string; parent: string; columns: string[]; keys: string[]; has_user: boolean };

/** The two logs, which alone grow with every translation, by their ordinal. */
const LOGS: Readonly<Record<string, string>> = { account_log: 'seq', translation_log: 'usage_seq' };

/** What an archive leaves of the logs is checked by the full audit as a whole. */
const sinceAnchors = (scope: Scope): ReturnType<typeof startingLater> =>
  scope.anchors?.from ? startingLater(scope) : null;

function rowsOf(child: string, scope: Scope): string {
  const [since, order] = [sinceAnchors(scope), LOGS[child]];
  if (!since || !order) return child;
  const after = `user_id = a.user_id AND ${order} > coalesce(n.${order}, 0)`;
  return `(${fromStarts(since, `SELECT * FROM ${child} WHERE ${after}`, order)})`;
}

const orphansOf = ({ child, parent, columns, keys, has_user }: ForeignKey, scope: Scope): string => `
SELECT ${has_user ? 'c.user_id' : 'NULL'} AS user_id, '${columns.join(', ')} of ${child}' AS field, 'a row of ${parent}' AS expected,
  'none: ' || concat_ws(', ', ${columns.map((column) => `c.${column}`).join(', ')}) AS found
FROM ${rowsOf(child, scope)} c LEFT JOIN ${parent} p ON ${columns.map((column, i) => `p.${keys[i]} = c.${column}`).join(' AND ')}
WHERE ${columns.map((column) => `c.${column} IS NOT NULL`).join(' AND ')} AND p.${keys[0]} IS NULL LIMIT $1`;

/**
 * Checks that members and accounts match, that the usage of a family is the sum of its members', and that no foreign key is broken, so a
 * deleted member is noticed wherever a row still refers to it. From the anchors on: in the logs only rows after them, of usage only the days
 * since the newest close.
 */
export async function auditMembers(
  client: pg.PoolClient,
  { findings, scope }: { findings: Findings; scope: Scope },
): Promise<void> {
  await client.query('SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on; SET LOCAL enable_sort = on');
  const { rows: keys } = await client.query<ForeignKey>(FOREIGN_KEYS);
  const days = sinceAnchors(scope) ? `day >= coalesce((SELECT max(date) FROM ledger_close), '-infinity')` : 'true';
  for (const query of [...checksOf(days), ...keys.map((key) => orphansOf(key, scope))]) {
    if (findings.full) return;
    const { rows } = await client.query<Row>(query, [MOST]);
    for (const { user_id, ...wrong } of rows) {
      const userId = Number(user_id ?? 0);
      const causes = userId === 0 ? [] : [about.broken(userId), about.usage(userId)];
      findings.add({ userId, seq: null, ...wrong }, [`${wrong.field} ${userId} ${wrong.found}`], causes);
    }
  }
}

const MOST = 1_000;
