import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Clock } from '../platform/clock.js';
import { CsvDownloads, type CsvFile, downwards } from '../platform/csv-downloads.js';
import { accountLogColumns } from './account-log-columns.js';
import { type AccountLogRow, readRows } from './account-log-rows.js';
import { ordinalRange } from './ordinal-range.js';

export class ExportAccountLogs extends Query<CsvFile> {
  constructor(
    readonly userId: number,
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
    const { userId, language } = query;
    const columns = accountLogColumns({ language, channels: await this.#channelNames(language) });
    return this.downloads.open({ userId, language, name: 'account-log', columns, pages: this.#pages(query) });
  }

  async *#pages({ userId, filter, language }: ExportAccountLogs): AsyncGenerator<AccountLogRow[]> {
    const { logType, createDateTimeBegin: begin, createDateTimeEnd: end } = filter;
    const from = begin ? this.clock.fromWire(begin) : undefined;
    const to = end ? this.clock.endOfWire(end) : undefined;
    const numbering = logType ? ({ of: 'type', type: logType } as const) : ({ of: 'entries' } as const);
    const ordinal = logType ? `log_type = ${ENTRY_TYPES[logType].code} AND type_seq` : 'seq';
    const condition = `${ordinal} BETWEEN ? AND ?`;
    const range = await ordinalRange(this.em.fork(), userId, { numbering, from, to });
    for (const parameters of downwards(range))
      yield await readRows(this.em.fork(), { userId, language, condition, parameters }, this.clock);
  }

  async #channelNames(language: Language): Promise<Map<number, string>> {
    const name = language === 'en' ? 'en_name' : 'name';
    const rows = await this.em
      .fork()
      .execute<{ id: number; name: string }[]>(`SELECT id, ${name} AS name FROM tran_channel`);
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}
