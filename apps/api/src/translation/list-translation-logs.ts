import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTranslationLogs } from '@yiqiao/contracts/translation';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { CLIENT_TYPES, clientTypeOf } from '@yiqiao/domain/members';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';

type Page = Answer<typeof listTranslationLogs>;
type Filter = Input<typeof listTranslationLogs>;

export class ListTranslationLogs extends Query<Page> {
  constructor(
    readonly filter: Filter,
    readonly userId: number,
  ) {
    super();
  }
}

type Row = {
  id: number;
  status: number;
  charged: number;
  word_count: number;
  billing_mode: number;
  tran_channel_id: number;
  ip: string;
  client_type: number;
  source_lang: string;
  target_lang: string;
  created_at: Date;
};

/** The caller's own lines, newest first. Lines are numbered without gaps, so a page without address filters costs O(log n). */
@QueryHandler(ListTranslationLogs)
export class ListTranslationLogsHandler implements IQueryHandler<ListTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, userId }: ListTranslationLogs): Promise<Page> {
    const { createDateTimeBegin: begin, createDateTimeEnd: end } = filter;
    const from = begin ? this.clock.fromWire(begin) : undefined;
    const to = end ? this.clock.endOfWire(end) : undefined;
    const { lo, hi } = await this.ledger.linesBetween(userId, { from, to });
    if (hi < lo) return { rows: [], total: 0 };
    const filtered = filter.loginIp !== undefined || filter.clientType !== undefined;
    return filtered ? this.#byClient(userId, { lo, hi }, filter) : this.#byOrdinal(userId, { lo, hi }, filter);
  }

  async #byOrdinal(userId: number, { lo, hi }: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    const newest = hi - (filter.pageNum - 1) * filter.pageSize;
    const oldest = Math.max(lo, newest - filter.pageSize + 1);
    const rows = await this.#read('usage_seq BETWEEN ? AND ?', [userId, oldest, newest]);
    return { rows, total: hi - lo + 1 };
  }

  async #byClient(userId: number, { lo, hi }: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    // What is not an address matches none; PostgreSQL would refuse to compare it.
    if (filter.loginIp !== undefined && !isIP(filter.loginIp)) return { rows: [], total: 0 };
    const client = filter.clientType === undefined ? null : CLIENT_TYPES[filter.clientType].code;
    const where = `usage_seq BETWEEN ? AND ? AND (?::inet IS NULL OR ip = ?::inet) AND (?::smallint IS NULL OR client_type = ?)`;
    const ip = filter.loginIp ?? null;
    const parameters = [userId, lo, hi, ip, ip, client, client];
    const [count] = await this.em
      .fork()
      .execute<{ total: number }[]>(
        `SELECT count(*) AS total FROM translation_log WHERE user_id = ? AND ${where}`,
        parameters,
      );
    const rows = await this.#read(where, parameters, [filter.pageSize, (filter.pageNum - 1) * filter.pageSize]);
    return { rows, total: Number(count?.total ?? 0) };
  }

  async #read(where: string, parameters: unknown[], page: [limit: number, offset: number] = [100, 0]) {
    const rows = await this.em.fork().execute<Row[]>(
      `SELECT id, status, charged, word_count, billing_mode, tran_channel_id, host(ip) AS ip, client_type,
         source_lang, target_lang, created_at
       FROM translation_log WHERE user_id = ? AND ${where} ORDER BY usage_seq DESC LIMIT ? OFFSET ?`,
      [...parameters, ...page],
    );
    return rows.map((row) => this.#shown(row));
  }

  #shown(row: Row): Page['rows'][number] {
    return {
      id: row.id,
      status: row.status === 1 ? 'ok' : 'failed',
      charged: row.charged,
      wordCount: row.word_count,
      translationBillingMode: billingModeOf(row.billing_mode) ?? 'char',
      tranChannelId: row.tran_channel_id,
      ip: row.ip,
      clientType: clientTypeOf(row.client_type),
      sourceLangCode: row.source_lang,
      targetLangCode: row.target_lang,
      createDateTime: this.clock.toWire(new Date(row.created_at)),
    };
  }
}
