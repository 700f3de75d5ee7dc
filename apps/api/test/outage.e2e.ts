/** Connections that die, rows that are locked, an end in the middle of a request: nobody else is held up, nothing is cut off. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { translateText } from '@yiqiao/contracts/translation';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import type { Person } from './support/people.js';
import { spawnApi } from './support/process.js';
import { until } from './support/until.js';

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
const seconds = (n: number) => new Promise((resolve) => setTimeout(resolve, n * 1000));

/** Somebody at a psql prompt holds the account's row; answers how to let go of it. */
async function lockAccount(person: Person): Promise<() => Promise<void>> {
  const client = await api.db.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM member_account WHERE user_id = $1 FOR UPDATE', [person.session.userId]);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

it('gets back every connection that died inside a transaction', async () => {
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

it('a locked account keeps nobody else waiting', async () => {
  const people = [await makeMain(api), await makeMain(api), await makeMain(api)];
  const [locked, other] = [people[0], people[2]];
  if (!locked || !other) throw new Error('three people were made');
  const unlock = await lockAccount(locked);
  const stuck = Promise.all(Array.from({ length: 8 }, () => locked.client.send(translateText, ask)));
  await until(waitingForLocks, (count) => count > 0);
  expect(await other.client.call(translateText, ask)).toMatchObject({ translated: '頭髮很長' });
  await unlock();
  for (const reply of await stuck) expect([200, 503]).toContain(reply.status);
});

it('told to end, the api answers what is in flight and then ends', async () => {
  const leaving = await spawnApi(api.env);
  const person = await makeMain(api);
  const client = new TestClient(leaving.url, person.session);
  const unlock = await lockAccount(person);
  const reply = client.send(translateText, ask);
  // It is in flight when somebody waits for the row.
  await until(waitingForLocks, (count) => count > 0);
  leaving.terminate();
  await seconds(1);
  await unlock();
  expect((await reply).status).toBe(200);
  // By an exit of its own, which writes down what is left of the log: not by the signal (null), not by a crash (137).
  expect(await leaving.exited).toBe(0);
});

it('ends although a connection was just being made', async () => {
  const leaving = await startApi();
  const em = leaving.app.get(EntityManager);
  // More at once than are open: new connections are being made, which nobody will use when they are there.
  const late = Promise.allSettled(Array.from({ length: 6 }, () => em.fork().execute('SELECT 1 AS one')));
  await new Promise(setImmediate);
  await leaving.app.get(MikroORM).close();
  expect((await late).map(({ status }) => status)).toContain('rejected');
  await leaving.stop();
}, 20_000);
