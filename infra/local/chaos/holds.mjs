// Quota that is reserved and neither paid nor given back, as the database knows it.
import { createRequire } from 'node:module';
import path from 'node:path';
import { sleep } from '../processes.mjs';
import { root } from '../project.mjs';

// A hold that a crash left releases itself within two minutes (decisions §4).
const patience = 120_000;

/** Waits until no hold is open, two minutes at the most. Answers how many there were at first, how many at the end, and after how long. */
export async function untilNoHoldIsOpen(databaseUrl) {
  const { Client } = createRequire(path.join(root, 'apps/api/package.json'))('pg'); // the api's own driver
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const began = Date.now();
    const count = async () => {
      const { rows } = await client.query('SELECT count(*)::int AS open FROM ledger_hold WHERE released_at IS NULL');
      return rows[0].open;
    };
    const first = await count();
    let open = first;
    while (open > 0 && Date.now() - began < patience) {
      await sleep(1_000);
      open = await count();
    }
    return { first, open, seconds: Math.round((Date.now() - began) / 1000) };
  } finally {
    await client.end();
  }
}
