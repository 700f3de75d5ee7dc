/** Runs one audit or replay in a separate process and prints its peak memory in MB: `peak-memory.js audit|replay <url>`. */
import pg from 'pg';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { replayLedger } from '../src/ledger/audit/replay-ledger.js';

const [work, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 6 });
const { difference } =
  work === 'replay' ? await replayLedger(pool, { onAccount: () => undefined }) : await auditLedger(pool);
await pool.end();
if (difference) throw new Error(`the ledger is not whole: ${JSON.stringify(difference)}`);
// maxRSS is in kB.
process.stdout.write(String(Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000)));
