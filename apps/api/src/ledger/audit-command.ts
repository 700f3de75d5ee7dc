import pg from 'pg';
import { auditLedger } from './audit.js';

const USAGE = 'ledger audit    replay every entry and prove every balance; exit 1 names the first difference\n';

/**
 * `operator ledger audit`: answers the exit code. 0: everything adds up; 1: a difference, named; 2: called wrongly.
 * `connectionString` may read every table.
 */
export async function ledgerAuditCommand(argv: string[], connectionString: string): Promise<number> {
  if (argv.length !== 1 || argv[0] !== 'audit') {
    process.stderr.write(USAGE);
    return 2;
  }
  const pool = new pg.Pool({ connectionString, max: 3, application_name: 'yiqiao-audit' });
  const started = performance.now();
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  try {
    const { accounts, entries, difference } = await auditLedger(pool, {
      onProgress: (done) => say(`  ${shown(done.entries)} entries of ${shown(done.accounts)} accounts …`),
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (!difference) {
      say(`The ledger is whole: ${shown(entries)} entries explain ${shown(accounts)} accounts (${seconds} s).`);
      return 0;
    }
    const where = difference.seq === null ? '' : `, entry ${difference.seq}`;
    say(`DIFFERENCE at account ${difference.userId}${where}: ${difference.field}`);
    say(`  expected ${String(difference.expected)}`);
    say(`  found    ${String(difference.found)}`);
    say(`  (${shown(entries)} entries of ${shown(accounts)} accounts before it are whole; ${seconds} s)`);
    return 1;
  } finally {
    await pool.end();
  }
}

const shown = (n: number): string => n.toLocaleString('en-US');
