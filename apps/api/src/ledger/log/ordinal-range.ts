import type { EntityManager } from '@mikro-orm/postgresql';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';

/** Both ends included; empty if `hi < lo`. */
export type Range = { lo: number; hi: number };

/** The dense numberings of a member's rows, oldest first: of all entries, of the entries of a type, of the translation log. */
export type Numbering = { of: 'entries' } | { of: 'type'; type: EntryType } | { of: 'lines' };

type Source = { table: string; ordinal: string; newest: string; also: string };

const sourceOf = (numbering: Numbering): Source => {
  if (numbering.of === 'entries') return { table: 'account_log', ordinal: 'seq', newest: 'entry_seq', also: '' };
  if (numbering.of === 'lines')
    return { table: 'translation_log', ordinal: 'usage_seq', newest: 'usage_seq', also: '' };
  const { code } = ENTRY_TYPES[numbering.type];
  const newest = `coalesce(type_seqs[${code}], 0)`;
  return { table: 'account_log', ordinal: 'type_seq', newest, also: `AND log_type = ${code}` };
};

/** Binary search for the first row whose time meets `test`; about 20 index probes among a million rows. */
const search = (name: string, source: Source, test: string): string => `
${name} (lo, hi) AS (
  SELECT 1::bigint, newest + 1 FROM account
  UNION ALL
  SELECT CASE WHEN at_mid ${test} THEN lo ELSE mid + 1 END, CASE WHEN at_mid ${test} THEN mid ELSE hi END
  FROM (
    SELECT lo, hi, (lo + hi) / 2 AS mid, (
      SELECT created_at FROM ${source.table}
      WHERE user_id = account.user_id AND ${source.ordinal} = (lo + hi) / 2 ${source.also}
    ) AS at_mid
    FROM ${name}, account WHERE lo < hi
  ) AS probe
)`;

/**
 * The ordinals of a member's rows between two times, both included. Rows are numbered without gaps in order of time (decisions §4), so a
 * binary search finds the range, and its length is the exact total of a log of any length.
 */
export async function ordinalRange(
  em: EntityManager,
  userId: number,
  within: { numbering: Numbering; from: Date | undefined; to: Date | undefined },
): Promise<Range> {
  const source = sourceOf(within.numbering);
  const [row] = await em.execute<{ lo: number; hi: number }[]>(
    `WITH RECURSIVE account AS (
       SELECT user_id, ${source.newest} AS newest, ?::timestamptz AS first, ?::timestamptz AS last
       FROM member_account WHERE user_id = ?
     ), ${search('begins', source, '>= (SELECT first FROM account)')},
     ${search('ends', source, '> (SELECT last FROM account)')}
     SELECT (SELECT max(lo) FROM begins) AS lo, (SELECT max(lo) FROM ends) - 1 AS hi`,
    [within.from ?? '-infinity', within.to ?? 'infinity', userId],
  );
  return { lo: Number(row?.lo ?? 1), hi: Number(row?.hi ?? 0) };
}
