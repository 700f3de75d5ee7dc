import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { CsvDownloads, type CsvFile, downwards, inSteps, type Reader } from '../../platform/csv-downloads.js';
import { accountLogColumns } from './account-log-columns.js';
import { type AccountLogRow, readRows } from './account-log-rows.js';
import { listOf } from '../rows/columns.js';
import { matchingEntries } from './matching-lines.js';
import { ordinalRange } from './ordinal-range.js';

export class ExportAccountLogs extends Query<CsvFile> {
  constructor(
    readonly reader: Reader,
    readonly filter: Input<typeof exportAccountLogs>,
    readonly language: Language,
  ) {
    super();
  }
}

/** What the page finds, as one table from the newest entry down. */
@QueryHandler(ExportAccountLogs)
export class ExportAccountLogsHandler implements IQueryHandler<ExportAccountLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute(query: ExportAccountLogs): Promise<CsvFile> {
    const { reader, language } = query;
    const columns = accountLogColumns({ language, channels: await this.#channelNames(language) });
    return this.downloads.open({ reader, language, name: 'account-log', columns, pages: this.#pages(query) });
  }

  async *#pages(query: ExportAccountLogs): AsyncGenerator<AccountLogRow[]> {
    const { filter, reader, language } = query;
    const { userId } = reader;
    const byClient = filter.loginIp !== undefined || filter.clientType !== undefined;
    for await (const { condition, parameters } of byClient ? this.#byClient(query) : this.#byOrdinal(query))
      yield await readRows(this.em.fork(), { userId, language, condition, parameters }, this.clock);
  }

  async *#byOrdinal({ reader: { userId }, filter }: ExportAccountLogs): AsyncGenerator<Condition> {
    const { logType } = filter;
    const numbering = logType ? ({ of: 'type', type: logType } as const) : ({ of: 'entries' } as const);
    const ordinal = logType ? `log_type = ${ENTRY_TYPES[logType].code} AND type_seq` : 'seq';
    const range = await ordinalRange(this.em.fork(), userId, { numbering, ...this.#times(filter) });
    for (const parameters of downwards(range)) yield { condition: `${ordinal} BETWEEN ? AND ?`, parameters };
  }

  /** What matches is looked up first, as far as the page counts (docs/decisions/0008). */
  async *#byClient({ reader: { userId }, filter }: ExportAccountLogs): AsyncGenerator<Condition> {
    const { logType: type } = filter;
    const em = this.em.fork();
    const times = this.#times(filter);
    const lines = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...times });
    const ordinals = type && (await ordinalRange(em, userId, { numbering: { of: 'type', type }, ...times }));
    const ofType = type && ordinals ? { type, ordinals } : undefined;
    const seqs = await matchingEntries(em, userId, { ...filter, ...lines, ofType });
    for (const step of inSteps(seqs)) yield { condition: 'seq = ANY (?::bigint[])', parameters: [listOf(step)] };
  }

  #times({ createDateTimeBegin: begin, createDateTimeEnd: end }: ExportAccountLogs['filter']): {
    from: Date | undefined;
    to: Date | undefined;
  } {
    return { from: begin ? this.clock.fromWire(begin) : undefined, to: end ? this.clock.endOfWire(end) : undefined };
  }

  async #channelNames(language: Language): Promise<Map<number, string>> {
    const name = language === 'en' ? 'en_name' : 'name';
    const rows = await this.em
      .fork()
      .execute<{ id: number; name: string }[]>(`SELECT id, ${name} AS name FROM tran_channel`);
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}

type Condition = { condition: string; parameters: unknown[] };
