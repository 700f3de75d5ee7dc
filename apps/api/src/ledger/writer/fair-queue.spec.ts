import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

type Item = { id: string; userId: number };
const item = (id: string, userId: number): Item => ({ id, userId });
const ids = (items: Item[]): string => items.map(({ id }) => id).join(' ');

describe('the fair queue', () => {
  it('serves a small account behind a busy one', () => {
    const queue = new FairQueue<Item>(2);
    for (let n = 1; n <= 6; n++) queue.push(item(`a${n}`, 1));
    queue.push(item('b1', 2));
    expect(ids(queue.take(4))).toBe('a1 a2 b1 a3');
    expect(ids(queue.take(4))).toBe('a4 a5 a6');
    expect(queue.size).toBe(0);
  });

  it('starts the next batch with the accounts that had no turn', () => {
    const queue = new FairQueue<Item>(2);
    for (const user of [1, 2, 3]) for (let n = 1; n <= 4; n++) queue.push(item(`${user}.${n}`, user));
    expect(ids(queue.take(4))).toBe('1.1 1.2 2.1 2.2');
    expect(ids(queue.take(4))).toBe('3.1 3.2 1.3 1.4');
  });

  it('puts duplicates into different batches and keeps the order behind them', () => {
    const queue = new FairQueue<Item>(8);
    for (const id of ['x', 'x', 'y']) queue.push(item(id, 1));
    queue.push(item('z', 2));
    expect(ids(queue.take(10))).toBe('x z');
    expect(ids(queue.take(10))).toBe('x y');
  });

  it('removes items', () => {
    const queue = new FairQueue<Item>(8);
    for (const id of ['x', 'y', 'z']) queue.push(item(id, id === 'y' ? 2 : 1));
    expect(ids(queue.remove(({ id }) => id !== 'z'))).toBe('x y');
    expect(queue.size).toBe(1);
    expect(ids(queue.take(10))).toBe('z');
  });

  it('returns every item once, in order within each account, no id twice in a batch', () => {
    const items = fc.array(fc.record({ id: fc.nat(30).map(String), userId: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (pushed, max, share) => {
        const queue = new FairQueue<Item>(share);
        pushed.forEach((one) => queue.push(one));
        const taken: Item[] = [];
        while (queue.size > 0) {
          const batch = queue.take(max);
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(max);
          expect(new Set(batch.map(({ id }) => id)).size).toBe(batch.length);
          taken.push(...batch);
        }
        for (const user of [1, 2, 3, 4])
          expect(taken.filter((one) => one.userId === user)).toEqual(pushed.filter((one) => one.userId === user));
      }),
    );
  });
});
