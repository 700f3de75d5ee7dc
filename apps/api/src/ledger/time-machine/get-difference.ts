import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { getDifference } from '@yiqiao/contracts/operator/accounts';
import { deletedName, namelessDeleted } from '@yiqiao/domain/explanations';
import { DAY_MS } from '@yiqiao/domain/limits';
import { entryTypeOf, type EntryType } from '@yiqiao/domain/ledger';
import { Config } from '../../platform/config.js';
import { Clock } from '../../platform/clock.js';
import { AccountBlocks, causeColumns, LARGE_BLOCK } from './account-blocks.js';
import { entryCount, readState, seqAt } from './read-states.js';

type Difference = Answer<typeof getDifference>;

export class GetDifference extends Query<Difference> {
  constructor(
    readonly request: Input<typeof getDifference>,
    readonly language: Language,
  ) {
    super();
  }
}

/** Two moments of an account, with every unit between them attributed to its cause (operators §6). */
@QueryHandler(GetDifference)
export class GetDifferenceHandler implements IQueryHandler<GetDifference> {
  readonly #zone: string;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly blocks: AccountBlocks,
    { env }: Config,
  ) {
    this.#zone = env.APP_TIMEZONE;
  }

  async execute({ request: { userId, from, to }, language }: GetDifference): Promise<Difference> {
    const em = this.em.fork();
    await entryCount(em, userId);
    await this.blocks.catchUp(userId);
    const first = await seqAt(em, userId, this.clock.endOfWire(from), this.clock);
    const last = await seqAt(em, userId, this.clock.endOfWire(to), this.clock);
    const [before, after] = [
      await readState(em, { userId, seq: first }, { clock: this.clock, language }),
      await readState(em, { userId, seq: last }, { clock: this.clock, language }),
    ];
    const parts = await readParts(em, { userId, after: first, upto: last, zone: this.#zone }, language);
    return {
      from: before,
      to: after,
      difference: {
        charNum: after.charNum - before.charNum,
        voiceNum: after.voiceNum - before.voiceNum,
        imageNum: after.imageNum - before.imageNum,
        amount: after.rechargeAmountTotal - before.rechargeAmountTotal,
      },
      parts,
    };
  }
}

type Span = { userId: number; after: number; upto: number; zone: string };

/** Every change of an account after entry `after` up to entry `upto`, by type and cause; the blocks must have caught up. */
export async function readParts(
  em: EntityManager,
  { userId, after, upto, zone }: Span,
  language: Language,
): Promise<Difference['parts']> {
  const rows = await em.execute<Part[]>(partsSql(zone), [userId, after, upto]);
  return rows.map((row) => toPart(row, language));
}

type Part = {
  logType: number;
  kind: Difference['parts'][number]['cause']['kind'];
  cause: number;
  name: string | null;
  lastName: string | null;
  entries: number;
  charNum: number;
  voiceNum: number;
  imageNum: number;
  amount: number;
};

export const causeRef = (kind: Part['kind'], cause: number): string =>
  kind === 'day' ? new Date(cause * DAY_MS).toISOString().slice(0, 10) : String(cause);

function toPart(row: Part, language: Language): Difference['parts'][number] {
  const { logType, kind, cause, name, lastName, ...changes } = row;
  const ref = causeRef(kind, cause);
  const gone =
    kind === 'member' ? (lastName === null ? namelessDeleted(cause, language) : deletedName(lastName, language)) : ref;
  const type = entryTypeOf(logType) ?? (`unknown type ${logType}` as EntryType);
  return { type, cause: { kind, ref, label: name ?? gone }, ...changes };
}

const SUMS = ['entries', 'char_num', 'voice_num', 'image_num', 'amount'];

/** The changes of whole blocks from their summaries, those of at most 1,024 entries at either end from the entries. */
const partsSql = (zone: string): string => `
WITH span AS (
  SELECT *, CASE WHEN a < z THEN a * ${LARGE_BLOCK} ELSE upto END AS head, CASE WHEN a < z THEN z * ${LARGE_BLOCK} ELSE upto END AS tail
  FROM (
    SELECT user_id, after, upto, (after + ${LARGE_BLOCK - 1}) / ${LARGE_BLOCK} AS a, least(upto / ${LARGE_BLOCK}, (
      SELECT coalesce(max(block) + 1, 0) FROM account_block b WHERE b.user_id = given.user_id AND level = 1
    )) AS z
    FROM (VALUES (?::bigint, ?::bigint, ?::bigint)) AS given (user_id, after, upto)
  ) AS ends
), single AS (
  SELECT log_type, 1 AS entries, char_change AS char_num, voice_change AS voice_num, image_change AS image_num, amount, ${causeColumns(zone)}
  FROM account_log JOIN span USING (user_id) WHERE seq > after AND seq <= head
  UNION ALL
  SELECT log_type, 1, char_change, voice_change, image_change, amount, ${causeColumns(zone)}
  FROM account_log JOIN span USING (user_id) WHERE seq > tail AND seq <= upto
), total AS (
  SELECT log_type, cause_kind, cause, ${SUMS.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')} FROM (
    SELECT log_type, cause_kind, cause, ${SUMS.join(', ')} FROM single
    UNION ALL
    SELECT log_type, cause_kind, cause, ${SUMS.join(', ')}
    FROM account_block_part JOIN span USING (user_id) WHERE block >= a AND block < z
  ) AS each GROUP BY log_type, cause_kind, cause
)
SELECT log_type AS "logType", cause_kind AS kind, cause, entries, char_num AS "charNum", voice_num AS "voiceNum",
  image_num AS "imageNum", amount,
  CASE cause_kind WHEN 'order' THEN (SELECT no FROM recharge_order WHERE id = cause)
    WHEN 'member' THEN coalesce((SELECT nickname FROM member WHERE id = cause),
      (SELECT shown FROM identity WHERE user_id = cause AND kind = 'username'))
    WHEN 'operator' THEN (SELECT name FROM manager WHERE id = cause) END AS name,
  CASE cause_kind WHEN 'member' THEN (SELECT last_name FROM member WHERE id = cause) END AS "lastName"
FROM total ORDER BY log_type, cause_kind, cause`;
