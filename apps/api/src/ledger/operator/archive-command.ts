import { DAY_MS } from '@yiqiao/domain/limits';
import { Clock } from '../../platform/clock.js';
import { CommandError, UsageError } from '../../platform/cli-messages.js';
import { archive, finishArchives, movable, thaw } from '../archive/archive.js';
import { type ArchiveContext, verifyArchives } from '../archive/verify-archives.js';
import { CloseKeys } from '../closes/close-keys.js';
import type { Finding } from '../audit/audit.js';
import { printFinding, scopeOf } from './audit-command.js';
import { type CommandContext, Interrupted, interruptible, parseCommandLine, print } from './command-line.js';
import { findAccount } from './find-account.js';
import { MESSAGES } from './messages.js';
import { grouped } from './progress.js';

/** Days that stay in the database: what members look at, caps, and the books of the current quarter. */
export const KEPT_DAYS = 92;
const MEGABYTE = 1e6;

const contextOf = async ({ pool, config, coldStorage }: CommandContext): Promise<ArchiveContext> => ({
  owner: pool,
  storage: await coldStorage(),
  keys: new CloseKeys(config),
  timeZone: config.env.APP_TIMEZONE,
});

/** One at a time: two runs would write the same objects. */
async function alone<T>({ pool }: CommandContext, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('yiqiao cold files', 0)) AS free`,
    );
    if (rows[0]?.free) return await work();
    throw new CommandError({
      zh: '另一次归档正在进行，请等它结束',
      en: 'Cold files are being written by another run: wait until it ends.',
    });
  } finally {
    client.release(true);
  }
}

/** `operator ledger archive`: moves translations of the time before a day into cold files. */
export async function archiveCommand(args: string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, {
    before: { type: 'string' },
    user: { type: 'string' },
    'dry-run': { type: 'boolean' },
  });
  const { pool, config, language } = context;
  const clock = new Clock(config);
  if (positionals.length > 0 || values.before === undefined)
    throw new UsageError({
      zh: 'ledger archive 需要 --before YYYY-MM-DD，可加 --user <账号> 和 --dry-run',
      en: 'ledger archive requires --before YYYY-MM-DD and accepts --user <account> and --dry-run',
    });
  const before = dayOf(values.before, clock);
  const { scope } = await scopeOf(pool, { user: values.user });
  const messages = MESSAGES[language];
  const of = await contextOf(context);
  if (!of.keys.signing)
    throw new CommandError({
      zh: '没有签名密钥：归档以日结的签名为据，请设置 CLOSE_SIGNING_KEY',
      en: 'Nothing can be signed here: cold files rest on the signature of the closes. Set CLOSE_SIGNING_KEY.',
    });
  return alone(context, async () => {
    const accounts = await movable(of, { before, userIds: scope.userIds });
    const entries = accounts.reduce((sum, { seq, after }) => sum + seq - after.entries, 0);
    print(
      messages.movable({ accounts: grouped(accounts.length), entries: grouped(entries), before: values.before ?? '' }),
    );
    if (values['dry-run']) return 0;
    await finishArchives(of);
    const moved = await interruptible((signal) =>
      archive({ ...of, signal }, accounts, (now) =>
        print(messages.moving({ accounts: grouped(now.accounts), entries: grouped(now.entries) })),
      ),
    ).catch((error: unknown) => {
      // What was moved is whole; the same command moves the rest.
      if (error instanceof Interrupted) {
        print(messages.interrupted);
        print(messages.goOn(`ledger archive ${args.join(' ')}`));
      }
      throw error;
    });
    const counted = { accounts: grouped(moved.accounts), entries: grouped(moved.entries), lines: grouped(moved.lines) };
    print(messages.moved({ ...counted, megabytes: (moved.bytes / MEGABYTE).toFixed(1) }));
    if (moved.accounts < accounts.length) print(messages.stayed(grouped(accounts.length - moved.accounts)));
    return printFindings(moved.findings, context);
  });
}

/** `operator ledger verify-archive`: proves archived accounts from their first entry, with the cold files. */
export async function verifyArchiveCommand(args: string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, { user: { type: 'string' } });
  if (positionals.length > 0)
    throw new UsageError({
      zh: 'ledger verify-archive 只接受 --user <账号>',
      en: 'ledger verify-archive accepts only --user <account>',
    });
  const messages = MESSAGES[context.language];
  const { scope } = await scopeOf(context.pool, values);
  const of = await contextOf(context);
  const { accounts, entries, findings } = await interruptible((signal) =>
    verifyArchives(
      { ...of, signal },
      {
        userIds: scope.userIds,
        onProgress: (now) =>
          print(messages.verifying({ accounts: grouped(now.accounts), entries: grouped(now.entries) })),
      },
    ),
  );
  const failed = printFindings(findings, context);
  if (failed === 0) print(messages.archivesWhole({ accounts: grouped(accounts), entries: grouped(entries) }));
  return failed;
}

/** `operator ledger thaw`: puts an account's old translations back into the database. */
export async function thawCommand(args: string[], context: CommandContext): Promise<number> {
  const { positionals } = parseCommandLine(args, {});
  const [who] = positionals;
  if (who === undefined || positionals.length > 1)
    throw new UsageError({ zh: 'ledger thaw 需要一个账号', en: 'ledger thaw requires one account' });
  const { userId } = await findAccount(context.pool, who);
  const of = await contextOf(context);
  return alone(context, async () => {
    await finishArchives(of);
    const rows = await thaw(of, userId);
    print(MESSAGES[context.language].thawed({ rows: grouped(rows), userId }));
    return 0;
  });
}

function printFindings(findings: readonly Finding[], { language }: CommandContext): number {
  for (const finding of findings) printFinding(finding, language);
  return findings.length === 0 ? 0 : 1;
}

/** The beginning of a day in APP_TIMEZONE, long enough ago. */
function dayOf(text: string, clock: Clock): Date {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? clock.fromWire(`${text} 00:00:00`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime()) || clock.day(day) !== text)
    throw new UsageError({ zh: '--before 应为日期 YYYY-MM-DD', en: '--before must be a date, YYYY-MM-DD.' });
  if (day.getTime() <= clock.now().getTime() - KEPT_DAYS * DAY_MS) return day;
  throw new UsageError({
    zh: `最近 ${KEPT_DAYS} 天的记录留在数据库中：--before 请写更早的日期`,
    en: `The last ${KEPT_DAYS} days stay in the database: give an earlier date with --before.`,
  });
}
