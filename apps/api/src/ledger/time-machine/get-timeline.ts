import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getTimeline } from '@yiqiao/contracts/operator/accounts';
import { entryTypeOf, type EntryType } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { archivedUntil, requireInDatabase } from '../rows/archived.js';
import { AccountBlocks, BLOCK, LARGE_BLOCK } from './account-blocks.js';
import { entryCount } from './read-states.js';

type Timeline = Answer<typeof getTimeline>;

export class GetTimeline extends Query<Timeline> {
  constructor(readonly request: Input<typeof getTimeline>) {
    super();
  }
}

/** Balances at evenly spaced moments from the archive on, with the true extremes and the entries between them (operators §6). Throws LEDGER_ARCHIVED. */
@QueryHandler(GetTimeline)
export class GetTimelineHandler implements IQueryHandler<GetTimeline> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
  ) {}

  async execute({ request: { userId, from, to, points } }: GetTimeline): Promise<Timeline> {
    const em = this.em.fork();
    await entryCount(em, userId);
    await requireInDatabase(em, { whose: { userId }, at: this.clock.endOfWire(to) }, this.clock);
    const since = await archivedUntil(em, { userId });
    await this.blocks.catchUp(userId);
    const times = evenly({ from, to, points, since }, this.clock);
    const rows = await timelineRows(em, userId, times);
    let before: number[] = rows[0]?.typeSeqs ?? [];
    return {
      points: rows.map((row, i) => {
        const entries = newEntries(before, row.typeSeqs);
        before = row.typeSeqs;
        return {
          at: this.clock.toWire(new Date(times[i] ?? 0)),
          seq: row.seq,
          charNum: row.char,
          voiceNum: row.voice,
          imageNum: row.image,
          min: { charNum: row.minChar, voiceNum: row.minVoice, imageNum: row.minImage },
          max: { charNum: row.maxChar, voiceNum: row.maxVoice, imageNum: row.maxImage },
          entries,
        };
      }),
    };
  }
}

type Spaced = { from: string; to: string; points: number; since: Date | null };

/** Evenly spaced times in milliseconds, from the end of the second `from` to that of `to`, none before `since`. */
export function evenly({ from, to, points, since }: Spaced, clock: Clock): number[] {
  const begin = Math.max(clock.endOfWire(from).getTime(), since?.getTime() ?? 0);
  const end = clock.endOfWire(to).getTime();
  return Array.from({ length: points }, (_, i) => Math.round(begin + ((end - begin) * i) / (points - 1)));
}

/** The account at each of `times`, and the extremes since the one before. */
export const timelineRows = (em: EntityManager, userId: number, times: readonly number[]): Promise<TimelineRow[]> =>
  em.execute<TimelineRow[]>(TIMELINE, [userId, `{${times.map((at) => new Date(at).toISOString()).join(',')}}`]);

type TimelineRow = {
  seq: number;
  char: number;
  voice: number;
  image: number;
  minChar: number;
  maxChar: number;
  minVoice: number;
  maxVoice: number;
  minImage: number;
  maxImage: number;
  typeSeqs: number[];
};

function newEntries(before: readonly number[], after: readonly number[]): Partial<Record<EntryType, number>> {
  const found: Partial<Record<EntryType, number>> = {};
  for (const [i, n] of after.entries()) {
    const type = entryTypeOf(i + 1);
    const added = Number(n) - Number(before[i] ?? 0);
    if (type !== undefined && added > 0) found[type] = added;
  }
  return found;
}

const BALANCES = ['char', 'voice', 'image'];
const OF_ENTRY = BALANCES.map((name) => `last_${name} AS min_${name}, last_${name} AS max_${name}`).join(', ');
const OF_BLOCK = BALANCES.map((name) => `min_${name}, max_${name}`).join(', ');
const EXTREMES = BALANCES.map((name) => `min(min_${name}) AS min_${name}, max(max_${name}) AS max_${name}`).join(', ');

/** The entries in an open-closed range of numbers, and the blocks of a level in a half-open range. */
const entriesOf = (after: string, upto: string): string =>
  `SELECT ${OF_ENTRY} FROM account_log WHERE user_id = g.user_id AND seq > ${after} AND seq <= ${upto}`;
const blocksOf = (level: number, first: string, beyond: string): string =>
  `SELECT ${OF_BLOCK} FROM account_block WHERE user_id = g.user_id AND level = ${level} AND block >= ${first} AND block < ${beyond}`;

/**
 * For each moment the last entry by then: its block is found by time, then at most 32 entries of the next one, by their numbers (IS TRUE
 * keeps the planner from the index over the times of all accounts, of which each moment would read half). Between two moments the
 * extremes come from the largest blocks that fit, and from single entries at both ends.
 */
const TIMELINE = `
WITH account AS MATERIALIZED (
  SELECT user_id, (SELECT coalesce(max(block) + 1, 0) FROM account_block b WHERE b.user_id = a.user_id AND level = 0) AS built
  FROM member_account a WHERE user_id = ?
), moment AS MATERIALIZED (
  SELECT user_id, built, n, at, coalesce((
    SELECT block + 1 FROM account_block b WHERE b.user_id = account.user_id AND level = 0 AND last_at <= at
    ORDER BY last_at DESC, block DESC LIMIT 1
  ), 0) AS blocks
  FROM account, unnest(?::timestamptz[]) WITH ORDINALITY AS t (at, n)
), known AS MATERIALIZED (
  SELECT m.user_id, m.built, m.n, greatest(m.blocks * ${BLOCK}, l.seq) AS seq, l.counts,
    (SELECT type_seqs FROM account_block b WHERE b.user_id = m.user_id AND level = 0 AND block = m.blocks - 1) AS base
  FROM moment m, LATERAL (
    SELECT max(seq) AS seq, coalesce(jsonb_object_agg(log_type, ordinal), '{}') AS counts FROM (
      SELECT log_type, max(seq) AS seq, max(type_seq) AS ordinal FROM account_log e
      WHERE e.user_id = m.user_id AND seq > m.blocks * ${BLOCK}
        AND seq <= CASE WHEN m.blocks >= m.built THEN ${Number.MAX_SAFE_INTEGER} ELSE (m.blocks + 1) * ${BLOCK} END
        AND (created_at <= m.at) IS TRUE
      GROUP BY log_type
    ) AS by_type
  ) AS l
), gap AS (
  SELECT *, a * ${BLOCK} AS after_small, z * ${BLOCK} AS before_small, big_a * ${BLOCK} AS after_large, big_z * ${BLOCK} AS before_large
  FROM (
    SELECT user_id, n, seq, counts, base, coalesce(lag(seq) OVER (ORDER BY n), seq) AS begin,
      (coalesce(lag(seq) OVER (ORDER BY n), seq) + ${BLOCK - 1}) / ${BLOCK} AS a, least(seq / ${BLOCK}, built) AS z,
      (coalesce(lag(seq) OVER (ORDER BY n), seq) + ${LARGE_BLOCK - 1}) / ${LARGE_BLOCK} AS big_a,
      least(seq / ${LARGE_BLOCK}, built / ${BLOCK}) AS big_z
    FROM known
  ) AS ends
)
SELECT g.seq, coalesce(e.last_char, 0) AS char, coalesce(e.last_voice, 0) AS voice, coalesce(e.last_image, 0) AS image,
  ${BALANCES.map((name) => {
    const label = name[0]?.toUpperCase() + name.slice(1);
    const start = `coalesce(b.last_${name}, 0)`;
    return `least(x.min_${name}, ${start}) AS "min${label}", greatest(x.max_${name}, ${start}) AS "max${label}"`;
  }).join(', ')},
  ARRAY (
    SELECT greatest(coalesce(base[code], 0), coalesce((counts ->> code::text)::bigint, 0))
    FROM generate_series(1, greatest(cardinality(base), (SELECT max(k::int) FROM jsonb_object_keys(counts) AS k))) AS code ORDER BY code
  ) AS "typeSeqs"
FROM gap g
LEFT JOIN account_log e ON e.user_id = g.user_id AND e.seq = g.seq
LEFT JOIN account_log b ON b.user_id = g.user_id AND b.seq = g.begin
CROSS JOIN LATERAL (
  SELECT ${EXTREMES} FROM (
    ${entriesOf('g.begin', 'CASE WHEN a < z THEN after_small ELSE g.seq END')}
    UNION ALL ${entriesOf('CASE WHEN a < z THEN before_small ELSE g.seq END', 'g.seq')}
    UNION ALL ${blocksOf(0, 'a', 'CASE WHEN big_a < big_z THEN after_large ELSE z END')}
    UNION ALL ${blocksOf(0, 'CASE WHEN big_a < big_z THEN before_large ELSE z END', 'z')}
    UNION ALL ${blocksOf(1, 'big_a', 'big_z')}
  ) AS between_them
) AS x
ORDER BY g.n`;
