import type pg from 'pg';

type Clients<N extends number> = N extends 3
  ? [pg.PoolClient, pg.PoolClient, pg.PoolClient]
  : N extends 5
    ? [pg.PoolClient, pg.PoolClient, pg.PoolClient, pg.PoolClient, pg.PoolClient]
    : [pg.PoolClient, pg.PoolClient];

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
// Rows must come in index order: a sort would put the whole ledger into temporary files, and a scan must not start in the middle.
const SETTINGS = `SET LOCAL statement_timeout = 0; SET LOCAL enable_sort = off; SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off; SET LOCAL jit = off; SET LOCAL synchronize_seqscans = off; SET LOCAL cursor_tuple_fraction = 1`;

/**
 * Runs `work` with several read-only connections that share one snapshot, and releases them. `unread`: a stream was not read to its end.
 */
export async function withSnapshot<T, N extends 2 | 3 | 5>(
  pool: pg.Pool,
  connections: N,
  work: (clients: Clients<N>) => Promise<{ answer: T; unread: boolean }>,
): Promise<T> {
  const clients: pg.PoolClient[] = [];
  let unread = true;
  try {
    for (let i = 0; i < connections; i++) clients.push(await pool.connect());
    await share(clients);
    const done = await work(clients as Clients<N>);
    unread = done.unread;
    if (!unread) await Promise.all(clients.map((client) => client.query('COMMIT')));
    return done.answer;
  } finally {
    // The rest of an unread stream would arrive in the connection's next query, so the connection is closed.
    for (const client of clients) client.release(unread);
  }
}

async function share(clients: pg.PoolClient[]): Promise<void> {
  let snapshot: string | undefined;
  for (const client of clients) {
    await client.query(BEGIN);
    if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
    else {
      const { rows } = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
      snapshot = rows[0]?.id.replaceAll(/[^0-9A-F-]/gi, '');
    }
    await client.query(SETTINGS);
  }
}
