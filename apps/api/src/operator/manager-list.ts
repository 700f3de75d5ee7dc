import { EntityManager } from '@mikro-orm/postgresql';
import { type Author, recordChange } from '../platform/manager-actions.js';
import { Clock } from '../platform/clock.js';
import { CommandError, type Text } from '../platform/cli-messages.js';
import { readArguments, requireWords, sentence, type Typed } from './command-line.js';
import { authorOf, managerNames, NAME_MOST } from './managers.js';
import type { Work } from './product.js';
import { table } from './table.js';

/** `manager list`: in whose name commands are accepted, and who was on the list before. */
export function managerList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const rows = await app
      .get(EntityManager)
      .fork()
      .execute<{ name: string; listed: boolean; added_at: Date }[]>(
        'SELECT name, listed, added_at FROM manager ORDER BY listed DESC, name',
      );
    const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
    const clock = app.get(Clock);
    say(
      table(
        HEAD[language],
        rows.map(({ name, listed, added_at }) => [name, yes[listed ? 1 : 0] ?? '', clock.toWire(added_at)]),
      ),
    );
  };
}

const HEAD = { zh: ['操作员', '在名单中', '登记时间'], en: ['manager', 'listed', 'since'] } as const;

/** `manager add <name>`: commands are accepted in this name. The first one adds itself; after that a manager on the list does. */
export const managerAdd = (args: string[]): Work =>
  changeList(args, async (em, typed, name) => {
    const isFirst = (await managerNames(em)).length === 0;
    const author = isFirst ? null : await authorOf(typed)(em);
    const id = await addManager(em, name);
    if (id === null) throw new CommandError({ zh: `${name} 已在名单中`, en: `${name} is on the list already.` });
    await recordListing(em, author ?? { managerId: id, reason: null }, { name, listed: true });
    return { zh: `${name} 已登记为操作员`, en: `${name} is a manager now: commands take --by ${name}` };
  });

/** Puts a name on the list. Answers the manager's id; null when it was there. */
export async function addManager(em: EntityManager, name: string): Promise<number | null> {
  const [row] = await em.execute<{ id: string }[]>(
    `INSERT INTO manager (name) VALUES (?)
     ON CONFLICT (name) DO UPDATE SET listed = true WHERE NOT manager.listed RETURNING id`,
    [name],
  );
  return row ? Number(row.id) : null;
}

/** `manager remove <name>`: no command is accepted in this name any more; what was done in it stays. Never the last one. */
export const managerRemove = (args: string[]): Work =>
  changeList(args, async (em, typed, name) => {
    const author = await authorOf(typed)(em);
    const names = await managerNames(em);
    if (!names.includes(name)) throw new CommandError({ zh: `${name} 不在名单中`, en: `${name} is not on the list.` });
    if (names.length === 1)
      throw new CommandError({
        zh: `${name} 是最后一位操作员，请先登记另一位`,
        en: `${name} is the last manager: add another one first.`,
      });
    await em.execute('UPDATE manager SET listed = false WHERE name = ?', [name]);
    await recordListing(em, author, { name, listed: false });
    return { zh: `${name} 已从名单中移除`, en: `${name} is off the list.` };
  });

/** Runs `change` for the name that was typed, one change of the list at a time, and says what it answers. */
function changeList(args: string[], change: (em: EntityManager, typed: Typed, name: string) => Promise<Text>): Work {
  const typed = readArguments(args, { options: ['by', 'reason'] });
  const name = nameIn(requireWords(typed, ['name']));
  return async ({ app, language, say }) => {
    const em = app.get(EntityManager).fork();
    const done = await em.transactional(async (inner) => {
      await lockList(inner);
      return change(inner, typed, name);
    });
    say(done[language]);
  };
}

const recordListing = (em: EntityManager, author: Author, { name, listed }: { name: string; listed: boolean }) =>
  recordChange(em, author, {
    target: { kind: 'manager', id: name },
    before: { listed: !listed },
    after: { listed },
  });

const nameIn = ([name = '']: string[]): string => sentence('name', name, NAME_MOST);

/** One change of the list at a time: two first managers, or the last two who remove each other, must not pass. */
const lockList = async (em: EntityManager): Promise<void> => {
  await em.execute(`SELECT pg_advisory_xact_lock(hashtext('manager list'))`);
};
