import type { EntityManager } from '@mikro-orm/postgresql';
import { ENTRY_TYPES, type EntryType } from '@yiqiao/domain/ledger';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';
import { arrayLiteral } from '../rows/array-parameters.js';
import type { Range } from './ordinal-range.js';

/** The address or client of a translation, or both. */
export type FromWhere = { loginIp?: string | undefined; clientType?: ClientType | undefined };

/**
 * The lines (usage_seq) of a member's translation log that came from an address or client, newest first, at most FILTERED_ROWS_MAX. Below
 * that bound their number is the exact total (docs/decisions/0008).
 */
export function matchingLines(em: EntityManager, userId: number, among: FromWhere & Range): Promise<number[]> {
  return read(em, {
    sql: `SELECT usage_seq AS n FROM (${linesFrom(among, '')}) AS found ORDER BY usage_seq DESC LIMIT ${FILTERED_ROWS_MAX}`,
    parameters: lineParameters(userId, among),
  });
}

/** `isBounded`: the newest FILTERED_ROWS_MAX lines were searched, so there may be more. */
export type MatchingEntries = { seqs: number[]; isBounded: boolean };

/**
 * The same for entries (seq). `ofType` filters by type; `ordinals` are its type_seq. Entries of a rare type are looked up one by one; for a
 * frequent type the newest matching lines are filtered.
 */
export async function matchingEntries(
  em: EntityManager,
  userId: number,
  among: FromWhere & Range & { ofType?: { type: EntryType; ordinals: Range } | undefined },
): Promise<MatchingEntries> {
  const { ofType } = among;
  if (ofType) {
    const { lo, hi } = ofType.ordinals;
    const parameters = [userId, ENTRY_TYPES[ofType.type].code, lo, hi, ...filterParameters(among)];
    if (hi - lo < FILTERED_ROWS_MAX)
      return { seqs: await read(em, { sql: OF_RARE_TYPE, parameters }), isBounded: false };
  }
  const lines = linesFrom(among, 'AND entry_seq IS NOT NULL');
  const newest = `SELECT usage_seq, entry_seq AS n FROM (${lines}) AS found ORDER BY usage_seq DESC LIMIT ${FILTERED_ROWS_MAX}`;
  const searched = await read(em, {
    sql: `SELECT n FROM (${newest}) AS newest ORDER BY usage_seq DESC`,
    parameters: lineParameters(userId, among),
  });
  const isBounded = searched.length === FILTERED_ROWS_MAX;
  if (!ofType || searched.length === 0) return { seqs: searched, isBounded };
  const found = await read(em, {
    sql: OF_TYPE,
    parameters: [userId, ENTRY_TYPES[ofType.type].code, arrayLiteral(searched)],
  });
  const isOfType = new Set(found);
  return { seqs: searched.filter((seq) => isOfType.has(seq)), isBounded };
}

// The numbers as one array: whichever index the planner takes, it passes over the member's entries once. A lookup for each number read all
// of them for each, under statistics older than the member.
const OF_TYPE = `SELECT seq AS n FROM account_log WHERE user_id = ? AND log_type = ? AND seq = ANY (?::bigint[])`;

// Both indexes end with the number, so each of the five kinds of client returns its newest lines without sorting.
const linesFrom = ({ loginIp, clientType }: FromWhere, also: string): string => {
  const kinds = clientType ? [CLIENT_TYPES[clientType].code] : Object.values(CLIENT_TYPES).map(({ code }) => code);
  return kinds
    .map(
      (code) => `(SELECT usage_seq, entry_seq FROM translation_log
        WHERE user_id = ? AND client_type = ${code} ${loginIp === undefined ? '' : 'AND ip = ?::inet'} AND usage_seq BETWEEN ? AND ? ${also}
        ORDER BY usage_seq DESC LIMIT ${FILTERED_ROWS_MAX})`,
    )
    .join(' UNION ALL ');
};

const lineParameters = (userId: number, { loginIp, clientType, lo, hi }: FromWhere & Range): unknown[] => {
  const one = [userId, ...(loginIp === undefined ? [] : [loginIp]), lo, hi];
  return Array.from({ length: clientType ? 1 : Object.keys(CLIENT_TYPES).length }, () => one).flat();
};

const OF_RARE_TYPE = `
SELECT e.seq AS n FROM account_log e JOIN translation_log l ON l.cmd_id = e.cmd_id AND l.user_id = e.user_id
WHERE e.user_id = ? AND e.log_type = ? AND e.type_seq BETWEEN ? AND ?
  AND (?::inet IS NULL OR l.ip = ?::inet) AND (?::smallint IS NULL OR l.client_type = ?::smallint)
ORDER BY e.type_seq DESC`;

const filterParameters = ({
  loginIp = null,
  clientType,
}: {
  loginIp?: string | null | undefined;
  clientType?: ClientType | undefined;
}): unknown[] => {
  const client = clientType ? CLIENT_TYPES[clientType].code : null;
  return [loginIp, loginIp, client, client];
};

async function read(em: EntityManager, { sql, parameters }: { sql: string; parameters: unknown[] }): Promise<number[]> {
  const [row] = await em.execute<{ all: string }[]>(`SELECT array(${sql})::text AS all`, parameters);
  const list = row?.all.slice(1, -1) ?? '';
  return list === '' ? [] : list.split(',').map(Number);
}
