import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { exportMembers } from '@yiqiao/contracts/operator/members';
import { Clock } from '../../platform/clock.js';
import { type Column, CsvFile, csvHead, csvLines } from '../../platform/csv.js';
import { ActionLog, type Actor } from '../action-log.js';
import { type MemberRow, SearchMembers } from './search-members.js';

const EXPORT_MAX = 5_000;

/** The rows that a search finds as one file; who took it, and what of, is in the action log. */
export class ExportMembers extends Command<CsvFile> {
  constructor(
    readonly request: Input<typeof exportMembers>,
    readonly language: Language,
    readonly actor: Actor,
  ) {
    super();
  }
}

@CommandHandler(ExportMembers)
export class ExportMembersHandler implements ICommandHandler<ExportMembers> {
  constructor(
    private readonly em: EntityManager,
    private readonly queries: QueryBus,
    private readonly actions: ActionLog,
    private readonly clock: Clock,
  ) {}

  async execute({ request, language, actor }: ExportMembers): Promise<CsvFile> {
    const page = { pageNum: 1, pageSize: EXPORT_MAX };
    const { rows } = await this.queries.execute(new SearchMembers({ ...request, ...page }, EXPORT_MAX));
    await this.em.fork().transactional((em) =>
      this.actions.record(em, actor, {
        action: 'members.export',
        after: { status: request.status ?? null, query: request.query ?? null, rows: rows.length },
      }),
    );
    const columns = columnsIn(language);
    const text = csvHead(columns, language) + csvLines(columns, rows);
    const name = `members-${this.clock.day(this.clock.now())}-${actor.actor.replaceAll(/[^\w-]/g, '')}.csv`;
    return new CsvFile(name, Readable.from([text], { objectMode: false }));
  }
}

const STATES: Record<MemberRow['state'], { zh: string; en: string }> = {
  enabled: { zh: '启用', en: 'Enabled' },
  low: { zh: '余额低', en: 'Low balance' },
  expired: { zh: '已过期，冻结', en: 'Expired, frozen' },
  disabled: { zh: '停用', en: 'Disabled' },
  closed: { zh: '已注销', en: 'Closed' },
};

const columnsIn = (language: Language): Column<MemberRow>[] => [
  { zh: '编号', en: 'Id', value: (row) => row.userId },
  { zh: '用户名', en: 'Username', value: (row) => row.username },
  { zh: '昵称', en: 'Nickname', value: (row) => row.nickname },
  { zh: '邮箱', en: 'Email', value: (row) => row.account },
  { zh: '主账号编号', en: 'Main account', value: (row) => row.familyId },
  { zh: '套餐', en: 'Plan', value: (row) => (language === 'zh' ? row.memberGroup.name : row.memberGroup.enName) },
  { zh: '字符', en: 'Characters', value: (row) => row.usableCharNum },
  { zh: '语音', en: 'Voice', value: (row) => row.usableVoiceNum },
  { zh: '图片', en: 'Images', value: (row) => row.usableImageNum },
  { zh: '到期', en: 'Expires', value: (row) => row.expireDateTime },
  { zh: '子账号', en: 'Sub-accounts', value: (row) => row.children },
  { zh: '上次登录', en: 'Last sign-in', value: (row) => row.lastLoginDateTime },
  { zh: '状态', en: 'State', value: (row) => STATES[row.state][language] },
];
