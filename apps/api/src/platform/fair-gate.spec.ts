import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Refusal } from '@yiqiao/domain/errors';
import { FairGate } from './fair-gate.js';

const size = { width: 1, perKey: 20, total: 30, waitMs: 60_000 };

describe('the fair gate', () => {
  it('runs so many at once and serves the keys in turns', async () => {
    const gate = new FairGate(size);
    const order: string[] = [];
    let running = 0;
    const task = (key: string) => async (): Promise<void> => {
      expect(++running).toBe(1);
      await sleep(1);
      order.push(key);
      running--;
    };
    const flood = Array.from({ length: 20 }, () => gate.run('flood', task('flood')));
    await Promise.all([...flood, gate.run('other', task('other')), gate.run('third', task('third'))]);
    // Behind the one that runs and the one whose turn is next.
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
    expect(order.indexOf('third')).toBeLessThanOrEqual(3);
    expect(order).toHaveLength(22);
  });

  it('bounds what one key and all keys may hold, and how long anybody waits', async () => {
    const gate = new FairGate({ width: 1, perKey: 2, total: 3, waitMs: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = gate.run('a', () => promise);
    const late = gate.run('a', () => Promise.resolve());
    await expect(gate.run('a', () => Promise.resolve())).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const alsoLate = gate.run('b', () => Promise.resolve());
    await Promise.all([
      expect(gate.run('c', () => Promise.resolve())).rejects.toMatchObject({ code: 'SERVICE_BUSY' }),
      expect(late).rejects.toMatchObject({ code: 'SERVICE_BUSY', details: { retryAfterSeconds: 1 } }),
      expect(alsoLate).rejects.toMatchObject({ code: 'SERVICE_BUSY' }),
    ]);
    resolve();
    await first;
    await expect(gate.run('c', () => Promise.resolve('free again'))).resolves.toBe('free again');
  });

  it('gives its places back when tasks fail', async () => {
    const gate = new FairGate({ width: 1, perKey: 1, total: 1, waitMs: 5 });
    for (let i = 0; i < 5; i++)
      await expect(gate.run('a', () => Promise.reject(new Refusal('WRONG_PASSWORD')))).rejects.toThrow(
        'WRONG_PASSWORD',
      );
  });
});
