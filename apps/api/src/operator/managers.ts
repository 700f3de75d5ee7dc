import { EntityManager } from '@mikro-orm/postgresql';
import { commandIdOf } from '../platform/command-id.js';
import {
  addManager,
  type AuthorOf,
  findManager,
  type Author,
  recordChange,
  Manager,
} from '../platform/manager-actions.js';
import { CommandError, operatorCommand, UsageError, type Text } from '../platform/cli-messages.js';
import { uuid7 } from '../platform/uuid7.js';
import { Clock } from '../platform/clock.js';
import { lockKey } from '../platform/database.js';
import { OperatorTokens } from '../platform/operator-token.js';
import { systemUser } from '../platform/system-user.js';
import { sentence, type ParsedArguments, readArguments, requireWords } from './command-line.js';
import { ActionLog } from '../operators/action-log.js';
import type { Operator, OperatorTask } from './operator-app.js';
import { table } from './table.js';

const NAME_MAX = 64;
const REASON_MAX = 500;

/** Who changes something and why. Members read both in the account log (decisions §4). */
export type ManagerAndReason = { manager: string; reason: string };

/** `--by` (default: the user of this machine) and the required `--reason`. */
export function managerAndReason(parsed: ParsedArguments): ManagerAndReason {
  const { manager, reason } = managerAndOptionalReason(parsed);
  if (reason === null)
    throw new UsageError({ zh: '缺少 --reason "原因"', en: 'Missing --reason "…". It is recorded with the action.' });
  return { manager, reason };
}

/** The same with an optional reason. */
function managerAndOptionalReason(parsed: ParsedArguments): { manager: string; reason: string | null } {
  const reason = parsed.options.get('reason');
  return {
    manager: operatorName(parsed),
    reason: reason === undefined ? null : sentence('--reason', reason, REASON_MAX),
  };
}

/** The author of a change; checks the list of managers in the transaction of the change, and records the change in the action log. */
export function authorOf(parsed: ParsedArguments): (operator: Pick<Operator, 'app'>) => AuthorOf {
  const { manager, reason } = managerAndOptionalReason(parsed);
  return (operator) => async (em) => ({ managerId: await managerIdOf(em, manager), reason, log: logOf(operator) });
}

/** Writes into the action log as the command line of this system user (operators §5). */
export const logOf =
  ({ app }: Pick<Operator, 'app'>): NonNullable<Author['log']> =>
  (em, change) =>
    app.get(ActionLog, { strict: false }).record(em, { actor: `cli:${systemUser()}` }, change);

/** `--by`, else the user of this machine. */
export const operatorName = (parsed: ParsedArguments): string =>
  sentence('--by', parsed.options.get('by') ?? systemUser(), NAME_MAX);

export { systemUser };

/** The id of the manager with this name, on the connection of `em`. Throws CommandError, with what to do, for a name that is not on the list. */
export async function managerIdOf(em: EntityManager, name: string): Promise<number> {
  const id = await findManager(em, name);
  if (id !== null) return id;
  const names = await managerNames(em);
  if (names.length === 0)
    throw new CommandError({
      zh: `还没有操作员。请先登记第一位：${operatorCommand(`manager add ${quoted(name)}`)}`,
      en: `There are no managers yet. Add the first one: ${operatorCommand(`manager add ${quoted(name)}`)}`,
    });
  const add = operatorCommand(`manager add ${quoted(name)} --by <…>`);
  throw new CommandError({
    zh: `${name} 不在操作员名单中。用 --by 指明名单中的一位（${names.join('、')}），或由其登记：${add}`,
    en: `${name} is not a manager. Use --by with one of ${names.join(', ')}, who can also add you: ${add}`,
  });
}

const quoted = (name: string): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;

/** The names on the list. */
export async function managerNames(em: EntityManager): Promise<string[]> {
  const managers = await em.find(Manager, { listed: true }, { orderBy: { name: 'asc' }, disableIdentityMap: true });
  return managers.map(({ name }) => name);
}

/** With `--key` the command id is always the same, so that the command is applied once. */
export function commandIdFor(what: 'adjust' | 'grant', parsed: ParsedArguments): string {
  const key = parsed.options.get('key');
  if (key === undefined) return uuid7();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(key))
    throw new UsageError({
      zh: '--key 为 1–64 位字母、数字、下划线或连字符',
      en: '--key must have 1–64 letters, digits, _ or -.',
    });
  return commandIdOf(`operator:${what}:${key}`);
}

/** `manager list`: managers, present and former. */
export function managerList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const managers = await app
      .get(EntityManager)
      .fork()
      .find(Manager, {}, { orderBy: { listed: 'desc', name: 'asc' } });
    const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
    const clock = app.get(Clock);
    print(
      table(
        HEAD[language],
        managers.map(({ name, listed, addedAt }) => [name, yes[listed ? 1 : 0] ?? '', clock.toWire(addedAt)]),
      ),
    );
  };
}

const HEAD = { zh: ['操作员', '在名单中', '登记时间'], en: ['manager', 'listed', 'since'] } as const;

/** `manager add <name>`: accepts commands in this name. The first manager adds itself, later ones are added by one on the list. */
export const managerAdd = (args: string[]): OperatorTask =>
  changeList(args, async (em, by, name) => {
    const isFirst = (await managerNames(em)).length === 0;
    const author = isFirst ? null : await by.author(em);
    const id = await addManager(em, name);
    if (id === null) throw new CommandError({ zh: `${name} 已在名单中`, en: `${name} is already a manager.` });
    const first = { managerId: id, reason: null, log: by.log };
    await recordListing(em, author ?? first, { name, listed: true });
    return { zh: `${name} 已登记为操作员`, en: `${name} is now a manager. Use --by ${name} in commands.` };
  });

/** `manager remove <name>`: accepts no more commands in this name. Its actions stay. The last manager cannot be removed. */
export const managerRemove = (args: string[]): OperatorTask =>
  changeList(args, async (em, by, name) => {
    const author = await by.author(em);
    const names = await managerNames(em);
    if (!names.includes(name)) throw new CommandError({ zh: `${name} 不在名单中`, en: `${name} is not a manager.` });
    if (names.length === 1)
      throw new CommandError({
        zh: `${name} 是最后一位操作员，请先登记另一位`,
        en: `${name} is the last manager. Add another one first.`,
      });
    await em.nativeUpdate(Manager, { name }, { listed: false });
    await recordListing(em, author, { name, listed: false });
    return { zh: `${name} 已从名单中移除`, en: `${name} is no longer a manager.` };
  });

/** Runs `change` for the given name, one change of the list at a time, and prints its result. */
function changeList(
  args: string[],
  change: (em: EntityManager, by: { author: AuthorOf; log: NonNullable<Author['log']> }, name: string) => Promise<Text>,
): OperatorTask {
  const parsed = readArguments(args, { options: ['by', 'reason'] });
  const name = nameIn(requireWords(parsed, ['name']));
  const author = authorOf(parsed);
  return async ({ app, language, print }) => {
    const em = app.get(EntityManager).fork();
    const done = await em.transactional(async (inner) => {
      await lockList(inner);
      return change(inner, { author: author({ app }), log: logOf({ app }) }, name);
    });
    print(done[language]);
  };
}

const recordListing = (em: EntityManager, author: Author, { name, listed }: { name: string; listed: boolean }) =>
  recordChange(em, author, {
    target: { kind: 'manager', id: name },
    before: { listed: !listed },
    after: { listed },
  });

const nameIn = ([name = '']: string[]): string => sentence('name', name, NAME_MAX);

/** One change at a time, so that there cannot be two first managers and the last two cannot remove each other. */
const lockList = (em: EntityManager): Promise<void> => lockKey(em, 'manager list');

/** `token [--by name]`: a token for writing over HTTP, valid for an hour. Only the token goes to standard output. */
export function tokenIssue(args: string[]): OperatorTask {
  const parsed = readArguments(args, { options: ['by'] });
  requireWords(parsed, []);
  const name = operatorName(parsed);
  return async ({ app, language, print }) => {
    await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await managerIdOf(em, name);
        await logOf({ app })(em, { action: 'token.issue', target: { kind: 'manager', id: name } });
      });
    const { token, until } = app.get(OperatorTokens).issue(name);
    const time = app.get(Clock).toWire(until);
    const note = { zh: `${name}，有效期至 ${time}`, en: `${name}, valid until ${time}` }[language];
    process.stderr.write(`${note}\n`);
    print(token);
  };
}
