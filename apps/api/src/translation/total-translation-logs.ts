import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { totalTranslationLogs } from '@yiqiao/contracts/translation';
import { FILTERED_ROWS_MAX, TOTALS_ROWS_MAX } from '@yiqiao/domain/limits';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import { RateLimits } from '../platform/rate-limits.js';
import { KINDS } from './list-translation-logs.js';

type Totals = Answer<typeof totalTranslationLogs>;
type Sums = Omit<NonNullable<Totals['channels']>[number], 'kind'> & { kind: number };

export class TotalTranslationLogs extends Query<Totals> {
  constructor(
    readonly userId: number,
    readonly filter: Input<typeof totalTranslationLogs>,
  ) {
    super();
  }
}

/** The sums of the lines that the page lists, by channel and kind; one range of the index, of bounded length. */
@QueryHandler(TotalTranslationLogs)
export class TotalTranslationLogsHandler implements IQueryHandler<TotalTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
  ) {}

  async execute({ userId, filter }: TotalTranslationLogs): Promise<Totals> {
    await this.limits.take('totals', String(userId));
    const times = this.clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const { lo, hi } = await this.ledger.linesBetween(userId, times);
    if (hi < lo) return { total: 0, channels: [] };
    const { loginIp, clientType } = filter;
    if (loginIp === undefined && clientType === undefined) {
      const total = hi - lo + 1;
      if (total > TOTALS_ROWS_MAX) return { total, channels: null };
      return { total, channels: await this.#sums(userId, 'usage_seq BETWEEN ? AND ?', [lo, hi]) };
    }
    const lines = await this.ledger.linesFrom(userId, { lo, hi, loginIp, clientType });
    // Only the newest lines are counted: their sums are not the totals.
    if (lines.length === FILTERED_ROWS_MAX) return { total: lines.length, channels: null };
    return {
      total: lines.length,
      channels: await this.#sums(userId, 'usage_seq = ANY (?::bigint[])', [`{${lines.join(',')}}`]),
    };
  }

  async #sums(userId: number, condition: string, parameters: unknown[]): Promise<NonNullable<Totals['channels']>> {
    const rows = await this.em.fork().execute<{ sums: Sums }[]>(
      `SELECT json_build_object('tranChannelId', tran_channel_id, 'kind', kind, 'times', count(*),
         'failed', count(*) FILTER (WHERE status = 2), 'charged', sum(charged)) AS sums
       FROM translation_log WHERE user_id = ? AND ${condition} GROUP BY tran_channel_id, kind ORDER BY count(*) DESC, kind`,
      [userId, ...parameters],
    );
    return rows.map(({ sums }) => ({ ...sums, kind: KINDS[sums.kind] ?? 'text' }));
  }
}
