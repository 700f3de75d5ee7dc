/** Limits that several processes share through Redis. Each `Process` here has its own connection, as a process would. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { loadConfig, type Config } from '../src/platform/config.js';
import { Live } from '../src/platform/live.js';
import { LEASE_MS, LivingProcesses } from '../src/platform/living-processes.js';
import { SharedPlaces } from '../src/platform/shared-places.js';
import { SharedWindows } from '../src/platform/shared-windows.js';
import { waitUntil } from './support/wait-until.js';

const until = (happens: () => boolean | Promise<boolean>): Promise<boolean> =>
  waitUntil(async () => happens(), Boolean);

type Process = {
  redis: Redis;
  living: LivingProcesses;
  places: SharedPlaces;
  windows: SharedWindows;
  kill: () => void;
};

let config: Config;
let admin: Redis;
const running: Process[] = [];
beforeEach(() => {
  config = loadConfig({
    DATABASE_URL: 'postgres://nowhere',
    REDIS_URL: process.env['REDIS_URL'],
    REDIS_PREFIX: `shared-${randomBytes(6).toString('hex')}`,
    SMTP_URL: 'smtp://127.0.0.1:1',
    APP_SECRET: '0'.repeat(64),
  });
  admin = new Redis(config.env.REDIS_URL);
});
afterEach(() => {
  for (const { kill } of running.splice(0)) kill();
  admin.disconnect();
});

async function start(): Promise<Process> {
  const redis = new Redis(config.env.REDIS_URL, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    lazyConnect: true,
  });
  redis.on('error', () => undefined);
  await redis.connect();
  const living = new LivingProcesses(redis, config);
  const live = new Live(redis, config);
  const places = new SharedPlaces(living, live);
  const windows = new SharedWindows(living);
  places.onModuleInit();
  await living.begin();
  const kill = (): void => {
    living.stop();
    live.onApplicationShutdown();
    redis.disconnect();
  };
  const one = { redis, living, places, windows, kill };
  running.push(one);
  return one;
}

/** Processes that have known each other for long enough to be sure. */
async function startAll(count: number): Promise<Process[]> {
  const all: Process[] = [];
  for (let n = 0; n < count; n++) all.push(await start());
  await until(() => all.every(({ living }) => living.isSure));
  return all;
}

const LIMIT = { key: 'room', most: 10 };

/** So many of the limit's places are in use by these processes. */
class Room {
  used = 0;
  most = 0;
  refused = 0;

  async visit({ places }: Process, ms: number): Promise<boolean> {
    if (!places.takeNow(LIMIT) && !(await places.enter(LIMIT))) {
      this.refused++;
      return false;
    }
    this.most = Math.max(this.most, ++this.used);
    await sleep(ms);
    this.used--;
    places.leave(LIMIT);
    return true;
  }
}

describe('places', () => {
  it('are never more than the limit over all processes, all are used, and no process gets none', async () => {
    const all = await startAll(4);
    const room = new Room();
    const served = all.map(() => 0);
    // Until every process has been served: one that got nothing would never end.
    const goesOn = (): boolean => Math.min(...served) < 20;
    await Promise.all(
      all.flatMap((each, at) =>
        Array.from({ length: 8 }, async () => {
          while (goesOn()) if (await room.visit(each, 5)) served[at] = (served[at] ?? 0) + 1;
        }),
      ),
    );
    expect(room.most).toBe(LIMIT.most);
  });

  it('pass to another process as soon as it asks, though the first keeps some spare', async () => {
    const [one, two] = await startAll(2);
    if (!one || !two) throw new Error('unreachable');
    const room = new Room();
    const crowd = (each: Process): Promise<boolean[]> =>
      Promise.all(Array.from({ length: LIMIT.most }, () => room.visit(each, 20)));
    expect(await crowd(one)).toEqual(Array(LIMIT.most).fill(true));
    expect(await crowd(two)).toEqual(Array(LIMIT.most).fill(true));
    expect(room.most).toBe(LIMIT.most);
  });

  it('of a killed process are free once it has not been heard for a while, not before', async () => {
    const [one, two] = await startAll(2);
    if (!one || !two) throw new Error('unreachable');
    for (let n = 0; n < LIMIT.most; n++) expect(await one.places.take(LIMIT)).toBe(true);
    one.kill();
    const killed = performance.now();
    expect(await two.places.enter(LIMIT)).toBe(false);
    await until(() => two.places.take(LIMIT));
    expect(performance.now() - killed).toBeGreaterThan(LEASE_MS - 2_000);
    for (let n = 1; n < LIMIT.most; n++) expect(await two.places.take(LIMIT)).toBe(true);
    expect(await two.places.take(LIMIT)).toBe(false);
  });

  it('are free for a process that Redis has not heard for a while, too', async () => {
    const [one] = await startAll(1);
    if (!one) throw new Error('one was started');
    one.living.stop();
    await admin.zadd(one.living.key, Date.now() - 2 * LEASE_MS, one.living.id);
    expect(one.living.isSure).toBe(true);
    expect(await one.places.take(LIMIT)).toBe(true);
  });

  it('stay taken when Redis loses its data', async () => {
    const [one, two] = await startAll(2);
    if (!one || !two) throw new Error('unreachable');
    for (let n = 0; n < 7; n++) expect(await one.places.take(LIMIT)).toBe(true);
    await admin.del(...(await admin.keys(`${config.env.REDIS_PREFIX}*`)));
    await until(() => !one.living.isSure && !two.living.isSure);
    // On their own: half of the places each, and the first has more than that.
    expect(await one.places.take(LIMIT)).toBe(false);
    await until(() => one.living.isSure && two.living.isSure);
    for (let n = 0; n < 3; n++) expect(await two.places.take(LIMIT)).toBe(true);
    expect(await two.places.enter(LIMIT)).toBe(false);
  });

  it('are divided among the processes while Redis is away', async () => {
    const all = await startAll(2);
    for (const { redis } of all) redis.disconnect();
    for (const { places, living } of all) {
      await until(() => !living.isSure);
      const got: boolean[] = [];
      for (let n = 0; n < 8; n++) got.push(await places.take(LIMIT));
      expect(got.filter(Boolean)).toHaveLength(LIMIT.most / 2);
    }
  });
});

describe('windows', () => {
  const limits = { requests: { units: 20, windowMs: 1_000 }, chars: { units: 1_000, windowMs: 3_000 } };

  it('grant exactly what fits into them, over all processes, and again as it leaves them', async () => {
    const all = await startAll(3);
    // Each was granted at some time from `asked` to `told`.
    const granted: { asked: number; told: number; chars: number }[] = [];
    const sum = (some: { chars: number }[]): number => some.reduce((total, { chars }) => total + chars, 0);
    // Two windows of characters, nearly.
    const goesOn = (): boolean => sum(granted) < 1_900;
    await Promise.all(
      all.map(async ({ windows }) => {
        while (goesOn()) {
          const sizes = Array.from({ length: 3 }, () => ({ requests: 1, chars: 20 + Math.floor(Math.random() * 40) }));
          const asked = performance.now();
          const { granted: n, waitMs } = await windows.take({ key: 'vendor', limits, sizes });
          const told = performance.now();
          for (const { chars } of sizes.slice(0, n)) granted.push({ asked, told, chars });
          if (n < sizes.length) await sleep(Math.min(waitMs, 200));
        }
      }),
    );
    // Those that were certainly granted within so many ms from `from` on.
    const within = (from: number, ms: number) => granted.filter(({ asked, told }) => asked >= from && told < from + ms);
    for (const { asked } of granted) {
      expect(within(asked, limits.requests.windowMs).length).toBeLessThanOrEqual(20);
      expect(sum(within(asked, limits.chars.windowMs))).toBeLessThanOrEqual(1_000);
    }
  }, 60_000);

  it('are not open again when Redis loses its data: every process tells what it used', async () => {
    const all = await startAll(2);
    const long = { chars: { units: 100, windowMs: 60_000 } };
    const take = ({ windows }: Process, chars: number) => windows.take({ key: 'v', limits: long, sizes: [{ chars }] });
    for (const each of all) expect((await take(each, 40)).granted).toBe(1);
    await admin.del(...(await admin.keys(`${config.env.REDIS_PREFIX}*`)));
    await until(() => all.every(({ living }) => !living.isSure));
    await until(() => all.every(({ living }) => living.isSure));
    const [one, two] = all;
    if (!one || !two) throw new Error('unreachable');
    expect((await take(one, 21)).granted).toBe(0);
    expect((await take(two, 20)).granted).toBe(1);
    expect((await take(one, 1)).granted).toBe(0);
  });

  it('are divided while Redis is away, and what was used is told when it is back', async () => {
    const all = await startAll(2);
    const long = { chars: { units: 100, windowMs: 60_000 } };
    const take = ({ windows }: Process, chars: number) => windows.take({ key: 'v', limits: long, sizes: [{ chars }] });
    for (const { redis } of all) redis.disconnect();
    for (const each of all) {
      await until(() => !each.living.isSure);
      expect((await take(each, 30)).granted).toBe(1);
      expect((await take(each, 21)).granted).toBe(0);
    }
    for (const { redis } of all) await redis.connect();
    await until(() => all.every(({ living }) => living.isSure));
    const [one] = all;
    if (!one) throw new Error('unreachable');
    expect((await take(one, 41)).granted).toBe(0);
    expect((await take(one, 40)).granted).toBe(1);
  });
});
