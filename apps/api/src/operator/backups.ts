import { stat } from 'node:fs/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { keepBackups } from '../backup/keep-backups.js';
import { readKept, writeKept } from '../backup/kept-settings.js';
import { recordAction } from '../backup/record.js';
import { type Copy, Repository } from '../backup/repository.js';
import { removeOld } from '../backup/retention.js';
import { requireBackupValues } from '../backup/settings.js';
import { type CopySource, storedBytes, takeCopy } from '../backup/take-copy.js';
import { BACKUP_ACTION } from '../operators/action-log.js';
import { Clock } from '../platform/clock.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import type { Config } from '../platform/config.js';
import { createLogger } from '../platform/logger.js';
import { systemUser } from '../platform/system-user.js';
import { readArguments, requireWords } from './command-line.js';
import { logOf } from './managers.js';
import type { OperatorTask } from './operator-app.js';
import { table } from './table.js';
import type { Terminal } from './terminal-task.js';

const MEGABYTE = 2 ** 20;

/** `backup record <file>`: after a backup by other means, so that the console shows its age and its size. It must be a file with content. */
export function backupRecord(args: string[]): OperatorTask {
  const [file = ''] = requireWords(readArguments(args, {}), ['file']);
  return async ({ app, language, print }) => {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile() || found.size === 0)
      throw new CommandError({ zh: `${file} 不是有内容的文件`, en: `${file} is no file with content.` });
    const bytes = found.size;
    const log = logOf({ app });
    await app
      .get(EntityManager, { strict: false })
      .fork()
      .transactional((em) => log(em, { action: BACKUP_ACTION, after: { bytes } }));
    print({ zh: `已记下备份，${bytes} 字节`, en: `Recorded a backup of ${bytes} bytes.` }[language]);
  };
}

const sourceOf = (config: Config): CopySource => {
  const values = requireBackupValues(config);
  return {
    values,
    replicationUrl: values.BACKUP_DATABASE_URL ?? config.migrationUrl,
    ownerUrl: config.migrationUrl,
    given: process.env,
  };
};

const note = (config: Config, actor: string, copy: Copy): Promise<void> =>
  recordAction(
    config,
    { actor },
    {
      action: BACKUP_ACTION,
      after: { bytes: storedBytes(copy), seconds: secondsOf(copy) },
    },
  );

/** Once for as long as it lasts: what is tried again every half minute is not noted as often. */
const noteFailure = (config: Config, actor: string, error: unknown): Promise<void> =>
  recordAction(
    config,
    { actor },
    { action: BACKUP_ACTION, after: { failed: reasonOf(error) } },
    (after) => 'failed' in after,
  );

/** For people; the messages of others may quote anything. */
function reasonOf(error: unknown): string {
  if (error instanceof CommandError) return error.text.en;
  if (!(error instanceof Error)) return 'an unexpected error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const secondsOf = ({ startedAt, stoppedAt }: Copy): number =>
  Math.round((new Date(stoppedAt).getTime() - new Date(startedAt).getTime()) / 1_000);

/** `backup`: takes a full copy of the running database now, with the settings and files that belong to it, and removes what is too old. */
export function backup(args: string[]): (terminal: Terminal) => Promise<void> {
  requireWords(readArguments(args, {}), []);
  return async ({ config, say }) => {
    const source = sourceOf(config);
    const actor = `cli:${systemUser()}`;
    const take = async () => {
      const repository = await Repository.open(source.values);
      return { repository, copy: await takeCopy(repository, source) };
    };
    const { repository, copy } = await take().catch(async (error: unknown) => {
      // Where the database is away as well, the first failure is the one to name.
      await noteFailure(config, actor, error).catch(() => undefined);
      throw error;
    });
    await note(config, actor, copy);
    const [read, stored] = [copy.tarBytes, storedBytes(copy)].map((bytes) => (bytes / MEGABYTE).toFixed(1));
    say({
      zh: `全量备份 ${copy.id}：${read} MB，存为 ${stored} MB，用了 ${secondsOf(copy)} s`,
      en: `Full copy ${copy.id}: ${read} MB, stored as ${stored} MB in ${secondsOf(copy)} s.`,
    });
    const { copies } = await removeOld(repository, source.values.BACKUP_KEEP_DAYS);
    for (const id of copies) say({ zh: `删除过期的 ${id}`, en: `Removed ${id}, which was too old.` });
  };
}

/** `backup stream`: archives the log as it is written and takes full copies when they are due, until it is stopped. */
export function backupStream(args: string[]): (terminal: Terminal) => Promise<void> {
  requireWords(readArguments(args, {}), []);
  return async ({ config }) => {
    const source = sourceOf(config);
    const repository = await Repository.open(source.values);
    const stopping = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
    const log = createLogger(config, 'backup');
    const record = (copy: Copy): Promise<void> => note(config, 'system', copy);
    const recordFailure = (error: unknown): Promise<void> => noteFailure(config, 'system', error);
    await keepBackups(repository, { source, signal: stopping.signal, log, record, recordFailure });
  };
}

/** `backup list`: the full copies, and to which moment the log reaches. */
export function backupList(args: string[]): (terminal: Terminal) => Promise<void> {
  requireWords(readArguments(args, {}), []);
  return async ({ config, language, say }) => {
    const repository = await Repository.open(requireBackupValues(config));
    const clock = new Clock(config);
    const copies = await repository.copies();
    const rows = copies.map((copy) => [
      copy.id,
      clock.toWire(new Date(copy.stoppedAt)),
      (storedBytes(copy) / MEGABYTE).toFixed(1),
      String(copy.pieces.length),
      copy.serverVersion,
    ]);
    const lines = table(HEAD[language], rows);
    say({ zh: lines, en: lines });
    const last = (await repository.reaches()).at(-1);
    const [first] = copies;
    if (!first || !last) return;
    const [from, to] = [first.stoppedAt, last.at].map((moment) => clock.toWire(new Date(moment)));
    say({ zh: `可恢复到 ${from} 至 ${to} 之间的任何一秒`, en: `Any second from ${from} to ${to} can be restored.` });
  };
}

const HEAD = {
  zh: ['全量备份', '完成时间', 'MB', '文件数', 'PostgreSQL'],
  en: ['full copy', 'complete', 'MB', 'files', 'PostgreSQL'],
} as const;

/** `backup files --into <folder>`: the settings with their keys, and the files that they name, as they were at the newest copy. */
export function backupFiles(args: string[]): (terminal: Terminal) => Promise<void> {
  const parsed = readArguments(args, { options: ['into'] });
  requireWords(parsed, []);
  const into = parsed.options.get('into');
  if (into === undefined) throw new UsageError({ zh: '缺少 --into <目录>', en: 'Missing --into <folder>.' });
  return async ({ config, say }) => {
    const repository = await Repository.open(requireBackupValues(config));
    const newest = (await repository.copies()).at(-1);
    if (!newest) throw new CommandError({ zh: '还没有全量备份', en: 'There is no full copy.' });
    const files = await writeKept(await readKept(repository, newest.id), into);
    say({
      zh: `已写出 ${files} 个文件到 ${into}。其中有密钥，用完请删除`,
      en: `Wrote ${files} files to ${into}. They contain keys: delete them after use.`,
    });
  };
}
