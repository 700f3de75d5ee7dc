/** A failover as the product sees it: a server that only reads, connections that outlive it, a pooler between. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { changeChannel } from '@yiqiao/contracts/plans';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { spawnApi, spawnProgram } from './support/process.js';
import { likePooler, storeProxy } from './support/store-proxy.js';
import type { TestMember } from './support/test-members.js';
import { vendorEnvironment, type VendorEnvironment } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

let vendors: VendorEnvironment;
let api: TestApi;
let database: string;

beforeAll(async () => {
  vendors = await vendorEnvironment(['google'], 'failover');
  api = await startApi(vendors.env);
  database = new URL(api.env['DATABASE_URL'] ?? '').pathname.slice(1);
});
afterAll(async () => {
  await api.stop();
  await vendors.close();
});

const ask = { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' };
const GOOGLE = 2;
const usable = async ({ client }: TestMember) => (await client.call(getUser, {})).memberAccount.usableCharNum;

/** New connections can only read, as those to a standby or to a primary that was demoted. */
async function readOnlyServer(): Promise<() => Promise<void>> {
  await api.db.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  // Waits until they have ended: one that is still ending would fail the next statement in another way.
  await api.db.query(
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'yiqiao%'`,
    [database],
  );
  return async () => {
    const client = await api.db.connect();
    try {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
    } finally {
      client.release(true);
    }
  };
}

describe('a server that only reads', () => {
  it('is an outage, and its connections are not kept', async () => {
    const person = await makeMain(api);
    const keyed = person.client.with({ 'Idempotency-Key': 'demoted' });
    const before = await usable(person);
    const promote = await readOnlyServer();
    const em = api.app.get(EntityManager);
    // In the ORM's pool, outside of the ledger.
    const busy = await waitUntil(
      () => keyed.send(translateText, ask),
      ({ status }) => status === 503,
    );
    expect(busy.body).toMatchObject({ code: 'SERVICE_BUSY' });
    await expect(em.fork().execute('UPDATE member SET nickname = nickname')).rejects.toMatchObject({ code: '25006' });
    // On the ledger's connection: the hold waits for a server that writes.
    const waiting = person.client.send(translateText, ask);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await promote();
    expect((await waiting).status).toBe(200);
    // Sessions that began on the demoted server still only read, and nobody but the api ends them: one request finds out for all.
    const tries = [await keyed.send(translateText, ask), await keyed.send(translateText, ask)];
    expect(tries.map(({ status }) => status)).toEqual([expect.anything(), 200]);
    expect([200, 503]).toContain(tries[0]?.status);
    for (let n = 0; n < 12; n++)
      expect((await person.client.send(translateText, { ...ask, text: `头发${n}` })).status).toBe(200);
    const { rows } = await api.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM idempotency_key WHERE key = 'demoted' AND answered_at IS NOT NULL`,
    );
    expect(rows[0]?.n).toBe(1);
    expect(await usable(person)).toBeLessThan(before);
  }, 30_000);
});

describe('after an outage', () => {
  const connections = async (name = 'yiqiao'): Promise<number> => {
    const { rows } = await api.db.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = $1 AND application_name = $2`,
      [database, name],
    );
    return rows[0]?.n ?? 0;
  };
  /** Every connection of the pool is lost, and the pool knows. */
  async function loseAll(): Promise<void> {
    await api.db.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'yiqiao'`,
      [database],
    );
    const select = () => api.app.get(EntityManager).fork().execute('SELECT 1');
    await waitUntil(
      () => select().catch(() => undefined),
      (rows) => rows !== undefined,
    );
  }

  it('waiting requests do not each open a connection', async () => {
    const began = performance.now();
    await loseAll();
    const em = api.app.get(EntityManager);
    const reads = await Promise.all(Array.from({ length: 100 }, () => em.fork().execute('SELECT pg_sleep(0.002)')));
    const grown = Math.floor((performance.now() - began) / 500);
    expect(reads).toHaveLength(100);
    expect(await connections()).toBeLessThanOrEqual(2 + grown);
  });

  it('the ledger is connected again before somebody asks it', async () => {
    const person = await makeMain(api);
    expect((await person.client.send(translateText, ask)).status).toBe(200);
    const before = await connections('yiqiao-ledger');
    expect(before).toBeGreaterThan(0);
    await api.db.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'yiqiao-ledger'`,
      [database],
    );
    await waitUntil(
      () => connections('yiqiao-ledger'),
      (n) => n === before,
    );
    expect((await person.client.send(translateText, ask)).status).toBe(200);
  });

  it('those that wait for each other all get one', async () => {
    await loseAll();
    const met = Promise.withResolvers<undefined>();
    let inside = 0;
    const together = Array.from({ length: 8 }, () =>
      api.app
        .get(EntityManager)
        .fork()
        .transactional(async (em) => {
          await em.execute('SELECT 1');
          if (++inside === 8) met.resolve(undefined);
          await met.promise;
        }),
    );
    await Promise.all(together);
    expect(inside).toBe(8);
  });
});

describe('a machine that is gone without a word', () => {
  it('holds nobody up for long, and a report is waited for', async () => {
    const way = await storeProxy(process.env['DATABASE_URL'] ?? '');
    const through = await startApi((url) => {
      const at = new URL(way.url);
      at.pathname = new URL(url).pathname;
      return { ...vendors.env, DATABASE_URL: at.href };
    });
    try {
      const person = await makeMain(through);
      expect((await person.client.send(translateText, ask)).status).toBe(200);
      const em = through.app.get(EntityManager).fork();
      const report = em.transactional(async (tx) => {
        await tx.execute(`SET LOCAL statement_timeout = '60s'`);
        return tx.execute('SELECT 1 AS done FROM pg_sleep(13)');
      });
      expect(await report).toEqual([{ done: 1 }]);

      way.forget();
      const began = performance.now();
      const stuck = await Promise.all(
        Array.from({ length: 3 }, (_, n) => person.client.send(translateText, { ...ask, text: `头发${n}` })),
      );
      expect(stuck.every(({ status }) => status === 200 || status === 503)).toBe(true);
      const after = await waitUntil(
        () => person.client.send(translateText, ask),
        ({ status }) => status !== 503,
      );
      expect(after.status).toBe(200);
      // One after the other: the pool's connection is found dead, then the ledger's. The kernel would take a quarter of an hour.
      expect(performance.now() - began).toBeLessThan(35_000);
    } finally {
      await through.stop();
      way.close();
    }
  }, 90_000);
});

describe('the lease of an idempotency key', () => {
  it('does not make a retry wait for long after its request died', async () => {
    const person = await makeMain(api);
    const doomed = await spawnApi(api.env, { FAILPOINT: 'before-settle' });
    const key = { 'Idempotency-Key': 'died' };
    await expect(new TestClient(doomed.url, person.session, key).send(translateText, ask)).rejects.toThrow();
    await doomed.exited;
    const began = performance.now();
    expect((await person.client.with(key).send(translateText, ask)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(await usable(person)).toBe(5_000 - 4);
  }, 30_000);

  it('is renewed while a request works', async () => {
    const person = await makeMain(api);
    await person.client.call(changeChannel, { targetChannelId: GOOGLE });
    await vendors.fail('google', { kind: 'delay', ms: 8_000, times: 1 });
    const client = person.client.with({ 'Idempotency-Key': 'slow' });
    const slow = { source: 'en', target: 'fr', text: 'Thank you' };
    const first = client.send(translateText, slow);
    // Longer than the lease.
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    const second = await client.send(translateText, slow);
    expect([(await first).status, second.status]).toEqual([200, 200]);
    expect(second.body.data).toEqual((await first).body.data);
    expect(await vendors.calls('google')).toHaveLength(1);
  }, 30_000);
});

it('an outage writes one line per second and kind', async () => {
  const way = await storeProxy(api.env['DATABASE_URL'] ?? '');
  const alone = await spawnApi({ ...api.env, DATABASE_URL: way.url, LOG_LEVEL: 'warn' });
  try {
    const person = await makeMain(api);
    const client = new TestClient(alone.url, person.session);
    expect((await client.send(getUser, {})).status).toBe(200);
    way.close();
    const until = Date.now() + 3_000;
    let refused = 0;
    while (Date.now() < until) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.send(getUser, {})));
      refused += answers.filter(({ status }) => status === 503).length;
    }
    expect(refused).toBeGreaterThan(50);
    const written = () =>
      alone
        .log()
        .split('\n')
        .filter((line) => line.includes('store unavailable'))
        .map((line) => JSON.parse(line) as { kind: string; more?: number; outage?: object });
    const told = () => Promise.resolve(written().reduce((sum, { more = 1 }) => sum + more, 0));
    // Nothing is left uncounted.
    await waitUntil(told, (n) => n >= refused);
    const kinds = Map.groupBy(written(), ({ kind }) => kind);
    for (const lines of kinds.values()) expect(lines.length).toBeLessThanOrEqual(6);
    expect(written()[0]).toMatchObject({ outage: { code: expect.any(String) } });
  } finally {
    await alone.stop();
    way.close();
  }
}, 30_000);

describe('the role of every connection', () => {
  /** Starts a process that must refuse to, and returns what it says. */
  async function refusal(program: 'http' | 'worker' | 'operators', env: Record<string, string>): Promise<string> {
    const child = spawnProgram(program, { ...api.env, ...env });
    try {
      expect(await child.exited).toBe(1);
      return child.errors();
    } finally {
      await child.stop();
    }
  }

  it.each(['http', 'worker', 'operators'] as const)('is asserted by %s behind a pooler', async (program) => {
    const pooler = await storeProxy(api.env['DATABASE_URL'] ?? '', likePooler);
    try {
      const role = program === 'http' ? 'yiqiao_app' : 'yiqiao_operator';
      const said = await refusal(program, { DATABASE_URL: pooler.url });
      expect(said).toMatch(/DATABASE_URL: works as \w+, must work as /);
      expect(said).toContain(`SET role = '${role}'`);
      expect(said).not.toMatch(/^\s+at /m);
    } finally {
      pooler.close();
    }
  });

  it('of the ledger is asserted too, with the setting that it comes from', async () => {
    const pooler = await storeProxy(api.env['DATABASE_URL'] ?? '', likePooler);
    try {
      expect(await refusal('http', { LEDGER_DATABASE_URL: pooler.url })).toContain('LEDGER_DATABASE_URL: works as');
    } finally {
      pooler.close();
    }
  });

  it('can come from the login, and the ledger stays past the pooler', async () => {
    const login = `pooled_${database}`;
    await api.db.query(`CREATE ROLE ${login} LOGIN PASSWORD 'pooled' IN ROLE yiqiao_app`);
    await api.db.query(`ALTER ROLE ${login} SET role = 'yiqiao_app'`);
    const url = new URL(api.env['DATABASE_URL'] ?? '');
    url.username = login;
    url.password = 'pooled';
    const pooler = await storeProxy(url.href, likePooler);
    const env = { ...api.env, DATABASE_URL: pooler.url, LEDGER_DATABASE_URL: url.href };
    const behind = await spawnApi(env, { DATABASE_POOL_MAX: '3', LEDGER_CONNECTIONS: '2' });
    try {
      const people = await Promise.all(Array.from({ length: 4 }, () => makeMain(api)));
      const work = people.flatMap(({ session }) =>
        Array.from({ length: 8 }, () => new TestClient(behind.url, session).send(translateText, ask)),
      );
      for (const { status } of await Promise.all(work)) expect(status).toBe(200);
      const { rows } = await api.db.query<{ name: string; n: number; by: string }>(
        `SELECT application_name AS name, count(*)::int AS n, min(usename) AS by FROM pg_stat_activity
         WHERE usename = $1 GROUP BY 1 ORDER BY 1`,
        [login],
      );
      expect(rows).toEqual([
        { name: 'yiqiao', n: expect.any(Number), by: login },
        { name: 'yiqiao-ledger', n: 2, by: login },
      ]);
      expect(rows[0]?.n).toBeLessThanOrEqual(3);
    } finally {
      behind.terminate();
      await behind.exited;
      pooler.close();
      await api.db.query(`DROP ROLE ${login}`);
    }
  }, 30_000);

  it.each([
    ['a wrong password', (url: URL) => void (url.password = 'wrong'), 'refuses this user with this password'],
    ['a database that is not there', (url: URL) => void (url.pathname = '/nowhere'), 'no database of this name'],
  ])('%s ends the start with a message for people', async (_, change, message) => {
    const url = new URL(api.env['DATABASE_URL'] ?? '');
    change(url);
    const said = await refusal('http', { DATABASE_URL: url.href });
    expect(said).toContain(`DATABASE_URL: PostgreSQL ${message.startsWith('no') ? 'has ' : ''}${message}`);
    expect(said).not.toMatch(/wrong|^\s+at /m);
  });
});
