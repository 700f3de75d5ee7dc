import type pg from 'pg';
import { isMeasured, observe, record } from './instruments.js';
import { beginStep, isTraced } from './tracing.js';

const OPERATIONS = [
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'COMMIT', 'ROLLBACK'],
  ...['START', 'SAVEPOINT', 'RELEASE', 'SET', 'LOCK', 'COPY', 'LISTEN'],
];
const FIRST_WORD = new RegExp(`^\\s*(${OPERATIONS.join('|')})\\b`, 'i');

/** Measures the connections of a pool, and every statement on them that returns a promise, as all of the ORM's do. */
export function measurePool(pool: pg.Pool, max: number): void {
  if (!isMeasured() && !isTraced()) return;
  pool.on('connect', measureStatements);
  observe((note) => {
    note('db.client.connection.count', pool.idleCount, { 'db.client.connection.state': 'idle' });
    note('db.client.connection.count', pool.totalCount - pool.idleCount, { 'db.client.connection.state': 'used' });
    note('db.client.connection.pending_requests', pool.waitingCount);
    note('db.client.connection.max', max);
  });
}

function measureStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...all: unknown[]) => unknown;
  const measured = (...all: unknown[]): unknown => {
    const began = performance.now();
    const result = query(...all);
    if (!(result instanceof Promise)) return result;
    const span = beginStep(`postgresql ${operationOf(all[0])}`, { 'db.system.name': 'postgresql' });
    const ended = (error?: unknown): void => {
      span?.end();
      record('db.client.operation.duration', (performance.now() - began) / 1_000, {
        'db.system.name': 'postgresql',
        'db.operation.name': operationOf(all[0]),
        ...(error !== undefined && { 'error.type': errorTypeOf(error) }),
      });
    };
    result.then(() => ended(), ended);
    return result;
  };
  client.query = measured as typeof client.query;
}

const operationOf = (statement: unknown): string => {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string } | null)?.text;
  return FIRST_WORD.exec(text ?? '')?.[1]?.toUpperCase() ?? 'OTHER';
};

/** The SQLSTATE, or how the connection failed. */
const errorTypeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : '_OTHER';
