import pg from 'pg';
import type { Config } from '../../platform/config.js';
import { Misuse, type Surroundings } from './arguments.js';
import { Interrupted } from './interrupt.js';

const USAGE = `ledger audit [--user <account> | --family <account>] [--resume] [--state <file>]
                         replay every entry and prove every balance; exit 1 names the first difference
ledger replay --at "YYYY-MM-DD HH:mm:ss" [--user <account>] [--format table|csv|tsv]
                         balances as they were at that moment
ledger explain <account> [--lang zh|en] [--last <n>]
                         the story of a balance, line by line
ledger verify-export <account> --out <file>
                         one member's entries in a file that anybody can verify: docs/verifying.md
An account is an id, a username or an e-mail address.
`;

type Run = (args: string[], surroundings: Surroundings) => Promise<number>;

/** Each command loads only what it needs. */
const COMMANDS: Record<string, () => Promise<Run>> = {
  audit: async () => (await import('./audit-command.js')).auditCommand,
  replay: async () => (await import('./replay-command.js')).replayCommand,
  explain: async () => (await import('./explain-command.js')).explainCommand,
  'verify-export': async () => (await import('./export-command.js')).exportCommand,
};

const EXIT = { misuse: 2, interrupted: 130 } as const;

/** `operator ledger …`: answers the exit code. 0: all is well; 1: not so, and why; 2: called wrongly; 130: interrupted. */
export async function ledgerCommand([name = '', ...args]: string[], config: Config): Promise<number> {
  const command = COMMANDS[name];
  if (!command) {
    process.stderr.write(USAGE);
    return EXIT.misuse;
  }
  const pool = new pg.Pool({
    connectionString: config.migrationUrl,
    max: 5,
    application_name: `yiqiao-ledger-${name}`,
  });
  // A connection that is lost between two queries is missed by the next query, which says so.
  pool.on('error', () => undefined);
  try {
    return await (
      await command()
    )(args, { pool, config });
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (!(error instanceof Misuse)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return EXIT.misuse;
  } finally {
    await pool.end();
  }
}
