import { open, rm, type FileHandle } from 'node:fs/promises';
import { Impossible, Misuse } from '../../platform/speech.js';
import { read, type Surroundings } from './arguments.js';
import { tellDifference } from './audit-command.js';
import { writeExport } from './export-file.js';
import { findAccount } from './find-account.js';
import { grouped } from './progress.js';
import { WORDS } from './words.js';

const OPTIONS = { out: { type: 'string' } } as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `operator ledger verify-export`: everything that proves one member's balance, in one file for anybody (docs/verifying.md). */
export async function exportCommand(args: string[], { pool, language }: Surroundings): Promise<number> {
  const { values, positionals } = read(args, OPTIONS);
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1 || !values.out)
    throw new Misuse({
      zh: 'ledger verify-export 需要一个账号和 --out <文件>',
      en: 'ledger verify-export takes one account and --out <file>',
    });
  const w = WORDS[language];
  const account = await findAccount(pool, wanted);
  const file = await create(values.out);
  try {
    const { entries, head, difference } = await writeExport(pool, account, (text) => file.appendFile(text));
    await file.sync();
    await file.close();
    say(w.exported({ file: values.out, entries: grouped(entries), userId: account.userId }));
    if (difference) {
      tellDifference(difference, language);
      return 1;
    }
    say(w.head(head));
    say(w.keep);
    return 0;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(values.out, { force: true });
    throw error;
  }
}

/** For the operator's eyes alone, and never in place of another file. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new Impossible({
        zh: `${path} 已经存在，不会覆盖`,
        en: `${path} is there already and is not overwritten.`,
      });
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new Impossible({ zh: `${path} 无法写入（${code}）`, en: `${path} cannot be written (${code}).` });
    throw error;
  }
}
