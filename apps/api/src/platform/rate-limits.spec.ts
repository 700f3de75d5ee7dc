import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { loadConfig } from './config.js';
import { type LimitName, networkOf, RateLimits } from './rate-limits.js';
import { Vault } from './vault.js';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0db8:0000::ffff', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
  ['someone@example.com', 'someone@example.com'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('a limit', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgresql://none',
    REDIS_URL: 'redis://none',
    SMTP_URL: 'smtp://none',
    APP_SECRET: '0'.repeat(64),
  });
  const MINUTE = 60_000;
  let redis: Redis;
  let limits: RateLimits;
  // The limits count in this process while Redis is away, by timers.
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
    limits = new RateLimits(redis, config, new Vault(config));
  });
  afterEach(() => {
    redis.disconnect();
    jest.useRealTimers();
  });

  /** Four calls, and after `pause` minutes the one that reaches the limit of five. */
  const reach = async (name: LimitName, pause: number): Promise<void> => {
    for (let i = 0; i < 4; i++) await limits.take(name, 'somebody|203.0.113.9');
    jest.advanceTimersByTime(pause * MINUTE);
    await limits.take(name, 'somebody|203.0.113.9');
  };
  const isOpen = (name: LimitName): Promise<boolean> =>
    limits.check(name, 'somebody|203.0.113.9').then(
      () => true,
      () => false,
    );

  it('that locks does so for its whole time from the call that reaches it, and no longer', async () => {
    await reach('operatorSignIns', 14);
    jest.advanceTimersByTime(14 * MINUTE);
    expect(await isOpen('operatorSignIns')).toBe(false);
    await expect(limits.take('operatorSignIns', 'somebody|203.0.113.9')).rejects.toThrow('LOGIN_LOCKED');
    jest.advanceTimersByTime(2 * MINUTE);
    expect(await isOpen('operatorSignIns')).toBe(true);
  });

  it('that does not lock forgets its calls once the first of them is old enough', async () => {
    await reach('operatorCodes', 14);
    expect(await isOpen('operatorCodes')).toBe(false);
    jest.advanceTimersByTime(2 * MINUTE);
    expect(await isOpen('operatorCodes')).toBe(true);
  });
});
