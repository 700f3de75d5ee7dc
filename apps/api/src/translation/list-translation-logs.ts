import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTranslationLogs } from '@yiqiao/contracts/translation';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { readLines } from './translation-log-rows.js';

type Page = Answer<typeof listTranslationLogs>;
type Filter = Input<typeof listTranslationLogs>;

export class ListTranslationLogs extends Query<Page> {
  constructor(
    readonly filter: Filter,
    readonly userId: number,
  ) {
    super();
  }
}

/** The caller's own lines, newest first. Lines are numbered without gaps, so a page without address filters costs O(log n). */
@QueryHandler(ListTranslationLogs)
export class ListTranslationLogsHandler implements IQueryHandler<ListTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, userId }: ListTranslationLogs): Promise<Page> {
    const { createDateTimeBegin: begin, createDateTimeEnd: end } = filter;
    const from = begin ? this.clock.fromWire(begin) : undefined;
    const to = end ? this.clock.endOfWire(end) : undefined;
    const { lo, hi } = await this.ledger.linesBetween(userId, { from, to });
    if (hi < lo) return { rows: [], total: 0 };
    const filtered = filter.loginIp !== undefined || filter.clientType !== undefined;
    return filtered ? this.#byClient(userId, { lo, hi }, filter) : this.#byOrdinal(userId, { lo, hi }, filter);
  }

  async #byOrdinal(userId: number, { lo, hi }: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    const newest = hi - (filter.pageNum - 1) * filter.pageSize;
    const oldest = Math.max(lo, newest - filter.pageSize + 1);
    const rows = await this.#read(userId, 'usage_seq BETWEEN ? AND ?', [oldest, newest]);
    return { rows, total: hi - lo + 1 };
  }

  async #byClient(userId: number, { lo, hi }: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    // What is not an address matches none; PostgreSQL would refuse to compare it.
    if (filter.loginIp !== undefined && !isIP(filter.loginIp)) return { rows: [], total: 0 };
    const client = filter.clientType === undefined ? null : CLIENT_TYPES[filter.clientType].code;
    const where = `usage_seq BETWEEN ? AND ? AND (?::inet IS NULL OR ip = ?::inet) AND (?::smallint IS NULL OR client_type = ?)`;
    const ip = filter.loginIp ?? null;
    const parameters = [lo, hi, ip, ip, client, client];
    const [count] = await this.em
      .fork()
      .execute<{ total: number }[]>(`SELECT count(*) AS total FROM translation_log WHERE user_id = ? AND ${where}`, [
        userId,
        ...parameters,
      ]);
    const condition = `usage_seq IN (
      SELECT usage_seq FROM translation_log WHERE user_id = ? AND ${where} ORDER BY usage_seq DESC LIMIT ? OFFSET ?)`;
    const page = [filter.pageSize, (filter.pageNum - 1) * filter.pageSize];
    const rows = await this.#read(userId, condition, [userId, ...parameters, ...page]);
    return { rows, total: Number(count?.total ?? 0) };
  }

  #read(userId: number, condition: string, parameters: unknown[]): Promise<Page['rows']> {
    return readLines(this.em.fork(), { userId, condition, parameters }, this.clock);
  }
}
