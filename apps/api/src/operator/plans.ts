import { EntityManager } from '@mikro-orm/postgresql';
import { billingModeOf, billingModeCode } from '@yiqiao/domain/ledger';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { CHANNELS, channelCodeOf, type ChannelCode } from '@yiqiao/domain/channels';
import { CHANGE_MAX } from '@yiqiao/domain/limits';
import { ChangePrices, worded } from '../plans/change-prices.js';
import { type MemberGroup, Plans } from '../plans/plans.js';
import { UsageError } from '../platform/cli-messages.js';
import { readArguments, requireWords, flag, integer, type Readers, readSettings, sentence } from './command-line.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { table, changes } from './table.js';
import { authorOf, managerAndReason } from './managers.js';

/** `plan list`: every plan, on sale or not. */
export function planList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const groups = await app.get(Plans, { strict: false }).groups(app.get(EntityManager).fork());
    print(
      table(
        HEAD[language],
        groups.map((group) => cells(group, language)),
      ),
    );
  };
}

const HEAD = {
  zh: [
    '编号',
    '名称',
    '英文名',
    '级别',
    '计费',
    '数量',
    '价格(分)',
    '分钟价(微元)',
    '语音',
    '图片',
    '子账号',
    '通道',
    '计价通道',
    '在售',
    '位置',
  ],
  en: [
    'id',
    'name',
    'enName',
    'tier',
    'billing',
    'num',
    'salePrice',
    'minutePrice',
    'voice',
    'images',
    'subs',
    'channel',
    'reference',
    'onSale',
    'position',
  ],
} as const;

function cells(group: MemberGroup, language: Operator['language']): string[] {
  const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
  const mark = (on: boolean): string => yes[on ? 1 : 0] ?? '';
  const mode = BILLING_MODES[billingModeOf(group.billingMode) ?? 'char'][language];
  return [
    String(group.id),
    group.name,
    group.enName,
    group.tier,
    mode,
    group.num.toLocaleString('en-US'),
    String(group.salePrice),
    String(group.minutePrice),
    String(group.voiceNum),
    String(group.imageNum),
    mark(group.createChildUser),
    String(group.tranChannelId ?? '–'),
    String(group.referenceChannelId),
    mark(group.onSale),
    String(group.position),
  ];
}

const INT4_MAX = 2 ** 31 - 1;
const NAME_MOST = 64;

type Settable = Omit<MemberGroup, 'id'>;
const from =
  (least: number, most = INT4_MAX) =>
  (key: string, text: string) =>
    integer(key, text, [least, most]);
const name = (key: string, text: string): string => sentence(key, text, NAME_MOST);

function channel(key: string, text: string): number {
  const code = channelCodeOf(Number(text)) ?? (Object.hasOwn(CHANNELS, text) ? (text as ChannelCode) : null);
  if (code === null)
    throw new UsageError({ zh: `${key} 应为通道编号或代号`, en: `${key} must be the id or code of a channel.` });
  return CHANNELS[code].id;
}

/** The columns of a plan that an operator may change, with their parsers, which match the CHECKs of the schema. */
const SETTINGS: Readers<Settable> = {
  name,
  enName: name,
  tier: (key, text) => {
    if (!/^[a-z]{2,20}$/.test(text))
      throw new UsageError({ zh: `${key} 应为 2–20 个小写字母`, en: `${key} must have 2–20 lowercase letters.` });
    return text;
  },
  billingMode: (key, text) => {
    if (text !== 'char' && text !== 'time')
      throw new UsageError({ zh: `${key} 应为 char 或 time`, en: `${key} must be char or time.` });
    return billingModeCode(text);
  },
  num: from(1, CHANGE_MAX),
  salePrice: from(0),
  minutePrice: from(1),
  voiceNum: from(0),
  imageNum: from(0),
  createChildUser: flag,
  tranChannelId: (key, text) => (text === 'null' ? null : channel(key, text)),
  referenceChannelId: channel,
  onSale: flag,
  position: from(0, 10_000),
};

/** `plan set <id> key=value … --reason "…" [--by name]`: applies all values or none. Existing orders keep their snapshot. */
export function planSet(args: string[]): OperatorTask {
  const parsed = readArguments(args, { settings: Object.keys(SETTINGS), options: ['reason', 'by'] });
  const [id = ''] = requireWords(parsed, ['id']);
  if (parsed.settings.size === 0)
    throw new UsageError({ zh: `没有要修改的内容，可用：${keys()}`, en: `Nothing to set. Available: ${keys()}` });
  const change = readSettings(SETTINGS, parsed.settings);
  const groupId = integer('id', id, [1, INT4_MAX]);
  managerAndReason(parsed); // the reason is required
  const authorIn = authorOf(parsed);
  return async ({ app, language, print }) => {
    const prices = app.get(ChangePrices, { strict: false });
    const lines = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await prices.seePlan(em, groupId, change);
        const author = await authorIn({ app })(em);
        const { was, will } = await prices.changePlan(em, { id: groupId, change }, author);
        return changes(worded(was), worded(will));
      });
    const nothing = { zh: '  没有变化', en: '  nothing changed' }[language];
    print({ zh: `套餐 ${id}`, en: `Plan ${id}` }[language]);
    for (const line of lines.length > 0 ? lines : [nothing]) print(line);
  };
}

const keys = (): string => Object.keys(SETTINGS).join(' ');
