import { EntityManager } from '@mikro-orm/postgresql';
import { CHANNELS, channelCodeOf, type ChannelCode } from '@yiqiao/domain/channels';
import { billingModeCode, billingModeOf } from '@yiqiao/domain/ledger';
import { CHANGE_MAX } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { type MemberGroup, Plans } from '../plans/plans.js';
import { recordChange } from '../platform/manager-actions.js';
import { flag, integer, type Readers, readArguments, readSettings, requireWords, sentence } from './command-line.js';
import { managerIdOf, motiveOf } from './managers.js';
import type { Work } from './product.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { changes, type Told } from './table.js';

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
  if (code === null) throw new UsageError({ zh: `${key} 应为通道编号或代号`, en: `${key} is a channel's id or code.` });
  return CHANNELS[code].id;
}

/** What an operator may set of a plan, and how each is read: the schema's CHECKs in words. */
const SETTINGS: Readers<Settable> = {
  name,
  enName: name,
  tier: (key, text) => {
    if (!/^[a-z]{2,20}$/.test(text))
      throw new UsageError({ zh: `${key} 应为 2–20 个小写字母`, en: `${key} has 2–20 small letters.` });
    return text;
  },
  billingMode: (key, text) => {
    if (text !== 'char' && text !== 'time')
      throw new UsageError({ zh: `${key} 应为 char 或 time`, en: `${key} is char or time.` });
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

/** `plan set <id> key=value … --reason "…" [--by name]`: all of it or nothing. Orders that exist keep their snapshot. */
export function planSet(args: string[]): Work {
  const typed = readArguments(args, { settings: Object.keys(SETTINGS), options: ['reason', 'by'] });
  const [id = ''] = requireWords(typed, ['id']);
  if (typed.settings.size === 0)
    throw new UsageError({ zh: `没有要修改的内容，可用：${keys()}`, en: `There is nothing to set. Known: ${keys()}` });
  const change = readSettings(SETTINGS, typed.settings);
  const groupId = integer('id', id, [1, INT4_MAX]);
  const { manager, reason } = motiveOf(typed);
  return async ({ app, language, say }) => {
    const plans = app.get(Plans, { strict: false });
    const lines = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        const before = await plans.findGroup(em, groupId);
        if (!before) throw new CommandError({ zh: `没有套餐 ${id}`, en: `There is no plan ${id}.` });
        const [was, will] = [{ ...before }, { ...before, ...change }];
        requireSensible(will);
        const author = { managerId: await managerIdOf(em, manager), reason };
        await plans.setGroup(em, { id: groupId, ...change }, author);
        const target = { kind: 'plan', id: String(groupId) } as const;
        await recordChange(em, author, { target, before: worded(was), after: worded(will) });
        return changes(worded(was), worded(will));
      });
    const nothing = { zh: '  没有变化', en: '  nothing changed' }[language];
    say({ zh: `套餐 ${id}`, en: `Plan ${id}` }[language]);
    for (const line of lines.length > 0 ? lines : [nothing]) say(line);
  };
}

const keys = (): string => Object.keys(SETTINGS).join(' ');

const worded = ({ billingMode, ...group }: MemberGroup): Told => ({
  ...group,
  billingMode: billingModeOf(billingMode),
});

/** What no single value shows. */
function requireSensible(group: MemberGroup): void {
  if (group.onSale && group.id === TRIAL_GROUP_ID)
    throw new CommandError({ zh: '免费试用不能在售', en: 'The free trial is never on sale.' });
  if (group.onSale && group.salePrice < 1)
    throw new CommandError({ zh: '在售套餐的价格至少为 1 分', en: 'A plan on sale costs at least 1 fen.' });
}
