import type { Socket } from 'node:net';
import pg from 'pg';
import { isReadOnlyServer } from './outage.js';

/** Makes a pool of the ORM last through the loss of its server: no connection is lost to it, none is kept that is useless, and it comes back gently. */
export function surviveOutages(pool: pg.Pool): void {
  releaseEndedClients(pool);
  dropUselessClients(pool);
  startSlowly(pool);
}

/**
 * The driver (Kysely) returns a transaction's connection to the pool only after a successful ROLLBACK, so a connection that dies inside a
 * transaction is lost, and a dozen restarts of PostgreSQL would drain the pool. Releases ended connections a second later. Also releases a
 * connection that becomes ready after the pool has begun to end: the driver drops it without returning it, and pool.end() would never finish.
 */
const releaseEndedClients = (pool: pg.Pool): void => {
  pool.setMaxListeners(0);
  pool.on('acquire', (client) => {
    let timer: NodeJS.Timeout | undefined;
    const lost = (): void => {
      timer = setTimeout(() => client.release(true), 1_000).unref();
    };
    const released = (_: Error | undefined, who: pg.PoolClient): void => {
      if (who !== client) return;
      clearTimeout(timer);
      client.removeListener('end', lost);
      pool.removeListener('release', released);
    };
    client.once('end', lost);
    pool.on('release', released);
    if (pool.ending) lost();
  });
};

/** Longer than a statement may take, but for those of reports. */
const SILENT_MS = 11_000;

/**
 * Cuts connections that nobody would cut, once their server is of no use any more; those in use end when they are released.
 *
 * - A server that refuses to write: after a failover its successor is reached only by new connections.
 * - A machine that is gone without a word closes nothing, and the kernel would send it a statement again for a quarter of an hour. A connection in
 *   use that is silent for 11 s is cut, unless its server says over another one that it is still at work.
 */
const dropUselessClients = (pool: pg.Pool): void => {
  const idle = new Set<pg.PoolClient>();
  /** Those in use, and who asks about each after a silence. */
  const used = new Map<pg.PoolClient, () => void>();
  const spent = new WeakSet<pg.PoolClient>();
  const dropAll = (): void => {
    for (const client of used.keys()) spent.add(client);
    for (const client of idle) socketOf(client).destroy();
  };
  pool.on('connect', (client) =>
    client.connection.on('errorMessage', (error) => {
      if (isReadOnlyServer(error)) dropAll();
    }),
  );
  pool.on('acquire', (client) => {
    const ask = (): void =>
      void isAtWork(pool, client).then((still) => {
        if (used.get(client) !== ask) return;
        if (still) return socketOf(client).setTimeout(SILENT_MS, ask);
        socketOf(client).destroy();
        dropAll();
      });
    idle.delete(client);
    used.set(client, ask);
    socketOf(client).setTimeout(SILENT_MS, ask);
  });
  pool.on('release', (_, client) => {
    socketOf(client).setTimeout(0, used.get(client));
    used.delete(client);
    if (spent.has(client)) client.end().catch(() => undefined);
    else idle.add(client);
  });
  pool.on('remove', (client) => {
    idle.delete(client);
    used.delete(client);
  });
};

/** Behind a pooler, which watches its servers itself, the process ids are not those of the server: then nothing is known against it. */
async function isAtWork(pool: pg.Pool, client: pg.PoolClient): Promise<boolean> {
  // Without the role, whose view of other sessions of the login is less than the login's.
  const { password } = pool.options; // not enumerable
  const asker = new pg.Client({ ...pool.options, password, options: '', query_timeout: SILENT_MS });
  asker.on('error', () => undefined);
  try {
    await asker.connect();
    return (await asker.query(AT_WORK, [processIdOf(asker), processIdOf(client)])).rowCount === 1;
  } catch {
    return false;
  } finally {
    asker.end().catch(() => undefined);
  }
}

const socketOf = (client: pg.PoolClient): Socket => client.connection.stream as Socket;

/** Of its backend; the types do not have it. */
const processIdOf = (client: pg.ClientBase): number | null => (client as { processID?: number }).processID ?? null;

const AT_WORK = `
SELECT WHERE pg_backend_pid() <> $1 OR EXISTS (
  SELECT FROM pg_stat_activity WHERE pid = $2 AND state IS DISTINCT FROM 'idle')`;

/** Connections of a pool that had lost them all, and how long until it may open one more, ms. */
const SLOW_START = { connections: 2, everyMs: 500 };

/**
 * After an outage every waiting request would open a connection of its own, and a server that has just taken over would spend its first seconds
 * on greeting them: a pool that has lost all its connections begins small, and grows while somebody waits.
 */
const startSlowly = (pool: pg.Pool): void => {
  const { max } = pool.options;
  // The pool's own count has those that are only being opened, as in an outage there always are.
  const open = new Set<pg.PoolClient>();
  let growing: NodeJS.Timeout | undefined;
  const grow = (): void => {
    pool.options.max++;
    if (pool.options.max >= max) clearInterval(growing);
    // Whoever waits would otherwise wait for a connection in use, even of one that waits for another itself.
    if (pool.waitingCount > 0)
      pool.connect().then(
        (client) => client.release(),
        () => undefined,
      );
  };
  pool.on('remove', (client) => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(growing);
    growing = undefined;
    pool.options.max = Math.min(SLOW_START.connections, max);
  });
  pool.on('connect', (client) => {
    open.add(client);
    if (pool.options.max < max) growing ??= setInterval(grow, SLOW_START.everyMs).unref();
  });
};
