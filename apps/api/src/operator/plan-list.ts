import { EntityManager } from '@mikro-orm/postgresql';
import { billingModeOf } from '@yiqiao/domain/ledger';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { type MemberGroup, Plans } from '../plans/plans.js';
import { readArguments, requireWords } from './command-line.js';
import type { Operator, Work } from './product.js';
import { table } from './table.js';

/** `plan list`: every plan, on sale or not. */
export function planList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const groups = await app.get(Plans, { strict: false }).groups(app.get(EntityManager).fork());
    say(
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
    ...[String(group.id), group.name, group.enName, group.tier, mode, group.num.toLocaleString('en-US')],
    ...[String(group.salePrice), String(group.minutePrice), String(group.voiceNum), String(group.imageNum)],
    ...[mark(group.createChildUser), String(group.tranChannelId ?? '–'), String(group.referenceChannelId)],
    ...[mark(group.onSale), String(group.position)],
  ];
}
