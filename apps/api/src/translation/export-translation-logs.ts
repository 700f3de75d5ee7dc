import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { FREE_REASONS, TRANSLATION_KINDS, type exportTranslationLogs } from '@yiqiao/contracts/translation';
import { CLIENT_TYPES } from '@yiqiao/domain/members';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { Ledger } from '../ledger/ledger.js';
import { Clock } from '../platform/clock.js';
import type { Column, CsvFile } from '../platform/csv.js';
import { CsvDownloads, downwards, inSteps, type Reader } from '../platform/csv-downloads.js';
import { Standby } from '../platform/standby.js';
import { languageOf } from './channels/languages.js';
import { TextChannels } from './text-channels.js';
import { readLines, type TranslationLogRow } from './list-translation-logs.js';

export class ExportTranslationLogs extends Query<CsvFile> {
  constructor(
    readonly reader: Reader,
    readonly filter: Input<typeof exportTranslationLogs>,
    readonly language: Language,
  ) {
    super();
  }
}

/** All lines that the page finds, in one table, newest first. */
@QueryHandler(ExportTranslationLogs)
export class ExportTranslationLogsHandler implements IQueryHandler<ExportTranslationLogs> {
  constructor(
    private readonly standby: Standby,
    private readonly ledger: Ledger,
    private readonly channels: TextChannels,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute(query: ExportTranslationLogs): Promise<CsvFile> {
    const { reader, language } = query;
    const columns = await this.#columns(language);
    return this.downloads.open({ reader, language, name: 'translation-log', columns, pages: this.#pages(query) });
  }

  async *#pages({ reader: { userId }, filter }: ExportTranslationLogs): AsyncGenerator<TranslationLogRow[]> {
    const times = this.clock.between(filter.createDateTimeBegin, filter.createDateTimeEnd);
    const source = await this.standby.source();
    const range = await source.read((em) => this.ledger.linesBetween(userId, times, em));
    const { loginIp, clientType } = filter;
    const filtered = loginIp !== undefined || clientType !== undefined;
    const conditions = filtered
      ? byNumber(await source.read((em) => this.ledger.linesFrom(userId, { ...range, loginIp, clientType }, em)))
      : byOrdinal(range);
    for (const { condition, parameters } of conditions)
      yield await source.read((em) => readLines(em, { userId, condition, parameters }, this.clock));
  }

  async #columns(language: Language): Promise<Column<TranslationLogRow>[]> {
    const channels = new Map((await this.channels.offers()).map((c) => [c.id, language === 'en' ? c.enName : c.name]));
    const named = (langCode: string): string =>
      languageOf(langCode)?.[language === 'en' ? 'englishName' : 'chineseName'] ?? langCode;
    const status = { ok: { zh: '成功', en: 'ok' }, failed: { zh: '失败', en: 'failed' } };
    return [
      { zh: '时间', en: 'Time', value: (row) => row.createDateTime },
      { zh: '结果', en: 'Result', value: (row) => status[row.status][language] },
      { zh: '类型', en: 'Kind', value: (row) => TRANSLATION_KINDS[row.kind][language] },
      { zh: '字符数', en: 'Characters', value: (row) => row.wordCount },
      { zh: '计费数量', en: 'Charged', value: (row) => row.charged },
      { zh: '计费单位', en: 'Unit', value: (row) => TRANSLATION_KINDS[row.kind].unit[language] },
      { zh: '免费原因', en: 'Free because', value: (row) => (row.free ? FREE_REASONS[row.free][language] : '') },
      { zh: '计费方式', en: 'Billing', value: (row) => BILLING_MODES[row.translationBillingMode][language] },
      { zh: '翻译通道', en: 'Channel', value: (row) => channels.get(row.tranChannelId) ?? row.tranChannelId },
      { zh: '原文语言', en: 'From', value: (row) => named(row.sourceLangCode) },
      { zh: '译文语言', en: 'To', value: (row) => named(row.targetLangCode) },
      { zh: '原文语言代码', en: 'From, code', value: (row) => row.sourceLangCode },
      { zh: '译文语言代码', en: 'To, code', value: (row) => row.targetLangCode },
      { zh: 'IP', en: 'IP', value: (row) => row.ip },
      { zh: '客户端', en: 'Client', value: (row) => CLIENT_TYPES[row.clientType][language] },
      { zh: 'API 密钥', en: 'API key', value: (row) => row.apiKey?.name ?? '' },
      { zh: '编号', en: 'Id', value: (row) => row.id },
    ];
  }
}

type Condition = { condition: string; parameters: unknown[] };

function* byOrdinal(range: { lo: number; hi: number }): Generator<Condition> {
  for (const parameters of downwards(range)) yield { condition: 'usage_seq BETWEEN ? AND ?', parameters };
}

/** The numbers of the matching lines were looked up before, up to the page's bound (docs/decisions/0008). */
function* byNumber(lines: number[]): Generator<Condition> {
  for (const step of inSteps(lines))
    yield { condition: 'usage_seq = ANY (?::bigint[])', parameters: [`{${step.join(',')}}`] };
}
