import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from './config.js';

/** The connection for rate limits and live updates: it fails fast, so that a request never hangs when Redis is away. */
export const REDIS = Symbol('redis');

const open = (config: Config): Redis => {
  const redis = new Redis(config.env.REDIS_URL, {
    enableOfflineQueue: false,
    commandTimeout: config.env.REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  // Without a listener the first connection error would end the process.
  redis.on('error', (error) => new Logger('Redis').debug(error.message));
  return redis;
};

@Global()
@Module({ providers: [{ provide: REDIS, inject: [Config], useFactory: open }], exports: [REDIS] })
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
