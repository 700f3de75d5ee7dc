import { describe, expect, it } from '@jest/globals';
import { readRedisUrl, redisConnection } from './redis-address.js';

describe('the URL of Redis', () => {
  it.each([
    ['redis://10.0.0.5', [{ host: '10.0.0.5', port: 6379 }], ''],
    ['rediss://user:p%40ss@redis.example:6380/2', [{ host: 'redis.example', port: 6380 }], 'p%40ss'],
  ])('can name one server: %s', (url, hosts, password) => {
    expect(readRedisUrl(url)).toEqual({ hosts, password, sentinels: null });
    // The library reads it.
    expect(redisConnection(url)).toEqual({ url });
  });

  it('can name Sentinels', () => {
    const url = 'redis+sentinel://app:p%40s%3Aw@s1:26379,10.0.0.2,[fd00::3]:26400/yiqiao/3';
    expect(readRedisUrl(url)).toEqual({
      hosts: [
        { host: 's1', port: 26_379 },
        { host: '10.0.0.2', port: 26_379 },
        { host: 'fd00::3', port: 26_400 },
      ],
      password: 'p@s:w',
      sentinels: { name: 'yiqiao', username: 'app', db: 3, tls: false },
    });
    expect(redisConnection(url, 'theirs')).toMatchObject({
      name: 'yiqiao',
      db: 3,
      username: 'app',
      password: 'p@s:w',
      sentinelPassword: 'theirs',
    });
  });

  it('leaves a primary that was demoted', () => {
    const connection = redisConnection('redis+sentinel://s1/main');
    if (!('reconnectOnError' in connection)) throw new Error('not by Sentinels');
    expect(connection.reconnectOnError(new Error("READONLY You can't write against a read only replica."))).toBe(2);
    expect(connection.reconnectOnError(new Error('ERR unknown command'))).toBe(false);
  });

  it('can leave out user and password, and ask for TLS', () => {
    expect(readRedisUrl('redis+sentinel://:secret@s1/main')?.sentinels).toMatchObject({ username: '', db: 0 });
    expect(redisConnection('redis+sentinel://s1/main')).not.toHaveProperty('password');
    expect(redisConnection('rediss+sentinel://s1/main')).toMatchObject({ tls: {}, enableTLSForSentinelMode: true });
  });

  it.each([
    'redis.example:6379',
    'http://redis.example',
    'redis://',
    'redis+sentinel://s1:26379',
    'redis+sentinel://s1:26379/',
    'redis+sentinel://s1:99999/main',
    'redis+sentinel://s1,,s2/main',
    'redis+sentinel://s 1/main',
    'redis+sentinel://:%zz@s1/main',
    'redis+sentinel://s1/main/db',
  ])('is refused: %s', (url) => {
    expect(readRedisUrl(url)).toBeNull();
    expect(() => redisConnection(url)).toThrow(RangeError);
  });
});
