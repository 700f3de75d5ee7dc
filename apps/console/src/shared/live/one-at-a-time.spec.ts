import { describe, expect, it } from '@jest/globals';
import { oneAtATime } from './one-at-a-time.js';

/** Work that ends when it is told to. */
function work() {
  const ends: (() => void)[] = [];
  let begun = 0;
  const ask = oneAtATime(() => {
    begun++;
    return new Promise((resolve) => ends.push(resolve));
  });
  const finish = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, finish, begun: () => begun };
}

describe('one at a time', () => {
  it('starts at once', () => {
    const { ask, begun } = work();
    ask();
    expect(begun()).toBe(1);
  });

  it('runs once more for any number of calls made meanwhile', async () => {
    const { ask, finish, begun } = work();
    ask();
    ask();
    ask();
    expect(begun()).toBe(1);
    await finish();
    expect(begun()).toBe(2);
    await finish();
    expect(begun()).toBe(2);
  });

  it('restarts after its end', async () => {
    const { ask, finish, begun } = work();
    ask();
    await finish();
    ask();
    expect(begun()).toBe(2);
  });
});
