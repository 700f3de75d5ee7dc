import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { RememberedReads } from './remembered-reads.js';

/** Answers the key times ten and the number of the read, at once, or when it is let go. */
function open() {
  const reads: number[][] = [];
  let held: (() => void)[] | null = null;
  const remembered = new RememberedReads<number, string>(async (keys) => {
    reads.push(keys);
    const nth = reads.length;
    await new Promise<void>((resolve) => (held ? held.push(resolve) : resolve()));
    return new Map(keys.map((key) => [key, `${key * 10} by read ${nth}`]));
  });
  const hold = (): (() => void) => {
    const waiting: (() => void)[] = (held = []);
    return () => {
      held = null;
      for (const go of waiting) go();
    };
  };
  return { reads, remembered, hold };
}

let now = 0;
beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('answers from memory for half a second, and then reads again', async () => {
  const { reads, remembered } = open();
  expect(await remembered.get(1)).toBe('10 by read 1');
  now += 249;
  expect(await remembered.get(1)).toBe('10 by read 1');
  now += 251;
  expect(await remembered.get(1)).toBe('10 by read 2');
  expect(reads).toEqual([[1], [1]]);
});

it('renews what is in use before its time is up, many keys with one read, and nobody waits', async () => {
  const { reads, remembered } = open();
  await Promise.all([remembered.get(1), remembered.get(2), remembered.get(3)]);
  now += 300;
  expect(await Promise.all([remembered.get(1), remembered.get(2)])).toEqual(['10 by read 1', '20 by read 1']);
  await sleep(200);
  expect(reads).toEqual([
    [1, 2, 3],
    [1, 2],
  ]);
  now += 450;
  expect(await remembered.get(2)).toBe('20 by read 2');
  expect(await remembered.get(3)).toBe('30 by read 3');
});

it('answers nothing that was read, or began to be read, before it was told to forget', async () => {
  const { remembered, hold } = open();
  expect(await remembered.get(1)).toBe('10 by read 1');
  const go = hold();
  const asked = remembered.again(1);
  for (let times = 0; times < 5; times++) await immediate();
  now += 1;
  remembered.forget(1);
  go();
  await asked;
  expect(await remembered.get(1)).toBe('10 by read 3');
});

it('remembers that there is nothing, too', async () => {
  const reads: number[][] = [];
  const remembered = new RememberedReads<number, string>((keys) => {
    reads.push(keys);
    return Promise.resolve(new Map());
  });
  expect(await remembered.get(7)).toBeUndefined();
  expect(await remembered.get(7)).toBeUndefined();
  expect(reads).toHaveLength(1);
});
