import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { getTrialBalance } from '@yiqiao/contracts/operator/trial-balance';
import { ENTRY_LINES, trialBalanceLines, trialDifference, type Quantities } from '@yiqiao/domain/trial-balance';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { requireInDatabase } from '../rows/archived.js';
import { LedgerDays } from './ledger-days.js';
import { balance } from './moment-sql.js';

type Balance = Answer<typeof getTrialBalance>;
type Line = Balance['lines'][number];
type Row = Quantities & { line: string; entries: number | null };

/** A moment as the queries take it: now, or the end of a past second. `parameters` of MOMENT. */
export type Moment = { source: 'now' | 'then'; at: Date; parameters: [Date, string] };

/** Reads the trial balance, and the moments of its parts (operators §7). */
@Injectable()
export class TrialBalance {
  constructor(
    private readonly days: LedgerDays,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The end of the second `wire`; now without it, or if it is still to come. */
  moment(wire: string | undefined): Moment {
    const now = this.clock.now();
    const at = wire === undefined ? now : this.clock.endOfWire(wire);
    return at >= now ? this.#of('now', now) : this.#of('then', at);
  }

  past(at: Date): Moment {
    return this.#of('then', at);
  }

  #of(source: Moment['source'], at: Date): Moment {
    return { source, at, parameters: [at, this.clock.day(at)] };
  }

  /** Runs a query of moment-sql.ts: a past moment takes its days from the roll-up, which must be complete, and may take longer. Throws LEDGER_ARCHIVED. */
  async run<T extends object[]>(em: EntityManager, moment: Moment, query: (zone: string) => Ask): Promise<T> {
    const [sql, parameters] = query(this.config.env.APP_TIMEZONE);
    if (moment.source === 'now') return em.execute<T>(sql, parameters);
    // The entries of the moment's own day are read one by one.
    const dayBegan = this.clock.fromWire(`${this.clock.day(moment.at)} 00:00:00`);
    await requireInDatabase(em, { whose: 'all', at: dayBegan }, this.clock);
    await this.days.catchUp();
    return em.transactional(async (tx) => {
      await tx.execute(`SET LOCAL statement_timeout = '120s'`);
      return tx.execute<T>(sql, parameters);
    });
  }

  async read(em: EntityManager, moment: Moment): Promise<Pick<Balance, 'lines' | 'difference'>> {
    const rows = await this.run<Row[]>(em, moment, (zone) => [balance(moment.source, zone), moment.parameters]);
    const found = new Map(rows.map((row) => [row.line, row]));
    const lines = trialBalanceLines.map((key) => lineOf(key, found.get(key)));
    return { lines, difference: trialDifference(lines) };
  }
}

/** A query with its parameters. */
type Ask = [sql: string, parameters: unknown[]];

function lineOf(key: Line['key'], row: Row | undefined): Line {
  const rule = key in ENTRY_LINES ? ENTRY_LINES[key as keyof typeof ENTRY_LINES] : null;
  // Use lowers a balance and is shown positive; no zero is negative.
  const sign = rule?.side === 'used' ? -1 : 1;
  const quantity = (name: keyof Quantities): number => sign * (row?.[name] ?? 0) || 0;
  return {
    key,
    entries: rule ? (row?.entries ?? 0) : null,
    charNum: quantity('charNum'),
    voiceNum: quantity('voiceNum'),
    imageNum: quantity('imageNum'),
    amount: quantity('amount'),
  };
}

export class GetTrialBalance extends Query<Balance> {
  constructor(readonly request: Input<typeof getTrialBalance>) {
    super();
  }
}

@QueryHandler(GetTrialBalance)
export class GetTrialBalanceHandler implements IQueryHandler<GetTrialBalance> {
  constructor(
    private readonly em: EntityManager,
    private readonly trial: TrialBalance,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: GetTrialBalance): Promise<Balance> {
    const moment = this.trial.moment(request.at);
    return { at: this.clock.toWire(moment.at), ...(await this.trial.read(this.em.fork(), moment)) };
  }
}
