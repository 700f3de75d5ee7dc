import { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { REDIS } from './redis.js';

export type HealthReport = { status: 'ok' | 'unavailable'; database: boolean; redis: boolean };

/** Whether this process can do its work now; for the start script, the container and the proxy. */
@Injectable()
export class Health {
  constructor(
    private readonly em: EntityManager,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  async report(): Promise<HealthReport> {
    const [database, redis] = await Promise.all([
      answers(this.em.fork().execute('SELECT 1')),
      answers(this.redis.ping()),
    ]);
    return { status: database && redis ? 'ok' : 'unavailable', database, redis };
  }
}

const answers = (probe: Promise<unknown>): Promise<boolean> =>
  probe.then(
    () => true,
    () => false,
  );
