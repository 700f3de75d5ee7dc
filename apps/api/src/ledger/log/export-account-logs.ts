import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { changeTagOf, type exportAccountLogs } from '@yiqiao/contracts/account-log';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import { CHANGE_TAGS } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { BILLING_MODES, type BillingMode } from '@yiqiao/domain/plans';
import { Clock } from '../../platform/clock.js';
import type { Column } from '../../platform/csv.js';
import { CsvDownloads, type Reader } from '../../platform/csv-downloads.js';
import type { CsvFile } from '../../platform/csv.js';
import { Standby } from '../../platform/standby.js';
import { type AccountLogRow, readRows } from './account-log-rows.js';
import { FilteredEntries } from './filtered-entries.js';

export class ExportAccountLogs extends Query<CsvFile> {
  constructor(
    readonly reader: Reader,
    readonly filter: Input<typeof exportAccountLogs>,
    readonly language: Language,
  ) {
    super();
  }
}

/** The filtered entries of the page as one table, newest first. */
@QueryHandler(ExportAccountLogs)
export class ExportAccountLogsHandler implements IQueryHandler<ExportAccountLogs> {
  constructor(
    private readonly em: EntityManager,
    private readonly standby: Standby,
    private readonly clock: Clock,
    private readonly downloads: CsvDownloads,
  ) {}

  async execute(query: ExportAccountLogs): Promise<CsvFile> {
    const { reader, language } = query;
    const columns = accountLogColumns({ language, channels: await this.#channelNames(language) });
    return this.downloads.open({ reader, language, name: 'account-log', columns, pages: this.#pages(query) });
  }

  async *#pages({ reader: { userId }, filter, language }: ExportAccountLogs): AsyncGenerator<AccountLogRow[]> {
    const source = await this.standby.source();
    const entries = await source.read((em) => FilteredEntries.of(em, { userId, filter }, this.clock));
    for (const step of entries.steps())
      yield await source.read((em) => readRows(em, { userId, language, ...step }, this.clock));
  }

  async #channelNames(language: Language): Promise<Map<number, string>> {
    const name = language === 'en' ? 'en_name' : 'name';
    const rows = await this.em
      .fork()
      .execute<{ id: number; name: string }[]>(`SELECT id, ${name} AS name FROM tran_channel`);
    return new Map(rows.map((row) => [row.id, row.name]));
  }
}

/** The reader's language, and the names of channels in it. */
type Names = { language: Language; channels: ReadonlyMap<number, string> };

type Of<Row> = Column<Row>['value'];

const FEN = 100;

/** The columns of the download: every field of the specification (§3), the most readable first. */
function accountLogColumns({ language, channels }: Names): Column<AccountLogRow>[] {
  const columns: Column<AccountLogRow>[] = [];
  const add = (zh: string, en: string, value: Of<AccountLogRow>): void => void columns.push({ zh, en, value });
  const channel = (id: number | null): string | null => (id === null ? null : (channels.get(id) ?? String(id)));
  const mode = (of: BillingMode | null): string | null => of && BILLING_MODES[of][language];

  add('时间', 'Time', (row) => row.createDateTime);
  add('类型', 'Type', (row) => ENTRY_TYPES[row.logType][language]);
  add('变动', 'Change', (row) => CHANGE_TAGS[changeTagOf(row)][language]);
  add('说明', 'Explanation', (row) => row.explanation);
  add('字符变动', 'Characters, change', (row) => row.charChangeNum);
  add('字符变动前', 'Characters before', (row) => row.beforeCharNum);
  add('字符变动后', 'Characters after', (row) => row.lastCharNum);
  add('时长变动（分钟）', 'Minutes, change', (row) => row.minChangeNum);
  add('到期时间变动前', 'Expiry before', (row) => row.beforeExpireDateTime);
  add('到期时间变动后', 'Expiry after', (row) => row.lastExpireDateTime);
  add('语音变动', 'Voice uses, change', (row) => row.voiceChangeNum);
  add('语音变动前', 'Voice uses before', (row) => row.beforeVoiceNum);
  add('语音变动后', 'Voice uses after', (row) => row.lastVoiceNum);
  add('图片变动', 'Images, change', (row) => row.imageChangeNum);
  add('图片变动前', 'Images before', (row) => row.beforeImageNum);
  add('图片变动后', 'Images after', (row) => row.lastImageNum);
  add('用量（字符）', 'Characters used', (row) => row.usedCharNum);
  add('通道变动前', 'Channel before', (row) => channel(row.beforeTranChannelId));
  add('通道变动后', 'Channel after', (row) => channel(row.lastTranChannelId));
  add('计费方式变动前', 'Billing before', (row) => mode(row.beforeTranslationBillingMode));
  add('计费方式变动后', 'Billing after', (row) => mode(row.lastTranslationBillingMode));
  add('支付金额（元）', 'Paid (CNY)', (row) => row.amount / FEN);
  add('充值订单号', 'Order number', (row) => row.rechargeOrderByMemberGroupNo);
  add('会员组', 'Member group', (row) => row.rechargeMemberGroupName);
  add('充值通道', 'Channel of the group', (row) => channel(row.rechargeTranChannelId));
  add('充值计费方式', 'Billing of the group', (row) => mode(row.rechargeTranslationBillingMode));
  add('消费通道', 'Channel used', (row) => channel(row.consumeTranChannelId));
  add('翻译配置编号', 'Configuration used', (row) => row.consumeTranslationConfigId);
  add('消费 IP', 'IP of the use', (row) => row.consumerIp);
  add('API 密钥', 'API key', (row) => row.apiKey?.name ?? null);
  add('主账号', 'Main account', (row) => row.parentUserName);
  add('子账号', 'Sub-account', (row) => row.childUserName);
  add('管理员编号', 'Operator id', (row) => row.managerId);
  add('管理员', 'Operator', (row) => row.managerName);
  add('原因', 'Reason', (row) => row.reason);
  add('编号', 'Id', (row) => row.id);
  return columns;
}
