import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TurnPace } from './turn-pace.js';

it('starts what comes alone at once', async () => {
  const pace = new TurnPace(2);
  const started: number[] = [];
  for (let i = 0; i < 5; i++) {
    pace.start(() => started.push(i));
    expect(started).toHaveLength(i + 1);
    await nextTurn();
    await nextTurn();
  }
});

it('starts no more than its number in a turn, in the order of their coming', async () => {
  const pace = new TurnPace(2);
  const started: number[] = [];
  for (let i = 0; i < 5; i++) pace.start(() => started.push(i));
  expect(started).toEqual([0, 1]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3]);
  // Who comes now waits behind those who were there, as long as their turn has no place left.
  pace.start(() => started.push(5));
  expect(started).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
});
