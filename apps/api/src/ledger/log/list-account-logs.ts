import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { readRows } from './account-log-rows.js';
import { listOf } from '../rows/columns.js';
import { matchingEntries } from './matching-lines.js';
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

  /** Address and client stand in the translation log: only what was translated can match, counted to a bound. */
  async #byClient(em: EntityManager, { userId, filter, language }: ListAccountLogs): Promise<Page> {
    const { logType: type, pageNum, pageSize } = filter;
    const times = this.#times(filter);
    const lines = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...times });
    const ordinals = type && (await ordinalRange(em, userId, { numbering: { of: 'type', type }, ...times }));
    const ofType = type && ordinals ? { type, ordinals } : undefined;
    const seqs = await matchingEntries(em, userId, { ...filter, ...lines, ofType });
    const page = seqs.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    if (page.length === 0) return { rows: [], total: seqs.length };
    const condition = 'seq = ANY (?::bigint[])';
    const rows = await readRows(em, { userId, language, condition, parameters: [listOf(page)] }, this.clock);
    return { rows, total: seqs.length };
  }

  #times({ createDateTimeBegin: begin, createDateTimeEnd: end }: Filter): {
    from: Date | undefined;
    to: Date | undefined;
  } {
    return { from: begin ? this.clock.fromWire(begin) : undefined, to: end ? this.clock.endOfWire(end) : undefined };
  }
}
