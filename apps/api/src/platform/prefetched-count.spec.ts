import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { PrefetchedCount } from './prefetched-count.js';

/** A shared counter that other processes add to as well. */
function open(points: number) {
  let count = 0;
  const counted: number[] = [];
  const prefetched = new PrefetchedCount(points, (_, more) => {
    counted.push(more);
    count += more;
    return Promise.resolve({ consumedPoints: count, msBeforeNext: 60_000 });
  });
  const state = (by = 0) => ({ consumedPoints: (count += by), msBeforeNext: 60_000 });
  const passing = (tries: number) => Array.from({ length: tries }, () => prefetched.pass('a')).filter(Boolean).length;
  return { prefetched, counted, state, passing };
}

it('admits no caller while the state of the limit is unknown', () => {
  expect(open(100).passing(3)).toBe(0);
});

it('admits a tenth of the limit, counts it with one command, and continues from the response', async () => {
  const { prefetched, counted, state, passing } = open(100);
  prefetched.update('a', state(1));
  expect(passing(25)).toBe(10);
  await sleep(150);
  expect(counted).toEqual([10]);
  expect(passing(25)).toBe(10);
  await sleep(150);
  expect(counted).toEqual([10, 10]);
});

it('admits no caller beyond half of the limit, whoever used it', () => {
  const { prefetched, state, passing } = open(100);
  prefetched.update('a', state(47));
  expect(passing(25)).toBe(3);
  const other = open(100);
  other.prefetched.update('a', other.state(50));
  expect(other.passing(25)).toBe(0);
});

it('hands over the uncounted callers once', () => {
  const { prefetched, counted, state, passing } = open(100);
  prefetched.update('a', state(1));
  passing(4);
  expect([prefetched.takeUncounted('a'), prefetched.takeUncounted('a'), prefetched.takeUncounted('b')]).toEqual([
    4, 0, 0,
  ]);
  expect(counted).toEqual([]);
});

it('discards the state when the window ends', async () => {
  const { prefetched, passing } = open(100);
  prefetched.update('a', { consumedPoints: 1, msBeforeNext: 20 });
  await sleep(40);
  expect(passing(1)).toBe(0);
});
