/** Channel figures, counted by several processes together, and by each alone while Redis is unavailable. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { Traffic } from '../src/translation/routing/traffic.js';

const HOUR_MS = 3_600_000;
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** A clock that can be advanced. */
class MovedClock extends Clock {
  forwardMs = 0;
  override now(): Date {
    return new Date(Date.now() + this.forwardMs);
  }
}

const prefix = (): string => `test-${randomBytes(6).toString('hex')}`;

/** The counters of one process. */
async function counting(REDIS_PREFIX: string) {
  const url = process.env['REDIS_URL'] ?? '';
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    REDIS_URL: url,
    REDIS_PREFIX,
    SMTP_URL: 'smtp://127.0.0.1:1',
    APP_SECRET: '0'.repeat(64),
  });
  const redis = new Redis(url, { lazyConnect: true, enableOfflineQueue: false });
  await redis.connect();
  const clock = new MovedClock(config);
  const traffic = new Traffic(redis, config, clock);
  ended.push(async () => {
    await traffic.beforeApplicationShutdown();
    const keys = await redis.keys(`${REDIS_PREFIX}:*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
  });
  return { traffic, clock, redis };
}

const note = (traffic: Traffic, times: number, how = { ok: true, ms: 100 }): void => {
  for (let i = 0; i < times; i++) traffic.note(2, how);
};

it('adds up what all processes recorded, each request once', async () => {
  const shared = prefix();
  const [one, two] = [await counting(shared), await counting(shared)];
  note(one.traffic, 6);
  note(two.traffic, 2, { ok: false, ms: 9_000 });
  await two.traffic.flush();
  expect((await one.traffic.figures()).get(2)).toMatchObject({ requests: 8, successShare: 0.75 });
  expect((await two.traffic.figures()).get(2)).toMatchObject({ requests: 2 });
  await one.traffic.flush();
  await one.traffic.flush();
  for (const { traffic } of [one, two]) {
    const figures = (await traffic.figures()).get(2);
    expect(figures).toMatchObject({ requests: 8, successShare: 0.75 });
    expect(figures?.medianMs).toBeGreaterThan(80);
    expect(figures?.p95Ms).toBeLessThan(125);
  }
});

it('drops data older than a day, in Redis too', async () => {
  const shared = prefix();
  const { traffic, clock, redis } = await counting(shared);
  note(traffic, 10);
  await traffic.flush();
  const [key = ''] = await redis.keys(`${shared}:traffic:*`);
  const left = await redis.pttl(key);
  expect(left).toBeGreaterThan(24 * HOUR_MS);
  expect(left).toBeLessThan(25 * HOUR_MS);
  clock.forwardMs = 12 * HOUR_MS;
  note(traffic, 5);
  expect((await traffic.figures()).get(2)?.requests).toBe(15);
  clock.forwardMs = 24.5 * HOUR_MS;
  expect((await traffic.figures()).get(2)?.requests).toBe(5);
});

it('shows its own data while Redis is unavailable, and shares it afterwards', async () => {
  const shared = prefix();
  const [one, other] = [await counting(shared), await counting(shared)];
  const away = once(one.redis, 'end');
  one.redis.disconnect();
  await away;
  note(one.traffic, 6);
  await one.traffic.flush();
  expect((await one.traffic.figures()).get(2)).toMatchObject({ requests: 6, successShare: 1 });
  note(one.traffic, 6, { ok: false, ms: 1 });
  expect((await one.traffic.figures()).get(2)).toMatchObject({ requests: 12, successShare: 0.5 });
  expect((await other.traffic.figures()).get(2)).toBeUndefined();
  await one.redis.connect();
  await one.traffic.flush();
  expect((await other.traffic.figures()).get(2)).toMatchObject({ requests: 12, successShare: 0.5 });
});
