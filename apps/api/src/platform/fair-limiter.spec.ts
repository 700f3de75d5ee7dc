import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { FairLimiter } from './fair-limiter.js';

const size = { width: 1, perKey: 20, total: 30, waitMs: 60_000 };

describe('the fair limiter', () => {
  it('runs `width` tasks at once and serves keys in turn', async () => {
    const limiter = new FairLimiter(size);
    const order: string[] = [];
    let running = 0;
    const task = (key: string) => async (): Promise<void> => {
      expect(++running).toBe(1);
      await sleep(1);
      order.push(key);
      running--;
    };
    const flood = Array.from({ length: 20 }, () => limiter.run('flood', task('flood')));
    await Promise.all([...flood, limiter.run('other', task('other')), limiter.run('third', task('third'))]);
    // Behind the running one and the next in turn.
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    expect(order.indexOf('third')).toBeLessThanOrEqual(3);
    expect(order).toHaveLength(22);
  });

  it('limits the tasks per key and in total, and how long they wait', async () => {
    const limiter = new FairLimiter({ width: 1, perKey: 2, total: 3, waitMs: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run('a', () => promise);
    const late = limiter.run('a', () => Promise.resolve());
    await expect(limiter.run('a', () => Promise.resolve())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const alsoLate = limiter.run('b', () => Promise.resolve());
    await Promise.all([
      expect(limiter.run('c', () => Promise.resolve())).rejects.toMatchObject({ code: 'SERVICE_BUSY' }),
      expect(late).rejects.toMatchObject({ code: 'SERVICE_BUSY', details: { retryAfterSeconds: 1 } }),
      expect(alsoLate).rejects.toMatchObject({ code: 'SERVICE_BUSY' }),
    ]);
    resolve();
    await first;
    await expect(limiter.run('c', () => Promise.resolve('free again'))).resolves.toBe('free again');
  });

  it('frees its slots when tasks fail', async () => {
    const limiter = new FairLimiter({ width: 1, perKey: 1, total: 1, waitMs: 5 });
    for (let i = 0; i < 5; i++)
      await expect(limiter.run('a', () => Promise.reject(new Refusal('WRONG_PASSWORD')))).rejects.toThrow(
        'WRONG_PASSWORD',
      );
  });
});
