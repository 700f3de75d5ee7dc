import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { REDIS } from './redis.js';

/** `degraded`: without Redis every request is answered, while live updates and deliveries wait. */
export type HealthReport = { status: 'ok' | 'degraded' | 'unavailable'; database: boolean; redis: boolean };

/** Whether this process can do its work now; for the start script, the container and the proxy. */
@Injectable()
export class Health {
  /** Asked once for all who want to know meanwhile: nothing limits who asks. */
  #probe: Promise<[database: boolean, redis: boolean]> | undefined;

  constructor(
    private readonly em: EntityManager,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  /** `needsRedis`: whether the process can do nothing without it, as the worker. */
  async report({ needsRedis }: { needsRedis: boolean }): Promise<HealthReport> {
    this.#probe ??= this.#ask().finally(() => (this.#probe = undefined));
    const [database, redis] = await this.#probe;
    const without = needsRedis ? 'unavailable' : 'degraded';
    return { status: !database ? 'unavailable' : redis ? 'ok' : without, database, redis };
  }

  #ask(): Promise<[database: boolean, redis: boolean]> {
    return Promise.all([
      // A table of the price list: a database without its schema answers nobody.
      answers(this.em.fork().execute('SELECT 1 FROM member_group LIMIT 1')),
      answers(this.redis.ping()),
    ]);
  }
}

const answers = (probe: Promise<unknown>): Promise<boolean> =>
  probe.then(
    () => true,
    () => false,
  );
