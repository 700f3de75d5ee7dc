import { describe, expect, it } from '@jest/globals';
import { keepNewest } from './keep-newest.js';

/** Questions that are answered, or fail, in whatever order. */
function desk() {
  const open: PromiseWithResolvers<string>[] = [];
  const kept: string[] = [];
  const ask = keepNewest(
    () => {
      const question = Promise.withResolvers<string>();
      open.push(question);
      return question.promise;
    },
    (answer) => void kept.push(answer),
  );
  return { ask, kept, question: (n: number) => open[n] as PromiseWithResolvers<string> };
}

describe('the newest answer', () => {
  it('is not overwritten by one that was asked for before it and comes after it', async () => {
    const { ask, kept, question } = desk();
    const [first, second] = [ask(), ask()];
    question(1).resolve('new');
    await second;
    question(0).resolve('old');
    expect(await first).toBe('old'); // whoever asked gets an answer all the same
    expect(kept).toEqual(['new']);
  });

  it('follows the older ones that come in order', async () => {
    const { ask, kept, question } = desk();
    const [first, second] = [ask(), ask()];
    question(0).resolve('old');
    await first;
    question(1).resolve('new');
    await second;
    expect(kept).toEqual(['old', 'new']);
  });

  it('is an older one where the last question failed', async () => {
    const { ask, kept, question } = desk();
    const [first, second] = [ask(), ask()];
    question(1).reject(new Error('no network'));
    await expect(second).rejects.toThrow('no network');
    question(0).resolve('old');
    await first;
    expect(kept).toEqual(['old']);
  });
});
