import type { EntityManager } from '@mikro-orm/postgresql';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';

/** Both ends included; empty if `hi < lo`. */
export type Range = { lo: number; hi: number };

/** The dense numberings of a member's rows, oldest first: of all entries, of the entries of a type, of the translation log. */
export type Numbering = { of: 'entries' } | { of: 'type'; type: EntryType } | { of: 'lines' };

/** `moved`: how many of the oldest are in cold files. */
type Source = { table: string; ordinal: string; newest: string; moved: string; also: string };

/** The types of which entries move to cold files; the others stay, however old. */
const MOVED: readonly number[] = [ENTRY_TYPES.TRANSLATION_CONSUME, ENTRY_TYPES.VOICE_CONSUME, ENTRY_TYPES.OTHER].map(
  ({ code }) => code,
);

const sourceOf = (numbering: Numbering): Source => {
  if (numbering.of === 'entries')
    return { table: 'account_log', ordinal: 'seq', newest: 'entry_seq', moved: 'h.seq', also: '' };
  if (numbering.of === 'lines')
    return { table: 'translation_log', ordinal: 'usage_seq', newest: 'a.usage_seq', moved: 'h.usage_seq', also: '' };
  const { code } = ENTRY_TYPES[numbering.type];
  const [newest, moved] = [`coalesce(a.type_seqs[${code}], 0)`, MOVED.includes(code) ? `h.type_seqs[${code}]` : '0'];
  return { table: 'account_log', ordinal: 'type_seq', newest, moved, also: `AND log_type = ${code}` };
};

/** Binary search for the first row whose time meets `test`; about 20 index probes among a million rows. */
const search = (name: string, source: Source, test: string): string => `
${name} (lo, hi) AS (
  SELECT moved + 1, newest + 1 FROM account
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
 * binary search finds the range, and its length is the exact total of a log of any length. What is in cold files is not part of it.
 */
export async function ordinalRange(
  em: EntityManager,
  userId: number,
  within: { numbering: Numbering; from: Date | undefined; to: Date | undefined },
): Promise<Range> {
  const source = sourceOf(within.numbering);
  const [row] = await em.execute<{ lo: number; hi: number }[]>(
    `WITH RECURSIVE account AS (
       SELECT a.user_id, ${source.newest} AS newest, coalesce(${source.moved}, 0)::bigint AS moved, ?::timestamptz AS first, ?::timestamptz AS last
       FROM member_account a LEFT JOIN account_archive h ON h.user_id = a.user_id WHERE a.user_id = ?
     ), ${search('begins', source, '>= (SELECT first FROM account)')},
     ${search('ends', source, '> (SELECT last FROM account)')}
     SELECT (SELECT max(lo) FROM begins) AS lo, (SELECT max(lo) FROM ends) - 1 AS hi`,
    [within.from ?? '-infinity', within.to ?? 'infinity', userId],
  );
  return { lo: Number(row?.lo ?? 1), hi: Number(row?.hi ?? 0) };
}
