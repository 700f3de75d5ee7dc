import { open, rm, type FileHandle } from 'node:fs/promises';
import { CommandError, UsageError } from '../../platform/cli-messages.js';
import { archivedEntries } from '../archive/verify-archives.js';
import { writeExport } from '../export/write-export.js';
import { type CommandContext, parseCommandLine, print } from './command-line.js';
import { printDifference } from './audit-command.js';
import { findAccount } from './find-account.js';
import { grouped } from './progress.js';
import { MESSAGES } from './messages.js';

const OPTIONS = { out: { type: 'string' } } as const;

/** `operator ledger verify-export`: one file with everything that proves a member's balance, which anyone can verify (docs/verifying.md). */
export async function exportCommand(args: string[], { pool, coldStorage, language }: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  const [who] = positionals;
  if (who === undefined || positionals.length > 1 || !values.out)
    throw new UsageError({
      zh: 'ledger verify-export 需要一个账号和 --out <文件>',
      en: 'ledger verify-export requires one account and --out <file>',
    });
  const messages = MESSAGES[language];
  const account = await findAccount(pool, who);
  const entriesOf = await archivedEntries(pool, { userId: account.userId, coldStorage });
  const file = await create(values.out);
  try {
    const { entries, head, difference } = await writeExport(pool, { userId: account.userId, entriesOf }, (text) =>
      file.appendFile(text),
    );
    await file.sync();
    await file.close();
    print(messages.exported({ file: values.out, entries: grouped(entries), userId: account.userId }));
    if (difference) {
      printDifference(difference, language);
      return 1;
    }
    print(messages.head(head));
    print(messages.keep);
    return 0;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(values.out, { force: true });
    throw error;
  }
}

/** Readable by the operator only; never overwrites a file. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError({
        zh: `${path} 已经存在，不会覆盖`,
        en: `${path} already exists; it was not overwritten.`,
      });
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new CommandError({ zh: `${path} 无法写入（${code}）`, en: `Cannot write ${path} (${code}).` });
    throw error;
  }
}
