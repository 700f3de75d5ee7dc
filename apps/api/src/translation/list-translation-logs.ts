import { EntityManager } from '@mikro-orm/postgresql';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTranslationLogs } from '@yiqiao/contracts/translation';
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

/**
 * The caller's own lines, newest first. Lines are numbered without gaps, so a page without address filters costs O(log n); one with is
 * counted to a bound (docs/decisions/0008).
 */
@QueryHandler(ListTranslationLogs)
export class ListTranslationLogsHandler implements IQueryHandler<ListTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, userId }: ListTranslationLogs): Promise<Page> {
    const times = this.clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const { lo, hi } = await this.ledger.linesBetween(userId, times);
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

  async #byClient(userId: number, range: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    const { loginIp, clientType, pageNum, pageSize } = filter;
    const lines = await this.ledger.linesFrom(userId, { ...range, loginIp, clientType });
    const page = lines.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    if (page.length === 0) return { rows: [], total: lines.length };
    const rows = await this.#read(userId, 'usage_seq = ANY (?::bigint[])', [`{${page.join(',')}}`]);
    return { rows, total: lines.length };
  }

  #read(userId: number, condition: string, parameters: unknown[]): Promise<Page['rows']> {
    return readLines(this.em.fork(), { userId, condition, parameters }, this.clock);
  }
}
