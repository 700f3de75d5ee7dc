/** One audit in a process of its own, so that its memory is nobody else's: prints the peak in MB. `audit-once.js <url>` */
import pg from 'pg';
import { auditLedger } from '../src/ledger/audit.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 });
const { difference } = await auditLedger(pool);
await pool.end();
if (difference) throw new Error(`the ledger is not whole: ${JSON.stringify(difference)}`);
// maxRSS is in kB.
process.stdout.write(String(Math.round((process.resourceUsage().maxRSS * 1024) / 1_000_000)));
