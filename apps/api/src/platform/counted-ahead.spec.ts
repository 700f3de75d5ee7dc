import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { CountedAhead } from './counted-ahead.js';

/** A common count that others add to as well. */
function open(points: number) {
  let count = 0;
  const told: number[] = [];
  const ahead = new CountedAhead(points, (_, more) => {
    told.push(more);
    count += more;
    return Promise.resolve({ consumedPoints: count, msBeforeNext: 60_000 });
  });
  const standing = (by = 0) => ({ consumedPoints: (count += by), msBeforeNext: 60_000 });
  const passing = (tries: number) => Array.from({ length: tries }, () => ahead.pass('a')).filter(Boolean).length;
  return { ahead, told, standing, passing };
}

it('lets nobody pass whose standing it does not know', () => {
  expect(open(100).passing(3)).toBe(0);
});

it('lets a tenth of the limit pass, tells of all of them with one command, and goes on by the answer', async () => {
  const { ahead, told, standing, passing } = open(100);
  ahead.learn('a', standing(1));
  expect(passing(25)).toBe(10);
  await sleep(150);
  expect(told).toEqual([10]);
  expect(passing(25)).toBe(10);
  await sleep(150);
  expect(told).toEqual([10, 10]);
});

it('lets nobody pass beyond half of the limit, whoever used it', () => {
  const { ahead, standing, passing } = open(100);
  ahead.learn('a', standing(47));
  expect(passing(25)).toBe(3);
  const other = open(100);
  other.ahead.learn('a', other.standing(50));
  expect(other.passing(25)).toBe(0);
});

it('hands over those who are not counted yet, once', () => {
  const { ahead, told, standing, passing } = open(100);
  ahead.learn('a', standing(1));
  passing(4);
  expect([ahead.takeOver('a'), ahead.takeOver('a'), ahead.takeOver('b')]).toEqual([4, 0, 0]);
  expect(told).toEqual([]);
});

it('knows nothing any more when the window has ended', async () => {
  const { ahead, passing } = open(100);
  ahead.learn('a', { consumedPoints: 1, msBeforeNext: 20 });
  await sleep(40);
  expect(passing(1)).toBe(0);
});
