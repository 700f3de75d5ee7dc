import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { CachedReads } from './cached-reads.js';

/** Reads return ten times the key and the number of the read, at once or when released. */
function open() {
  const reads: number[][] = [];
  let held: (() => void)[] | null = null;
  const cached = new CachedReads<number, string>(async (keys) => {
    reads.push(keys);
    const nth = reads.length;
    await new Promise<void>((resolve) => (held ? held.push(resolve) : resolve()));
    return new Map(keys.map((key) => [key, `${key * 10} by read ${nth}`]));
  });
  const hold = (): (() => void) => {
    const waiting: (() => void)[] = (held = []);
    return () => {
      held = null;
      for (const release of waiting) release();
    };
  };
  return { reads, cached, hold };
}

let now = 0;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('serves from the cache for half a second, then reads again', async () => {
  const { reads, cached } = open();
  expect(await cached.get(1)).toBe('10 by read 1');
  now += 249;
  expect(await cached.get(1)).toBe('10 by read 1');
  now += 251;
  expect(await cached.get(1)).toBe('10 by read 2');
  expect(reads).toEqual([[1], [1]]);
});

it('refreshes values in use before they expire, many keys with one read, and no caller waits', async () => {
  const { reads, cached } = open();
  await Promise.all([cached.get(1), cached.get(2), cached.get(3)]);
  now += 300;
  expect(await Promise.all([cached.get(1), cached.get(2)])).toEqual(['10 by read 1', '20 by read 1']);
  await sleep(200);
  expect(reads).toEqual([
    [1, 2, 3],
    [1, 2],
  ]);
  now += 450;
  expect(await cached.get(2)).toBe('20 by read 2');
  expect(await cached.get(3)).toBe('30 by read 3');
});

it('returns no value whose read began before the invalidation', async () => {
  const { cached, hold } = open();
  expect(await cached.get(1)).toBe('10 by read 1');
  const release = hold();
  const pending = cached.refresh(1);
  for (let times = 0; times < 5; times++) await immediate();
  now += 1;
  cached.invalidate(1);
  release();
  await pending;
  expect(await cached.get(1)).toBe('10 by read 3');
});

it('caches missing values, too', async () => {
  const reads: number[][] = [];
  const cached = new CachedReads<number, string>((keys) => {
    reads.push(keys);
    return Promise.resolve(new Map());
  });
  expect(await cached.get(7)).toBeUndefined();
  expect(await cached.get(7)).toBeUndefined();
  expect(reads).toHaveLength(1);
});
