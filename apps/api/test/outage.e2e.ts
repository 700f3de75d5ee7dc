/** Broken connections, locked rows, shutdown during a request: nobody else is delayed, nothing is cut off. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { translateText } from '@yiqiao/contracts/translation';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { freePort } from '../bench/child.js';
import { type ApiProcess, spawnApi, spawnOperators, spawnProgram } from './support/process.js';
import { storeProxy } from './support/store-proxy.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };
const waitingForLocks = async (): Promise<number> => {
  const { rows } = await api.db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
};
/** Whether it has exited by then. */
const endedWithin = (n: number, exited: Promise<unknown>): Promise<boolean> =>
  Promise.race([exited.then(() => true), sleep(n * 1000, false, { ref: false })]);
const seconds = (n: number) => new Promise((resolve) => setTimeout(resolve, n * 1000));

/** Holds the account's row as an open psql session would; returns the function that releases it. */
async function lockAccount(person: TestMember): Promise<() => Promise<void>> {
  const client = await api.db.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM member_account WHERE user_id = $1 FOR UPDATE', [person.session.userId]);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

it('recovers every connection that died inside a transaction', async () => {
  const em = api.app.get(EntityManager);
  for (let i = 0; i < 14; i++) {
    const killed = em.fork().transactional(async (tx) => {
      const [backend] = await tx.execute<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      await api.db.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
      await tx.execute('SELECT 1');
    });
    await expect(killed).rejects.toThrow();
  }
  await seconds(1.5);
  const answers = await Promise.all(Array.from({ length: 12 }, () => em.fork().execute('SELECT 1 AS one')));
  expect(answers).toEqual(Array(12).fill([{ one: 1 }]));
});

it('a locked account delays nobody else', async () => {
  const people = [await makeMain(api), await makeMain(api), await makeMain(api)];
  const [locked, other] = [people[0], people[2]];
  if (!locked || !other) throw new Error('three people were made');
  const unlock = await lockAccount(locked);
  const stuck = Promise.all(Array.from({ length: 8 }, () => locked.client.send(translateText, ask)));
  await waitUntil(waitingForLocks, (count) => count > 0);
  expect(await other.client.call(translateText, ask)).toMatchObject({ translated: '頭髮很長' });
  await unlock();
  for (const reply of await stuck) expect([200, 503]).toContain(reply.status);
});

it('on shutdown, the api completes requests in flight and exits', async () => {
  const leaving = await spawnApi(api.env);
  const person = await makeMain(api);
  const client = new TestClient(leaving.url, person.session);
  const unlock = await lockAccount(person);
  const reply = client.send(translateText, ask);
  // It is in flight once a session waits for the row.
  await waitUntil(waitingForLocks, (count) => count > 0);
  leaving.terminate();
  await seconds(1);
  await unlock();
  expect((await reply).status).toBe(200);
  // By its own exit, which flushes the log: not by the signal (null), not by a crash (137).
  expect(await leaving.exited).toBe(0);
});

it('exits although a connection was just being opened', async () => {
  const leaving = await startApi();
  const em = leaving.app.get(EntityManager);
  // More at once than are open: new connections are being made that nobody will use.
  const late = Promise.allSettled(Array.from({ length: 6 }, () => em.fork().execute('SELECT 1 AS one')));
  await new Promise(setImmediate);
  await leaving.app.get(MikroORM).close();
  expect((await late).map(({ status }) => status)).toContain('rejected');
  await leaving.stop();
}, 20_000);

describe('while PostgreSQL and Redis are unavailable', () => {
  const spawned = {
    api: spawnApi,
    operators: spawnOperators,
    worker: async (env: Record<string, string>): Promise<Pick<ApiProcess, 'exited' | 'terminate' | 'stop'>> => {
      const port = await freePort();
      const worker = spawnProgram('worker', { ...env, WORKER_PORT: String(port) });
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await waitUntil(isReady, Boolean);
      return worker;
    },
  };
  const cases = (['api', 'worker', 'operators'] as const).flatMap((name) =>
    (['close', 'freeze'] as const).map((end) => [name, end] as const),
  );

  it.each(cases)(
    'the %s exits within its grace period on shutdown (%s)',
    async (name, end) => {
      const ways = [
        await storeProxy(api.env['DATABASE_URL'] ?? ''),
        await storeProxy(api.env['REDIS_URL'] ?? ''),
      ] as const;
      const child = await spawned[name]({ ...api.env, DATABASE_URL: ways[0].url, REDIS_URL: ways[1].url });
      for (const way of ways) way[end]();
      // It has noticed the outage.
      await seconds(2);
      const began = Date.now();
      child.terminate();
      const ended = await endedWithin(12, child.exited);
      await child.stop();
      for (const way of ways) way.close();
      expect(ended).toBe(true);
      expect(Date.now() - began).toBeLessThan(12_000);
    },
    60_000,
  );

  it('a process that is still starting exits at once', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const asked = once(silent, 'connection');
    const starting = spawnProgram('worker', { ...api.env, DATABASE_URL: `postgresql://a:b@127.0.0.1:${port}/c` });
    try {
      await asked;
      starting.terminate();
      expect(await endedWithin(4, starting.exited)).toBe(true);
    } finally {
      await starting.stop();
      silent.close();
    }
  });
});
