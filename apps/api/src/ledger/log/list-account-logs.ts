import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { Clock } from '../../platform/clock.js';
import { archivedNote } from '../rows/archived.js';
import { readRows } from './account-log-rows.js';
import { FilteredEntries } from './filtered-entries.js';

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

/** The caller's own entries, newest first; a range includes both ends (decisions §1, §4). */
@QueryHandler(ListAccountLogs)
export class ListAccountLogsHandler implements IQueryHandler<ListAccountLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, filter, language }: ListAccountLogs): Promise<Page> {
    const em = this.em.fork();
    const entries = await FilteredEntries.of(em, { userId, filter }, this.clock);
    const page = entries.page(filter);
    const rows = page ? await readRows(em, { userId, language, ...page }, this.clock) : [];
    return { rows, total: entries.total, ...(await archivedNote(em, userId, this.clock)) };
  }
}
