import { Global, Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis, type RedisOptions } from 'ioredis';
import { Config } from './config.js';
import { redisConnection } from './redis-address.js';

/** The connection for rate limits and live updates: it fails fast, so that a request never hangs when Redis is away. */
export const REDIS = Symbol('redis');

/** Opens a connection by REDIS_URL. */
export function connectRedis({ env }: Config, options: RedisOptions): Redis {
  const connection = redisConnection(env.REDIS_URL, env.SENTINEL_PASSWORD);
  return 'url' in connection ? new Redis(connection.url, options) : new Redis({ ...connection, ...options });
}

const open = (config: Config): Redis => {
  const redis = connectRedis(config, {
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
