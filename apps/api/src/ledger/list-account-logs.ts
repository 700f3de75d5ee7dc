import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { readRows } from './account-log-rows.js';
import { ordinalRange } from './ordinal-range.js';

type Page = Answer<typeof listAccountLogs>;
type Filter = Input<typeof listAccountLogs>;

export class ListAccountLogs extends Query<Page> {
  constructor(
    readonly userId: number,
    readonly filter: Filter,
    readonly language: Language,
  ) {
    super();
  }
}

/** The caller's own entries, newest first; a range includes both of its ends (decisions §1, §4). */
@QueryHandler(ListAccountLogs)
export class ListAccountLogsHandler implements IQueryHandler<ListAccountLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  execute(query: ListAccountLogs): Promise<Page> {
    const { filter } = query;
    const em = this.em.fork();
    return filter.loginIp === undefined && filter.clientType === undefined
      ? this.#byOrdinal(em, query)
      : this.#byClient(em, query);
  }

  /** Any page of any length of log with its exact total in about twenty index probes. */
  async #byOrdinal(em: EntityManager, { userId, filter, language }: ListAccountLogs): Promise<Page> {
    const { logType, pageNum, pageSize } = filter;
    const numbering = logType ? ({ of: 'type', type: logType } as const) : ({ of: 'entries' } as const);
    const { lo, hi } = await ordinalRange(em, userId, { numbering, ...this.#times(filter) });
    const total = Math.max(0, hi - lo + 1);
    const newest = hi - (pageNum - 1) * pageSize;
    if (newest < lo) return { rows: [], total };
    const ordinal = logType ? `log_type = ${ENTRY_TYPES[logType].code} AND type_seq` : 'seq';
    const parameters = [Math.max(lo, newest - pageSize + 1), newest];
    const condition = `${ordinal} BETWEEN ? AND ?`;
    const rows = await readRows(em, { userId, language, condition, parameters }, this.clock);
    return { rows, total };
  }

  /** Address and client stand in the translation log: only what was translated can match, and its lines are counted. */
  async #byClient(em: EntityManager, { userId, filter, language }: ListAccountLogs): Promise<Page> {
    const { logType, loginIp, clientType, pageNum, pageSize } = filter;
    // What is not an address can match none; PostgreSQL would refuse to compare it.
    if (loginIp && !isIP(loginIp)) return { rows: [], total: 0 };
    const { lo, hi } = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...this.#times(filter) });
    const conditions: [sql: string, parameters: unknown[]][] = [
      ['l.user_id = ? AND l.usage_seq BETWEEN ? AND ? AND l.entry_seq IS NOT NULL', [userId, lo, hi]],
    ];
    if (loginIp) conditions.push(['l.ip = ?::inet', [loginIp]]);
    if (clientType) conditions.push(['l.client_type = ?', [CLIENT_TYPES[clientType].code]]);
    if (logType) conditions.push([OF_TYPE, [ENTRY_TYPES[logType].code]]);
    const where = conditions.map(([sql]) => sql).join(' AND ');
    const parameters = conditions.flatMap(([, values]) => values);
    const matching = `FROM translation_log l WHERE ${where}`;
    const [count] = await em.execute<{ total: number }[]>(`SELECT count(*) AS total ${matching}`, parameters);
    const condition = `seq IN (SELECT l.entry_seq ${matching} ORDER BY l.usage_seq DESC LIMIT ? OFFSET ?)`;
    const page = [...parameters, pageSize, (pageNum - 1) * pageSize];
    const rows = await readRows(em, { userId, language, condition, parameters: page }, this.clock);
    return { rows, total: Number(count?.total ?? 0) };
  }

  #times({ createDateTimeBegin: begin, createDateTimeEnd: end }: Filter): {
    from: Date | undefined;
    to: Date | undefined;
  } {
    return { from: begin ? this.clock.fromWire(begin) : undefined, to: end ? this.clock.endOfWire(end) : undefined };
  }
}

const OF_TYPE = `EXISTS (SELECT FROM account_log e WHERE e.user_id = l.user_id AND e.seq = l.entry_seq AND e.log_type = ?)`;
