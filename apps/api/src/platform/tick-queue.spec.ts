import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TickQueue } from './tick-queue.js';

it('starts single tasks immediately', async () => {
  const queue = new TickQueue(2);
  const started: number[] = [];
  for (let i = 0; i < 5; i++) {
    queue.start(() => started.push(i));
    expect(started).toHaveLength(i + 1);
    await nextTurn();
    await nextTurn();
  }
});

it('starts no more tasks per turn than allowed, in order of arrival', async () => {
  const queue = new TickQueue(2);
  const started: number[] = [];
  for (let i = 0; i < 5; i++) queue.start(() => started.push(i));
  expect(started).toEqual([0, 1]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3]);
  // A new task waits while the current turn is full.
  queue.start(() => started.push(5));
  expect(started).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
});
