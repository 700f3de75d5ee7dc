import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { Clock } from '../platform/clock.js';
import { CsvDownloads, type CsvFile, DOWNLOAD_STEP, downwards } from '../platform/csv-downloads.js';
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

  async *#pages(query: ExportAccountLogs): AsyncGenerator<AccountLogRow[]> {
    const { filter, userId, language } = query;
    const byClient = filter.loginIp !== undefined || filter.clientType !== undefined;
    for await (const { condition, parameters } of byClient ? this.#byClient(query) : this.#byOrdinal(query))
      yield await readRows(this.em.fork(), { userId, language, condition, parameters }, this.clock);
  }

  async *#byOrdinal({ userId, filter }: ExportAccountLogs): AsyncGenerator<Condition> {
    const { logType } = filter;
    const numbering = logType ? ({ of: 'type', type: logType } as const) : ({ of: 'entries' } as const);
    const ordinal = logType ? `log_type = ${ENTRY_TYPES[logType].code} AND type_seq` : 'seq';
    const range = await ordinalRange(this.em.fork(), userId, { numbering, ...this.#times(filter) });
    for (const parameters of downwards(range)) yield { condition: `${ordinal} BETWEEN ? AND ?`, parameters };
  }

  /** Address and client stand in the translation log: what matches is looked up first, as far as the page counts. */
  async *#byClient({ userId, filter }: ExportAccountLogs): AsyncGenerator<Condition> {
    const { loginIp = null, clientType, logType } = filter;
    // What is not an address can match none; PostgreSQL would refuse to compare it.
    if (loginIp !== null && !isIP(loginIp)) return;
    const em = this.em.fork();
    const { lo, hi } = await ordinalRange(em, userId, { numbering: { of: 'lines' }, ...this.#times(filter) });
    const client = clientType ? CLIENT_TYPES[clientType].code : null;
    const type = logType ? ENTRY_TYPES[logType].code : null;
    const rows = await em.execute<{ seq: number }[]>(MATCHING, [userId, lo, hi, loginIp, client, type]);
    for (let at = 0; at < rows.length; at += DOWNLOAD_STEP) {
      const seqs = rows.slice(at, at + DOWNLOAD_STEP).map((row) => row.seq);
      yield { condition: 'seq = ANY (?::bigint[])', parameters: [`{${seqs.join(',')}}`] };
    }
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

const MATCHING = `
WITH wanted (user_id, lo, hi, ip, client, type) AS (
  VALUES (?::bigint, ?::bigint, ?::bigint, ?::inet, ?::smallint, ?::smallint)
)
SELECT l.entry_seq AS seq FROM wanted w
JOIN translation_log l ON l.user_id = w.user_id AND l.usage_seq BETWEEN w.lo AND w.hi AND l.entry_seq IS NOT NULL
WHERE (w.ip IS NULL OR l.ip = w.ip) AND (w.client IS NULL OR l.client_type = w.client)
  AND (w.type IS NULL OR EXISTS (
    SELECT FROM account_log e WHERE e.user_id = w.user_id AND e.seq = l.entry_seq AND e.log_type = w.type))
ORDER BY l.usage_seq DESC LIMIT ${FILTERED_ROWS_MAX}`;
