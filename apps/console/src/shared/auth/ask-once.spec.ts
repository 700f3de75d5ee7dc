import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { askOnce } from './ask-once.js';

/** Questions that are answered when they are told to. */
function desk() {
  const open: PromiseWithResolvers<string>[] = [];
  let who = 'one';
  const ask = askOnce(
    () => {
      const question = Promise.withResolvers<string>();
      open.push(question);
      return question.promise;
    },
    { of: () => who, freshMs: 1_000 },
  );
  return { ask, open, become: (name: string) => (who = name) };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('asking once', () => {
  it('shares what is under way, however long it takes, and the answer for a moment more', async () => {
    const { ask, open } = desk();
    const first = ask();
    jest.advanceTimersByTime(5_000);
    const second = ask();
    open[0]?.resolve('a');
    expect([await first, await second, open.length]).toEqual(['a', 'a', 1]);
    jest.advanceTimersByTime(999);
    expect([await ask(), open.length]).toEqual(['a', 1]);
    jest.advanceTimersByTime(1);
    void ask();
    expect(open.length).toBe(2);
  });

  it('asks again after a failure', async () => {
    const { ask, open } = desk();
    const first = ask();
    open[0]?.reject(new Error('no network'));
    await expect(first).rejects.toThrow('no network');
    void ask();
    expect(open.length).toBe(2);
  });

  it('never gives one the answer of another', () => {
    const { ask, open, become } = desk();
    void ask();
    become('two');
    void ask();
    expect(open.length).toBe(2);
  });
});
