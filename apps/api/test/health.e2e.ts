/** `/livez`, `/readyz` and `/health` of every process: who lives, who can serve, and which part needs somebody. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { HealthReport } from '../src/platform/health.js';
import { freePort } from '../bench/child.js';
import { startApi, type TestApi } from './support/api.js';
import { spawnApi, spawnOperators, spawnProgram } from './support/process.js';
import { storeProxy } from './support/store-proxy.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi({ DATA_DIR: tmpdir() });
});
afterAll(() => api.stop());

type Probed = { status: number; body: Record<string, unknown> };

async function probe(url: string, name: string, init: RequestInit = {}): Promise<Probed> {
  const answer = await fetch(`${url}${name}`, init);
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}
const partsOf = async (url: string): Promise<{ status: number; report: HealthReport }> => {
  const { status, body } = await probe(url, '/health');
  return { status, report: body as HealthReport };
};
/** Until a part is in this state; for as long as it may take to show. */
const untilPart = async (url: string, name: keyof HealthReport['parts'], state: string): Promise<HealthReport> => {
  const began = performance.now();
  const { report } = await waitUntil(
    () => partsOf(url),
    ({ report: { parts } }) => parts[name].state === state,
  );
  expect(performance.now() - began).toBeLessThan(30_000);
  return report;
};

/** Workers of a test, which end with it. */
const workers: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function startWorker(env: Record<string, string>, host = '127.0.0.1') {
  const port = await freePort();
  const worker = spawnProgram('worker', { ...env, WORKER_HOST: host, WORKER_PORT: String(port) });
  workers.push(worker);
  const url = `http://${host === '0.0.0.0' ? '127.0.0.2' : host}:${port}`;
  const isReady = () =>
    probe(url, '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntil(isReady, Boolean);
  return { ...worker, url };
}

describe.each(['http', 'worker', 'operators'] as const)('the probes of %s', (program) => {
  let url: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    if (program === 'worker') {
      const worker = await startWorker(api.env, '0.0.0.0');
      workers.splice(0);
      ({ url, stop } = worker);
    } else ({ url, stop } = await (program === 'http' ? spawnApi : spawnOperators)(api.env));
  });
  afterAll(() => stop());

  it('answer', async () => {
    expect(await probe(url, '/livez')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await probe(url, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    const { body } = await probe(url, '/health');
    expect(body).toMatchObject({
      draining: false,
      uptimeSeconds: expect.any(Number),
      parts: {
        database: { state: 'ok', writeMs: expect.any(Number), sinceSeconds: expect.any(Number) },
        redis: { state: 'ok', pingMs: expect.any(Number) },
        outbox: { state: 'ok', oldestSeconds: null },
        queue: { state: expect.any(String) },
        worker: { state: expect.any(String), running: expect.any(Number) },
        disk: { state: expect.any(String), path: expect.any(String), freeBytes: expect.any(Number) },
      },
    });
    for (const name of ['/livez', '/readyz', '/health']) {
      const head = await fetch(url + name, { method: 'HEAD' });
      expect([head.status === 404, head.headers.get('cache-control')]).toEqual([false, 'no-store']);
      expect(await probe(url, name, { method: 'POST' })).toMatchObject({
        status: 405,
        body: { success: false, code: 'METHOD_NOT_ALLOWED' },
      });
    }
  });

  it.each(['/health/x', '/livez/x', '/readyz/x', '/readyz/', '/metrics', '/metrics/x', '/healthz', '/HEALTH/x'])(
    'no other name is one: %s',
    async (name) => {
      for (const method of ['GET', 'POST'])
        expect(await probe(url, name, { method })).toMatchObject({
          status: 404,
          body: { success: false, code: 'NOT_FOUND', status: 404 },
        });
    },
  );
});

describe('readiness', () => {
  const unready = (why: string): Probed => ({ status: 503, body: { status: 'unready', why: [why] } });
  const ready: Probed = { status: 200, body: { status: 'ready' } };
  /** As long as an answer is shared. */
  const soon = () => sleep(1_100);

  it('needs a server that writes', async () => {
    const name = new URL(api.env['DATABASE_URL'] ?? '').pathname.slice(1);
    await api.db.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const standby = await startApiProcess();
    try {
      expect(await probe(standby.url, '/readyz')).toEqual(unready('database: read-only'));
      expect((await probe(standby.url, '/livez')).status).toBe(200);
      const { status, report } = await partsOf(standby.url);
      expect([status, report.status]).toEqual([503, 'failed']);
      expect(report.parts.database).toMatchObject({ state: 'failed', why: 'read-only' });
      await writable(name);
      await waitUntil(
        () => probe(standby.url, '/readyz'),
        ({ status: now }) => now === 200,
      );
    } finally {
      await writable(name);
      await standby.stop();
    }
  });

  const writable = async (name: string): Promise<void> => {
    const client = await api.db.connect();
    try {
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    } finally {
      client.release(true);
    }
  };
  /** One that need not be ready. */
  async function startApiProcess(extra: Record<string, string> = {}) {
    const port = await freePort();
    const child = spawnProgram('http', { ...api.env, PORT: String(port), ...extra });
    const url = `http://127.0.0.1:${port}`;
    const isUp = () =>
      probe(url, '/livez').then(
        () => true,
        () => false,
      );
    await waitUntil(isUp, Boolean);
    return { ...child, url };
  }

  it('needs every migration of its version, and minds no later one', async () => {
    const last = `SELECT name FROM mikro_orm_migrations ORDER BY id DESC LIMIT 1`;
    const { rows } = await api.db.query<{ name: string }>(last);
    const [{ name } = { name: '' }] = rows;
    await api.db.query(`INSERT INTO mikro_orm_migrations (name) VALUES ('9999-of-a-later-version')`);
    await soon();
    expect(await probe(api.url, '/readyz')).toEqual(ready);
    await api.db.query(`DELETE FROM mikro_orm_migrations WHERE name = '9999-of-a-later-version'`);
    await api.db.query(`UPDATE mikro_orm_migrations SET name = 'away' WHERE name = $1`, [name]);
    try {
      await soon();
      expect(await probe(api.url, '/readyz')).toEqual(unready('database: old-schema'));
    } finally {
      await api.db.query(`UPDATE mikro_orm_migrations SET name = $1 WHERE name = 'away'`, [name]);
    }
    await api.db.query('ALTER TABLE mikro_orm_migrations RENAME TO migrations_away');
    try {
      await soon();
      expect(await probe(api.url, '/readyz')).toEqual(unready('database: no-schema'));
    } finally {
      await api.db.query('ALTER TABLE migrations_away RENAME TO mikro_orm_migrations');
    }
    await soon();
    expect(await probe(api.url, '/readyz')).toEqual(ready);
  });

  it('does not need Redis, and says in time that PostgreSQL is silent', async () => {
    const way = await storeProxy(api.env['DATABASE_URL'] ?? '');
    const alone = await startApiProcess({
      DATABASE_URL: way.url,
      REDIS_URL: 'redis://127.0.0.1:1',
      REDIS_TIMEOUT_MS: '300',
    });
    try {
      await waitUntil(
        () => probe(alone.url, '/readyz'),
        ({ status }) => status === 200,
      );
      const { status, report } = await partsOf(alone.url);
      expect([status, report.status]).toEqual([200, 'degraded']);
      expect(report.parts).toMatchObject({
        database: { state: 'ok' },
        redis: { state: 'degraded', why: 'unreachable' },
        queue: { state: 'unknown' },
        worker: { state: 'unknown' },
      });
      way.freeze();
      await soon();
      const began = performance.now();
      expect(await probe(alone.url, '/readyz')).toEqual(unready('database: unreachable'));
      expect(performance.now() - began).toBeLessThan(3_000);
      expect((await probe(alone.url, '/livez')).status).toBe(200);
    } finally {
      await alone.stop();
      way.close();
    }
  });

  it('ends first while a process drains, which serves until then', async () => {
    const leaving = await spawnApi(api.env, { DRAIN_SECONDS: '5' });
    leaving.terminate();
    await waitUntil(
      () => probe(leaving.url, '/readyz'),
      ({ status }) => status === 503,
    );
    // At once: it leaves when its time is over, however slow the machine.
    const [ready, live, health, work] = await Promise.all([
      probe(leaving.url, '/readyz'),
      probe(leaving.url, '/livez'),
      partsOf(leaving.url),
      fetch(`${leaving.url}/client-user/customer-service/list`),
    ]);
    expect(ready.body).toEqual({ status: 'unready', why: ['draining'] });
    expect([live.status, health.report.draining, work.status]).toEqual([200, true, 200]);
    expect(await leaving.exited).toBe(0);
  });
});

describe('health', () => {
  /** What killed workers left in Redis. */
  async function forgetWorkers(): Promise<void> {
    const redis = new Redis(api.env['REDIS_URL'] ?? '');
    const keys = await redis.keys(`${api.env['REDIS_PREFIX'] ?? ''}:*`);
    if (keys.length > 0) await redis.del(...keys);
    redis.disconnect();
  }

  it('says that no worker runs, that one does, and that it is frozen', async () => {
    await forgetWorkers();
    const { report: none } = await waitUntil(
      () => partsOf(api.url),
      ({ report }) => report.parts.worker.why === 'none',
    );
    expect(none).toMatchObject({ status: 'failed', parts: { worker: { why: 'none', running: 0 } } });
    const worker = await startWorker(api.env);
    const running = await untilPart(api.url, 'worker', 'ok');
    expect(running.parts.worker).toMatchObject({ running: 1, silent: 0, seenSeconds: expect.any(Number) });
    worker.freeze();
    const frozen = await untilPart(api.url, 'worker', 'failed');
    expect(frozen.parts.worker).toMatchObject({ why: 'silent', running: 0, silent: 1 });
    expect(frozen.parts.worker.seenSeconds).toBeGreaterThan(15);
    expect((await partsOf(api.url)).status).toBe(503);
    // One that took its place: the frozen one no longer counts.
    await startWorker(api.env);
    expect((await untilPart(api.url, 'worker', 'ok')).parts.worker).toMatchObject({ running: 1, silent: 0 });
  });

  it('says that events wait too long for a worker', async () => {
    const event = { type: 'of-a-later-version' };
    const add = `INSERT INTO outbox (fact, recorded_at) VALUES ($1, now() - $2 * interval '1 second')`;
    for (const [seconds, state] of [
      [30, 'degraded'],
      [150, 'failed'],
    ] as const) {
      await api.db.query(add, [JSON.stringify(event), seconds]);
      const { parts } = await untilPart(api.url, 'outbox', state);
      expect(parts.outbox.oldestSeconds).toBeGreaterThanOrEqual(seconds);
    }
    await api.db.query('DELETE FROM outbox');
    await untilPart(api.url, 'outbox', 'ok');
  });

  it('says that jobs are due for too long, in whichever state they wait', async () => {
    const redis = new Redis(api.env['REDIS_URL'] ?? '');
    const { REDIS_PREFIX: prefix = '' } = api.env;
    await forgetWorkers();
    await untilPart(api.url, 'queue', 'ok');
    const at = Date.now() - 40_000;
    try {
      await redis.zadd(`${prefix}:chores:delayed`, String(at * 4_096 + 1), 'repeat:x');
      expect((await untilPart(api.url, 'queue', 'degraded')).parts.queue.oldestSeconds).toBeGreaterThanOrEqual(39);
      await redis.del(`${prefix}:chores:delayed`);
      await untilPart(api.url, 'queue', 'ok');
      // Delayed by a minute of its 200 s: it has been due for 140.
      const job = { timestamp: Date.now() - 200_000, opts: JSON.stringify({ delay: 60_000 }), delay: 0 };
      await redis.hset(`${prefix}:letters:7`, job);
      await redis.lpush(`${prefix}:letters:wait`, '7');
      const { parts } = await untilPart(api.url, 'queue', 'failed');
      expect(parts.queue.oldestSeconds).toBeGreaterThanOrEqual(140);
      expect(parts.queue.oldestSeconds).toBeLessThan(190);
    } finally {
      await redis.del(`${prefix}:letters:7`, `${prefix}:letters:wait`, `${prefix}:chores:delayed`);
      redis.disconnect();
    }
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? it : it.skip)('says that a disk is full', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    const watching = await spawnApi(api.env, { DISK_PATHS: folder });
    try {
      expect((await partsOf(watching.url)).report.parts.disk.why).not.toBe('full');
      writeFileSync(path.join(folder, 'all'), Buffer.alloc(2 ** 20));
      const { parts } = await untilPart(watching.url, 'disk', 'failed');
      expect(parts.disk).toMatchObject({ why: 'full', path: folder, freeBytes: 0, freePercent: 0 });
    } finally {
      await watching.stop();
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }
  });
});
