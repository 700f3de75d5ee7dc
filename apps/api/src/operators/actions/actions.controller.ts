import { EntityManager } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { checkActions, downloadActions, listActionNames, listActions } from '@yiqiao/contracts/operator/actions';
import { CsvDownloads } from '../../platform/csv-downloads.js';
import type { Column, CsvFile } from '../../platform/csv.js';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { ActionLog } from '../action-log.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator, OperatorSessions } from '../operator-sessions.js';
import { ActionReader, type ActionRow } from './read-actions.js';

const json = (value: object | null): string | null => value && JSON.stringify(value);

const COLUMNS: readonly Column<ActionRow>[] = [
  { zh: '序号', en: 'Number', value: ({ n }) => n },
  { zh: '时间', en: 'Time', value: ({ at }) => at },
  { zh: '操作员', en: 'Operator', value: ({ actor }) => actor },
  { zh: 'IP 地址', en: 'IP address', value: ({ ip }) => ip },
  { zh: '会话', en: 'Session', value: ({ session }) => session },
  { zh: '动作', en: 'Action', value: ({ action }) => action },
  { zh: '对象类型', en: 'Kind of target', value: ({ target }) => target?.kind ?? null },
  { zh: '对象', en: 'Target', value: ({ target }) => target?.id ?? null },
  { zh: '之前', en: 'Before', value: ({ before }) => json(before) },
  { zh: '之后', en: 'After', value: ({ after }) => json(after) },
  { zh: '原因', en: 'Reason', value: ({ reason }) => reason },
  { zh: '审批', en: 'Request', value: ({ approvalId }) => approvalId },
  { zh: '命令号', en: 'Command', value: ({ cmdId }) => cmdId },
  { zh: '请求号', en: 'Request id', value: ({ requestId }) => requestId },
  { zh: '哈希', en: 'Hash', value: ({ hash }) => hash },
  { zh: '链', en: 'Chain', value: ({ whole }) => (whole ? 'whole' : 'broken') },
];

/** The action log (operators §5). */
@Controller()
export class ActionsController {
  constructor(
    private readonly reader: ActionReader,
    private readonly downloads: CsvDownloads,
    private readonly sessions: OperatorSessions,
    private readonly actions: ActionLog,
    private readonly em: EntityManager,
  ) {}

  @Endpoint(listActions)
  list(@Input(listActions) filter: InputOf<typeof listActions>): Promise<Answer<typeof listActions>> {
    return this.reader.list(filter);
  }

  @Endpoint(downloadActions)
  async download(
    @Input(downloadActions) filter: InputOf<typeof downloadActions>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<CsvFile> {
    const { language } = client;
    const reader = this.sessions.downloader(operator);
    const pages = this.reader.pages(filter);
    const file = await this.downloads.open({ reader, language, name: 'actions', columns: COLUMNS, pages });
    await this.em
      .fork()
      .transactional((em) =>
        this.actions.record(em, actorOf(operator, client), { action: 'actions.download', after: filter }),
      );
    return file;
  }

  @Endpoint(listActionNames)
  names(): Promise<Answer<typeof listActionNames>> {
    return this.reader.names();
  }

  @Endpoint(checkActions)
  check(): Promise<Answer<typeof checkActions>> {
    return this.reader.check();
  }
}
