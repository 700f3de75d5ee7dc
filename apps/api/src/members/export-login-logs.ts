import type { FilterQuery } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { exportLoginLogs } from '@yiqiao/contracts/login-log';
import { deviceName } from '@yiqiao/domain/devices';
import { CLIENT_TYPES, clientTypeOf } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import type { Column, CsvFile } from '../platform/csv.js';
import { CsvDownloads, DOWNLOAD_STEP, type Reader } from '../platform/csv-downloads.js';
import { Standby } from '../platform/standby.js';
import { matchingLogins } from './login-log-queries.js';
import { LoginLog } from './login-log.entity.js';

export class ExportLoginLogs extends Query<CsvFile> {
  constructor(
    readonly reader: Reader,
    readonly filter: Input<typeof exportLoginLogs>,
    readonly language: Language,
  ) {
    super();
  }
}

/** The logins that the list page finds as one table, newest first. */
@QueryHandler(ExportLoginLogs)
export class ExportLoginLogsHandler implements IQueryHandler<ExportLoginLogs> {
  constructor(
    private readonly standby: Standby,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  execute(query: ExportLoginLogs): Promise<CsvFile> {
    const { reader, language } = query;
    const columns: Column<LoginLog>[] = [
      { zh: '登录时间', en: 'Sign-in time', value: (row) => this.clock.toWire(row.loggedInAt) },
      { zh: '登录 IP', en: 'IP', value: (row) => row.loginIp },
      { zh: '客户端', en: 'Client', value: (row) => CLIENT_TYPES[clientTypeOf(row.clientType)][language] },
      { zh: '设备', en: 'Device', value: (row) => deviceName(row, language) ?? '' },
      { zh: '编号', en: 'Id', value: (row) => row.id },
    ];
    return this.downloads.open({ reader, language, name: 'login-log', columns, pages: this.#pages(query) });
  }

  /** Keyset pagination: logins that are added meanwhile do not shift the pages. */
  async *#pages({ reader: { userId }, filter }: ExportLoginLogs): AsyncGenerator<LoginLog[]> {
    const where = matchingLogins(userId, filter, this.clock);
    const source = await this.standby.source();
    let last: LoginLog | undefined;
    do {
      const condition = { $and: [where, last ? older(last) : {}] };
      const rows: LoginLog[] = await source.read((em) =>
        em.find(LoginLog, condition, { orderBy: NEWEST_FIRST, limit: DOWNLOAD_STEP }),
      );
      yield rows;
      last = rows[DOWNLOAD_STEP - 1];
    } while (last);
  }
}

const NEWEST_FIRST = { loggedInAt: 'desc', id: 'desc' } as const;

/** The first condition is redundant, but lets PostgreSQL use the index. */
const older = ({ loggedInAt, id }: LoginLog): FilterQuery<LoginLog> => ({
  loggedInAt: { $lte: loggedInAt },
  $or: [{ loggedInAt: { $lt: loggedInAt } }, { id: { $lt: id } }],
});
