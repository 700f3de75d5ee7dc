import { EntityManager } from '@mikro-orm/postgresql';
import { type Channel, Plans } from '../plans/plans.js';
import { recordChange } from '../platform/manager-actions.js';
import { flag, integer, type Readers, readArguments, readSettings, requireWords, sentence } from './command-line.js';
import { managerIdOf, motiveOf } from './managers.js';
import type { Work } from './product.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { changes } from './table.js';

const INT4_MAX = 2 ** 31 - 1;
const NAME_MOST = 64;
const name = (key: string, text: string): string => sentence(key, text, NAME_MOST);

type Settable = Pick<Channel, 'price' | 'enabled' | 'name' | 'enName'>;

/** What an operator may set of a channel; what it can do is code. */
const SETTINGS: Readers<Settable> = {
  price: (key, text) => integer(key, text, [1, INT4_MAX]),
  enabled: flag,
  name,
  enName: name,
};

/** `channel set <id|code> key=value … --reason "…" [--by name]`. A new price values what members have on this channel anew, from now on. */
export function channelSet(args: string[]): Work {
  const typed = readArguments(args, { settings: Object.keys(SETTINGS), options: ['reason', 'by'] });
  const [which = ''] = requireWords(typed, ['id|code']);
  const known = Object.keys(SETTINGS).join(' ');
  if (typed.settings.size === 0)
    throw new UsageError({ zh: `没有要修改的内容，可用：${known}`, en: `There is nothing to set. Known: ${known}` });
  const change = readSettings(SETTINGS, typed.settings);
  const { manager, reason } = motiveOf(typed);
  return async ({ app, language, say }) => {
    const plans = app.get(Plans, { strict: false });
    const { code, lines } = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        const before = await plans.findChannel(em, which);
        if (!before) throw new CommandError({ zh: `没有通道 ${which}`, en: `There is no channel ${which}.` });
        const [was, will] = [{ ...before }, { ...before, ...change }];
        const author = { managerId: await managerIdOf(em, manager), reason };
        await plans.setChannel(em, { id: before.id, ...change }, author);
        const target = { kind: 'channel', id: String(before.id) } as const;
        await recordChange(em, author, { target, before: was, after: will });
        return { code: before.code, lines: changes(was, will) };
      });
    const nothing = { zh: '  没有变化', en: '  nothing changed' }[language];
    say({ zh: `通道 ${code}`, en: `Channel ${code}` }[language]);
    for (const line of lines.length > 0 ? lines : [nothing]) say(line);
  };
}
