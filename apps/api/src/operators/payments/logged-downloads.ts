import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CsvDownloads } from '../../platform/csv-downloads.js';
import type { Column, CsvFile } from '../../platform/csv.js';
import type { ClientInfo } from '../../platform/endpoint.js';
import { ActionLog } from '../action-log.js';
import { actorOf, type CurrentOperator, OperatorSessions } from '../operator-sessions.js';

type File<Row> = {
  name: 'orders' | 'exceptions' | 'refunds' | 'differences';
  columns: readonly Column<Row>[];
  pages: AsyncGenerator<Row[]>;
  filter: object;
};

/** Lists as files; each is an action, because it leaves the house. */
@Injectable()
export class LoggedDownloads {
  constructor(
    private readonly em: EntityManager,
    private readonly downloads: CsvDownloads,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
  ) {}

  async open<Row>({ filter, ...file }: File<Row>, operator: CurrentOperator, client: ClientInfo): Promise<CsvFile> {
    const reader = this.sessions.downloader(operator);
    const opened = await this.downloads.open({ ...file, reader, language: client.language });
    const action = { action: `${file.name}.download` as const, after: filter };
    await this.em.fork().transactional((em) => this.actions.record(em, actorOf(operator, client), action));
    return opened;
  }
}
