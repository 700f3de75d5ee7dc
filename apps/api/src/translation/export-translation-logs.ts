import { isIP } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { exportTranslationLogs } from '@yiqiao/contracts/translation';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { CLIENT_TYPES, type ClientType } from '@yiqiao/domain/members';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import type { Column } from '../platform/csv.js';
import { CsvDownloads, type CsvFile, DOWNLOAD_STEP, downwards } from '../platform/csv-downloads.js';
import { languageOf } from './channels/languages.js';
import { TextChannels } from './text-channels.js';
import { readLines, type TranslationLogRow } from './translation-log-rows.js';

export class ExportTranslationLogs extends Query<CsvFile> {
  constructor(
    readonly userId: number,
    readonly filter: Input<typeof exportTranslationLogs>,
    readonly language: Language,
  ) {
    super();
  }
}

/** What the page finds, as one table from the newest line down. */
@QueryHandler(ExportTranslationLogs)
export class ExportTranslationLogsHandler implements IQueryHandler<ExportTranslationLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly ledger: Ledger,
    private readonly channels: TextChannels,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute(query: ExportTranslationLogs): Promise<CsvFile> {
    const { userId, language } = query;
    const columns = await this.#columns(language);
    return this.downloads.open({ userId, language, name: 'translation-log', columns, pages: this.#pages(query) });
  }

  async *#pages({ userId, filter }: ExportTranslationLogs): AsyncGenerator<TranslationLogRow[]> {
    const { createDateTimeBegin: begin, createDateTimeEnd: end } = filter;
    const from = begin ? this.clock.fromWire(begin) : undefined;
    const to = end ? this.clock.endOfWire(end) : undefined;
    const range = await this.ledger.linesBetween(userId, { from, to });
    const filtered = filter.loginIp !== undefined || filter.clientType !== undefined;
    const conditions = filtered ? this.#byClient(userId, range, filter) : byOrdinal(range);
    for await (const { condition, parameters } of conditions)
      yield await readLines(this.em.fork(), { userId, condition, parameters }, this.clock);
  }

  /** What matches is looked up first, as far as the page counts. */
  async *#byClient(
    userId: number,
    { lo, hi }: { lo: number; hi: number },
    { loginIp = null, clientType }: { loginIp?: string | null | undefined; clientType?: ClientType | undefined },
  ): AsyncGenerator<Condition> {
    // What is not an address matches none; PostgreSQL would refuse to compare it.
    if (loginIp !== null && !isIP(loginIp)) return;
    const client = clientType ? CLIENT_TYPES[clientType].code : null;
    const rows = await this.em.fork().execute<{ seq: number }[]>(MATCHING, [userId, lo, hi, loginIp, client]);
    for (let at = 0; at < rows.length; at += DOWNLOAD_STEP) {
      const seqs = rows.slice(at, at + DOWNLOAD_STEP).map((row) => row.seq);
      yield { condition: 'usage_seq = ANY (?::bigint[])', parameters: [`{${seqs.join(',')}}`] };
    }
  }

  async #columns(language: Language): Promise<Column<TranslationLogRow>[]> {
    const channels = new Map((await this.channels.views()).map((c) => [c.id, language === 'en' ? c.enName : c.name]));
    const named = (langCode: string): string =>
      languageOf(langCode)?.[language === 'en' ? 'englishName' : 'chineseName'] ?? langCode;
    const status = { ok: { zh: '成功', en: 'ok' }, failed: { zh: '失败', en: 'failed' } };
    return [
      { zh: '时间', en: 'Time', value: (row) => row.createDateTime },
      { zh: '结果', en: 'Result', value: (row) => status[row.status][language] },
      { zh: '字符数', en: 'Characters', value: (row) => row.wordCount },
      { zh: '计费数量', en: 'Charged', value: (row) => row.charged },
      { zh: '计费方式', en: 'Billing', value: (row) => BILLING_MODES[row.translationBillingMode][language] },
      { zh: '翻译通道', en: 'Channel', value: (row) => channels.get(row.tranChannelId) ?? row.tranChannelId },
      { zh: '源语言', en: 'From', value: (row) => named(row.sourceLangCode) },
      { zh: '目标语言', en: 'To', value: (row) => named(row.targetLangCode) },
      { zh: '源语言代码', en: 'From, code', value: (row) => row.sourceLangCode },
      { zh: '目标语言代码', en: 'To, code', value: (row) => row.targetLangCode },
      { zh: 'IP', en: 'IP', value: (row) => row.ip },
      { zh: '客户端', en: 'Client', value: (row) => CLIENT_TYPES[row.clientType][language] },
      { zh: '编号', en: 'Id', value: (row) => row.id },
    ];
  }
}

type Condition = { condition: string; parameters: unknown[] };

function* byOrdinal(range: { lo: number; hi: number }): Generator<Condition> {
  for (const parameters of downwards(range)) yield { condition: 'usage_seq BETWEEN ? AND ?', parameters };
}

const MATCHING = `
WITH wanted (user_id, lo, hi, ip, client) AS (VALUES (?::bigint, ?::bigint, ?::bigint, ?::inet, ?::smallint))
SELECT l.usage_seq AS seq FROM wanted w
JOIN translation_log l ON l.user_id = w.user_id AND l.usage_seq BETWEEN w.lo AND w.hi
WHERE (w.ip IS NULL OR l.ip = w.ip) AND (w.client IS NULL OR l.client_type = w.client)
ORDER BY l.usage_seq DESC LIMIT ${FILTERED_ROWS_MAX}`;
