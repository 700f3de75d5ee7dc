import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { Clock } from '../../platform/clock.js';
import { CsvDownloads, type Reader } from '../../platform/csv-downloads.js';
import type { CsvFile } from '../../platform/csv-file.js';
import { accountLogColumns } from './account-log-columns.js';
import { type AccountLogRow, readRows } from './account-log-rows.js';
import { ChosenEntries } from './chosen-entries.js';

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

  async *#pages({ reader: { userId }, filter, language }: ExportAccountLogs): AsyncGenerator<AccountLogRow[]> {
    const chosen = await ChosenEntries.of(this.em.fork(), { userId, filter }, this.clock);
    for (const step of chosen.steps()) yield await readRows(this.em.fork(), { userId, language, ...step }, this.clock);
  }

  async #channelNames(language: Language): Promise<Map<number, string>> {
    const name = language === 'en' ? 'en_name' : 'name';
    const rows = await this.em
      .fork()
      .execute<{ id: number; name: string }[]>(`SELECT id, ${name} AS name FROM tran_channel`);
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}
