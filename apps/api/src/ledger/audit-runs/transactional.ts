import type pg from 'pg';
import type { Execute } from '../../platform/action-chain.js';

/** Runs `work` in a transaction on a connection outside the ORM's pool. */
export async function transactional<T>(pool: pg.Pool, work: (execute: Execute) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('BEGIN');
    const done = await work(on(client));
    await client.query('COMMIT');
    failed = false;
    return done;
  } finally {
    // Closing the connection rolls back.
    client.release(failed);
  }
}

/** Numbers the placeholders. */
const on =
  (client: pg.ClientBase): Execute =>
  async <T extends object>(sql: string, values: readonly unknown[]) => {
    let n = 0;
    const text = sql.replaceAll('?', () => `$${++n}`);
    const { rows } = await client.query<T & pg.QueryResultRow>(text, [...values]);
    return rows;
  };
