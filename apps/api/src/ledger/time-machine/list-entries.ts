import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listEntries } from '@yiqiao/contracts/operator/accounts';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { clientTypeOf, type ClientType } from '@yiqiao/domain/members';
import { ENTRY_SEARCH_MAX } from '@yiqiao/domain/operators';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { archivedOf } from '../rows/archived.js';
import { readRows } from '../log/account-log-rows.js';
import { FIRST_HEAD } from '../rows/chain.js';
import { causeColumns } from './account-blocks.js';
import { causeRef } from './get-difference.js';
import { entryCount, momentOf } from './read-states.js';

type Entries = Answer<typeof listEntries>;

export class ListEntries extends Query<Entries> {
  constructor(
    readonly request: Input<typeof listEntries>,
    readonly language: Language,
  ) {
    super();
  }
}

/** The event stream of an account: entries in words with their place in the chain, newest first (operators §6). */
@QueryHandler(ListEntries)
export class ListEntriesHandler implements IQueryHandler<ListEntries> {
  readonly #causes: string;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    { env }: Config,
  ) {
    this.#causes = causeColumns(env.APP_TIMEZONE);
  }

  async execute({ request, language }: ListEntries): Promise<Entries> {
    const { userId, fromSeq, toSeq, limit } = request;
    const { sql, values } = selectionOf(request);
    const em = this.em.fork();
    const last = Math.min(toSeq ?? Number.POSITIVE_INFINITY, await entryCount(em, userId));
    const oldest = Math.max(fromSeq ?? 1, ((await archivedOf(em, userId))?.seq ?? 0) + 1);
    const total = Math.max(0, last - oldest + 1);
    if (total === 0) return { rows: [], total, oldestSeq: oldest };
    const first = Math.max(oldest, last - (sql === '' ? limit : ENTRY_SEARCH_MAX) + 1);
    const links = await em.execute<Link[]>(linksWhere(sql, this.#causes), [userId, first, last, ...values, limit]);
    const end = links.length === limit ? (links.at(-1)?.seq ?? first) : first;
    if (links.length === 0) return { rows: [], total, oldestSeq: end };
    const condition = 'seq = ANY (?::bigint[])';
    const parameters = [`{${links.map(({ seq }) => seq).join(',')}}`];
    const rows = await readRows(em, { userId, language, condition, parameters }, this.clock);
    const linkOf = new Map(links.map((link) => [Number(link.id), link]));
    return {
      total,
      oldestSeq: end,
      rows: rows.map((row) => {
        const link = linkOf.get(row.id);
        if (!link) throw new Error(`entry ${row.id} has no hash`);
        const { seq, ms, hash, previousHash, cmdId } = link;
        return {
          ...row,
          consumerIp: null,
          seq,
          moment: momentOf(this.clock, ms),
          hash,
          cmdId,
          previousHash: previousHash ?? FIRST_HEAD,
          words: row.explanation,
          hand: handOf(link),
          cause: { kind: link.cause_kind, ref: causeRef(link.cause_kind, link.cause) },
          clientType: clientOf(link.client),
        };
      }),
    };
  }
}

export type Hands = { type: number; isAuto: boolean; isGift: boolean; isMain: boolean; byOperator: boolean };

const { DISTRIBUTION, RECOVERY, RECHARGE_ORDER_BY_MEMBER_GROUP: RECHARGE, INVITE_REWARD, OTHER } = ENTRY_TYPES;
/** What the main account does to its sub-accounts. */
const OF_MAIN: readonly number[] = [DISTRIBUTION.code, RECOVERY.code, RECHARGE.code];

/** The columns of Hands, over an entry `e`. */
export const HANDS = `e.log_type AS type, e.manager_id IS NOT NULL AS "byOperator", e.user_id = e.family_id AS "isMain",
  e.log_type = ${DISTRIBUTION.code} AND e.consume_tran_channel_id IS NOT NULL AS "isAuto",
  e.log_type = ${INVITE_REWARD.code} OR e.log_type = ${OTHER.code} AND e.consume_tran_channel_id IS NULL AS "isGift"`;

export function handOf({ type, isAuto, isGift, isMain, byOperator }: Hands): Entries['rows'][number]['hand'] {
  if (byOperator) return 'operator';
  if (isAuto || isGift) return 'system';
  return isMain || OF_MAIN.includes(type) ? 'main' : 'member';
}

export const clientOf = (code: number | null): ClientType | null => (code === null ? null : clientTypeOf(code));

type Link = Hands & {
  id: number;
  seq: number;
  ms: number;
  cmdId: string;
  hash: string;
  previousHash: string | null;
  client: number | null;
  cause_kind: Entries['rows'][number]['cause']['kind'];
  cause: number;
};

const RISES = (sign: '<' | '>'): string =>
  `(${['char', 'min', 'voice', 'image'].map((name) => `e.${name}_change ${sign} 0`).join(' OR ')})`;
// The types that the partial index account_log_moved leaves out are named, so that the planner uses it.
const SELECTED = {
  in: RISES('>'),
  out: RISES('<'),
  move: `e.log_type IN (${DISTRIBUTION.code}, ${RECOVERY.code}) AND e.log_type NOT IN (1, 7, 8, 9, 10)`,
  operator: 'e.manager_id IS NOT NULL',
};

type Selection = Pick<Input<typeof listEntries>, 'only' | 'type' | 'cause'>;

/** What the conditions add to the query of the span; empty without any. */
function selectionOf({ only, type, cause }: Selection): { sql: string; values: (string | number)[] } {
  const [kind, ref] = cause?.split(':') ?? [];
  const conditions = [
    ...(only ? [SELECTED[only]] : []),
    ...(type ? ['e.log_type = ?'] : []),
    ...(kind ? ['c.cause_kind = ? AND c.cause = ?::bigint'] : []),
  ];
  return {
    sql: conditions.map((condition) => ` AND ${condition}`).join(''),
    values: [...(type ? [ENTRY_TYPES[type].code] : []), ...(kind && ref ? [kind, ref] : [])],
  };
}

const linksWhere = (selected: string, causes: string): string => `
SELECT c.*, e.id, e.seq, (date_part('epoch', e.created_at) * 1000)::bigint AS ms, e.cmd_id AS "cmdId", encode(e.hash, 'hex') AS hash,
  encode(b.hash, 'hex') AS "previousHash", ${HANDS},
  (SELECT client_type FROM translation_log l WHERE l.cmd_id = e.cmd_id AND l.user_id = e.user_id) AS client
FROM account_log e CROSS JOIN LATERAL (SELECT ${causes} FROM (SELECT e.*) AS entry) AS c
LEFT JOIN account_log b ON b.user_id = e.user_id AND b.seq = e.seq - 1
WHERE e.user_id = ? AND e.seq BETWEEN ? AND ?${selected}
ORDER BY e.seq DESC LIMIT ?`;
