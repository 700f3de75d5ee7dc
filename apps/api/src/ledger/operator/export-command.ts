import { open, rm, type FileHandle } from 'node:fs/promises';
import { read, Misuse, type Surroundings } from './arguments.js';
import { tellDifference } from './audit-command.js';
import { writeExport } from './export-file.js';
import { findAccount } from './find-account.js';
import { grouped } from './progress.js';

const OPTIONS = { out: { type: 'string' } } as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `operator ledger verify-export`: everything that proves one member's balance, in one file for anybody (docs/verifying.md). */
export async function exportCommand(args: string[], { pool }: Surroundings): Promise<number> {
  const { values, positionals } = read(args, OPTIONS);
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1 || !values.out)
    throw new Misuse('ledger verify-export takes one account and --out <file>');
  const account = await findAccount(pool, wanted);
  if (!account) throw new Misuse(`There is no account ${wanted}.`);
  const file = await create(values.out);
  try {
    const { entries, head, difference } = await writeExport(pool, account, (text) => file.appendFile(text));
    await file.sync();
    await file.close();
    say(`${values.out}: ${grouped(entries)} entries of account ${account.userId}.`);
    if (difference) {
      tellDifference(difference);
      return 1;
    }
    say(`Head of the chain: ${head}`);
    say('Keep it apart from the database: nobody can rewrite these entries and arrive at it again.');
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
    if (code === 'EEXIST') throw new Misuse(`${path} is there already and is not overwritten.`);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new Misuse(`${path} cannot be written (${code}).`);
    throw error;
  }
}
