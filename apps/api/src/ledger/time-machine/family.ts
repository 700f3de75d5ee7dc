import type { EntityManager } from '@mikro-orm/postgresql';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { BLOCK } from './account-blocks.js';
import { nameColumns, shownName, type Named } from './names.js';

/** A place in the order of a family's entries. All entries of a command have one time, and lie next to each other by id. */
export type Place = { ms: number; id: number };

export type Neighbour = { seq: number; id: number; ms: number; cmdId: string };
export type Standing = {
  userId: number;
  name: string;
  entries: number;
  seq: number;
  charNum: number;
  voiceNum: number;
  imageNum: number;
  /** The last entry until then, the one before it, and the one after. */
  last: Neighbour | null;
  before: Neighbour | null;
  after: Neighbour | null;
};

/** NOT_FOUND without the account. */
export async function familyIdOf(em: EntityManager, userId: number): Promise<number> {
  const [row] = await em.execute<{ id: number }[]>('SELECT family_id AS id FROM member_account WHERE user_id = ?', [
    userId,
  ]);
  if (!row) throw new Refusal('NOT_FOUND');
  return row.id;
}

/** Every member of a family, the main account first, then by their number of entries, just after a place, or, without an id, after the last entry of that millisecond. */
export async function standingsAt(
  em: EntityManager,
  familyId: number,
  { ms, id }: { ms: number; id: number | null },
  language: Language,
): Promise<Standing[]> {
  const at = new Date(ms).toISOString();
  const rows = await em.execute<Row[]>(STANDINGS, [at, id ?? Number.MAX_SAFE_INTEGER, familyId]);
  return rows.map(({ name, lastName, ...row }) => ({
    ...row,
    name: shownName({ userId: row.userId, name, lastName }, language),
  }));
}

type Row = Named & Omit<Standing, 'name'>;

const neighbour = (seq: string): string => `(
  SELECT json_build_object('seq', seq, 'id', id, 'ms', (date_part('epoch', created_at) * 1000)::bigint, 'cmdId', cmd_id)
  FROM account_log WHERE user_id = known.user_id AND seq = ${seq})`;

/** The blocks find the last 32 entries before that millisecond; those of the millisecond itself are compared by id. */
const STANDINGS = `
WITH place (at, id) AS (VALUES (?::timestamptz, ?::bigint)), block AS (
  SELECT user_id, family_id, entry_seq, coalesce((
    SELECT block + 1 FROM account_block b WHERE b.user_id = a.user_id AND level = 0 AND last_at < (SELECT at FROM place)
    ORDER BY last_at DESC, block DESC LIMIT 1
  ), 0) * ${BLOCK} AS base
  FROM member_account a WHERE family_id = ?
), known AS MATERIALIZED (
  SELECT block.*, coalesce((
    SELECT e.seq FROM account_log e, place
    WHERE e.user_id = block.user_id AND e.seq > block.base AND e.seq <= coalesce((
      SELECT (b.block + 1) * ${BLOCK} FROM account_block b
      WHERE b.user_id = block.user_id AND level = 0 AND last_at > place.at ORDER BY last_at, b.block LIMIT 1
    ), block.entry_seq) AND (e.created_at < place.at OR e.created_at = place.at AND e.id <= place.id)
    ORDER BY e.seq DESC LIMIT 1
  ), block.base) AS seq
  FROM block
)
SELECT known.user_id AS "userId", known.entry_seq AS entries, known.seq, ${nameColumns('known.user_id')},
  coalesce(e.last_char, 0) AS "charNum", coalesce(e.last_voice, 0) AS "voiceNum", coalesce(e.last_image, 0) AS "imageNum",
  ${neighbour('known.seq')} AS last, ${neighbour('known.seq - 1')} AS before, ${neighbour('known.seq + 1')} AS after
FROM known LEFT JOIN account_log e ON e.user_id = known.user_id AND e.seq = known.seq
ORDER BY known.user_id <> known.family_id, known.entry_seq DESC, known.user_id`;
