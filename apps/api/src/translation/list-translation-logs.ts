import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { listTranslationLogs } from '@yiqiao/contracts/translation';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { clientTypeOf } from '@yiqiao/domain/members';
import { archivedNote, Ledger } from '../ledger/ledger.js';
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

/**
 * The caller's own lines, newest first. Lines are numbered without gaps, so a page without address filters costs O(log n); one with is
 * counted to a bound (docs/decisions/0008).
 */
@QueryHandler(ListTranslationLogs)
export class ListTranslationLogsHandler implements IQueryHandler<ListTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, userId }: ListTranslationLogs): Promise<Page> {
    const times = this.clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const { lo, hi } = await this.ledger.linesBetween(userId, times);
    const note = await archivedNote(this.em.fork(), userId, this.clock);
    if (hi < lo) return { rows: [], total: 0, ...note };
    const filtered = filter.loginIp !== undefined || filter.clientType !== undefined;
    const page = filtered ? this.#byClient(userId, { lo, hi }, filter) : this.#byOrdinal(userId, { lo, hi }, filter);
    return { ...(await page), ...note };
  }

  async #byOrdinal(userId: number, { lo, hi }: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    const newest = hi - (filter.pageNum - 1) * filter.pageSize;
    const oldest = Math.max(lo, newest - filter.pageSize + 1);
    const rows = await this.#read(userId, 'usage_seq BETWEEN ? AND ?', [oldest, newest]);
    return { rows, total: hi - lo + 1 };
  }

  async #byClient(userId: number, range: { lo: number; hi: number }, filter: Filter): Promise<Page> {
    const { loginIp, clientType, pageNum, pageSize } = filter;
    const lines = await this.ledger.linesFrom(userId, { ...range, loginIp, clientType });
    const page = lines.slice((pageNum - 1) * pageSize, pageNum * pageSize);
    if (page.length === 0) return { rows: [], total: lines.length };
    const rows = await this.#read(userId, 'usage_seq = ANY (?::bigint[])', [`{${page.join(',')}}`]);
    return { rows, total: lines.length };
  }

  #read(userId: number, condition: string, parameters: unknown[]): Promise<Page['rows']> {
    return readLines(this.em.fork(), { userId, condition, parameters }, this.clock);
  }
}

export type TranslationLogRow = Answer<typeof listTranslationLogs>['rows'][number];

type Row = {
  id: number;
  kind: number;
  free: number | null;
  entry_seq: number | null;
  status: number;
  charged: number;
  word_count: number;
  billing_mode: number;
  tran_channel_id: number;
  ip: string | null;
  client_type: number;
  source_lang: string;
  target_lang: string;
  created_at: Date;
  api_key_id: number | null;
  api_key_name: string | null;
};

/** By their code in the table. */
export const KINDS = [undefined, 'text', 'voice', 'image'] as const;
const FREE = [undefined, 'memory', 'gloss'] as const;

/** Why a line that succeeded cost nothing. An entry without a charge is a text in time mode (decisions §4). */
const freeOf = ({ free, status, charged, entry_seq }: Row): TranslationLogRow['free'] =>
  FREE[free ?? 0] ?? (status === 1 && charged === 0 && entry_seq !== null ? 'time' : null);

/** Shown where an address was erased at log-off (decisions §3). */
const GONE = '–';

/** A member's lines that meet `condition`, newest first, as the wire shows them. Raw SQL: the table belongs to the ledger. */
export async function readLines(
  em: EntityManager,
  where: { userId: number; condition: string; parameters: unknown[] },
  clock: Clock,
): Promise<TranslationLogRow[]> {
  const rows = await em.execute<Row[]>(
    `SELECT id, kind, free, entry_seq, status, charged, word_count, billing_mode, tran_channel_id, host(ip) AS ip, client_type,
       source_lang, target_lang, created_at, api_key_id, (SELECT name FROM api_key k WHERE k.id = api_key_id) AS api_key_name
     FROM translation_log WHERE user_id = ? AND ${where.condition} ORDER BY usage_seq DESC`,
    [where.userId, ...where.parameters],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: KINDS[row.kind] ?? 'text',
    status: row.status === 1 ? 'ok' : 'failed',
    charged: row.charged,
    free: freeOf(row),
    wordCount: row.word_count,
    translationBillingMode: billingModeOf(row.billing_mode) ?? 'char',
    tranChannelId: row.tran_channel_id,
    ip: row.ip ?? GONE,
    clientType: clientTypeOf(row.client_type),
    sourceLangCode: row.source_lang,
    targetLangCode: row.target_lang,
    createDateTime: clock.toWire(new Date(row.created_at)),
    apiKey: row.api_key_id === null ? null : { id: Number(row.api_key_id), name: row.api_key_name ?? '' },
  }));
}
