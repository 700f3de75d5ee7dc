import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('the concurrency limiter', () => {
  it('runs `width` tasks at once, queues `queue`, and refuses the rest', async () => {
    const limiter = new ConcurrencyLimiter({ width: 2, queue: 3 });
    let running = 0;
    let most = 0;
    const task = async (): Promise<number> => {
      most = Math.max(most, ++running);
      await sleep(5);
      return running--;
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 9 }, () => limiter.run(task)));
    expect(most).toBe(2);
    expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(5);
    for (const o of outcomes) if (o.status === 'rejected') expect(o.reason).toMatchObject({ code: 'SERVICE_BUSY' });
  });

  it('frees its slots when tasks fail', async () => {
    const limiter = new ConcurrencyLimiter({ width: 1, queue: 1 });
    for (let i = 0; i < 5; i++)
      await expect(limiter.run(() => Promise.reject(new Refusal('WRONG_PASSWORD')))).rejects.toThrow('WRONG_PASSWORD');
    const both = [limiter.run(() => Promise.resolve('a')), limiter.run(() => Promise.resolve('b'))];
    expect(await Promise.all(both)).toEqual(['a', 'b']);
  });
});
