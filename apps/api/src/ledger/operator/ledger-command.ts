import type { Config } from '../../platform/config.js';
import { CommandError, terminalLanguage, UsageError } from '../../platform/cli-messages.js';
import { openPool } from '../../platform/database.js';
import { type CommandContext, Interrupted } from './command-line.js';

const USAGE = {
  zh: `ledger audit [--since-anchors] [--user <账号> | --family <账号>] [--limit <n> | --all] [--resume] [--state <文件>]
                         重放每一条记录，证明每一个余额；有差异时逐一列出（最多 100 处），退出码 1
                         --since-anchors：只重放每个账号签名锚点之后的记录
ledger replay --at "YYYY-MM-DD HH:mm:ss" [--user <账号>] [--format table|csv|tsv]
                         当时的余额
ledger explain <账号> [--lang zh|en] [--last <n>]
                         余额的来历，逐条说明
ledger verify-export <账号> --out <文件>
                         把一个会员的记录写进任何人都能验证的文件：docs/verifying.md
ledger archive --before YYYY-MM-DD [--user <账号>] [--dry-run]
                         把这一天之前的翻译移入备份存储中的冷文件；先写、先核对、先签名，最后才从数据库删除
ledger verify-archive [--user <账号>]
                         连同冷文件，从第一条记录起核对已归档的账号
ledger thaw <账号>       把一个账号的冷文件放回数据库
ledger partition --parts <n> [--dry-run]
                         把两个日志表按会员分成 n 个分区（2、4、8 … 64），需先停止服务：docs/operations.md
账号可以是编号、用户名或邮箱。
`,
  en: `ledger audit [--since-anchors] [--user <account> | --family <account>] [--limit <n> | --all] [--resume] [--state <file>]
                         replay every entry and check every balance; exits 1 and lists the differences (up to 100)
                         --since-anchors: replay only what follows each account's signed anchor
ledger replay --at "YYYY-MM-DD HH:mm:ss" [--user <account>] [--format table|csv|tsv]
                         balances at that time
ledger explain <account> [--lang zh|en] [--last <n>]
                         how a balance came about, line by line
ledger verify-export <account> --out <file>
                         export one member's entries to a file that anyone can verify: docs/verifying.md
ledger archive --before YYYY-MM-DD [--user <account>] [--dry-run]
                         move translations of the time before that day to cold files in the backup storage: written, proven and
                         signed first, and only then removed from the database
ledger verify-archive [--user <account>]
                         prove archived accounts from their first entry, cold files included
ledger thaw <account>    put an account's cold files back into the database
ledger partition --parts <n> [--dry-run]
                         split both logs by member into n parts (2, 4, 8 … 64) while the service is stopped: docs/operations.md
An account is an id, a username or an e-mail address.
`,
} as const;

/** What a command asks of the rest of the program. */
type Outside = Pick<CommandContext, 'coldStorage' | 'requireStopped'>;

const ALONE: Outside = {
  coldStorage: () =>
    Promise.reject(new CommandError({ zh: '没有冷文件的存储', en: 'There is no storage for cold files.' })),
  requireStopped: () =>
    Promise.reject(
      new CommandError({ zh: '这里无法确认服务已经停止', en: 'Nothing can tell here whether the service is stopped.' }),
    ),
};

type Run = (args: string[], context: CommandContext) => Promise<number>;

/** Loaded on demand. */
const COMMANDS: Record<string, () => Promise<Run>> = {
  audit: async () => (await import('./audit-command.js')).auditCommand,
  replay: async () => (await import('./replay-command.js')).replayCommand,
  explain: async () => (await import('./explain-command.js')).explainCommand,
  archive: async () => (await import('./archive-command.js')).archiveCommand,
  'verify-archive': async () => (await import('./archive-command.js')).verifyArchiveCommand,
  thaw: async () => (await import('./archive-command.js')).thawCommand,
  partition: async () => (await import('./partition-command.js')).partitionCommand,
  'verify-export': async () => (await import('./export-command.js')).exportCommand,
};

const EXIT = { impossible: 1, misuse: 2, interrupted: 130 } as const;

/**
 * `operator ledger …`: returns the exit code. 0: success; 1: failure, with the reason; 2: wrong usage; 130: interrupted.
 */
export async function ledgerCommand(
  [name = '', ...args]: string[],
  config: Config,
  outside: Partial<Outside> = {},
): Promise<number> {
  const language = terminalLanguage(process.env);
  const command = COMMANDS[name];
  if (!command) {
    process.stderr.write(USAGE[language]);
    return EXIT.misuse;
  }
  const pool = openPool({
    connectionString: config.migrationUrl,
    max: 8,
    application_name: `yiqiao-ledger-${name}`,
  });
  try {
    return await (
      await command()
    )(args, { pool, config, language, ...ALONE, ...outside });
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof CommandError) {
      process.stderr.write(`${error.text[language]}\n`);
      return EXIT.impossible;
    }
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.text[language]}\n\n${USAGE[language]}`);
    return EXIT.misuse;
  } finally {
    await pool.end();
  }
}
