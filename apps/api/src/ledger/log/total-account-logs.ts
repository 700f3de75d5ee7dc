import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { totalAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import { TOTALS_ROWS_MAX } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { RateLimits } from '../../platform/rate-limits.js';
import { FilteredEntries } from './filtered-entries.js';

type Totals = Answer<typeof totalAccountLogs>;
type Sums = NonNullable<Totals['channels']>[number];

export class TotalAccountLogs extends Query<Totals> {
  constructor(
    readonly userId: number,
    readonly filter: Input<typeof totalAccountLogs>,
  ) {
    super();
  }
}

/** The sums of the entries that the page lists, by the channel that translated; one range of the index, of bounded length. */
@QueryHandler(TotalAccountLogs)
export class TotalAccountLogsHandler implements IQueryHandler<TotalAccountLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
  ) {}

  async execute({ userId, filter }: TotalAccountLogs): Promise<Totals> {
    await this.limits.take('totals', String(userId));
    const em = this.em.fork();
    const entries = await FilteredEntries.of(em, { userId, filter }, this.clock);
    const { total, isBounded } = entries;
    const all = entries.all(TOTALS_ROWS_MAX);
    if (!all) return { total, channels: total === 0 && !isBounded ? [] : null };
    const rows = await em.execute<{ sums: Sums }[]>(
      `SELECT json_build_object('tranChannelId', consume_tran_channel_id, ${bothWays('char')}, ${bothWays('voice')}, ${bothWays('image')},
         'amount', sum(amount)) AS sums
       FROM account_log WHERE user_id = ? AND ${all.condition} GROUP BY consume_tran_channel_id ORDER BY count(*) DESC`,
      [userId, ...all.parameters],
    );
    return { total, channels: rows.map(({ sums }) => sums) };
  }
}

const bothWays = (quantity: 'char' | 'voice' | 'image'): string =>
  `'${quantity}In', sum(greatest(${quantity}_change, 0)), '${quantity}Out', sum(greatest(-${quantity}_change, 0))`;
