import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Inject, Injectable, Res, SetMetadata } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import { OPEN } from './endpoint-metadata.js';
import { REDIS } from './redis.js';

/** `degraded`: without Redis requests are served, but live updates and jobs wait. */
export type HealthReport = { status: 'ok' | 'degraded' | 'unavailable'; database: boolean; redis: boolean };

/** Whether this process can work now; for the start script, the container and the proxy. */
@Injectable()
export class Health {
  /** Shared by concurrent callers: the health check has no rate limit. */
  #probe: Promise<[database: boolean, redis: boolean]> | undefined;

  constructor(
    private readonly em: EntityManager,
    @Inject(REDIS) private readonly redis: Redis,
  ) {}

  /** `needsRedis`: whether the process cannot work without it, as the worker. */
  async report({ needsRedis }: { needsRedis: boolean }): Promise<HealthReport> {
    this.#probe ??= this.#check().finally(() => (this.#probe = undefined));
    const [database, redis] = await this.#probe;
    const without = needsRedis ? 'unavailable' : 'degraded';
    return { status: !database ? 'unavailable' : redis ? 'ok' : without, database, redis };
  }

  #check(): Promise<[database: boolean, redis: boolean]> {
    return Promise.all([
      // A table of the price list: a database without the schema is not healthy. Raw: the entity belongs to a feature.
      succeeds(this.em.fork().execute('SELECT 1 FROM member_group LIMIT 1')),
      succeeds(this.redis.ping()),
    ]);
  }
}

const succeeds = (probe: Promise<unknown>): Promise<boolean> =>
  probe.then(
    () => true,
    () => false,
  );

@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('/health')
  @SetMetadata(OPEN, true)
  async get(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.health.report({ needsRedis: false });
    await reply
      .status(report.status === 'unavailable' ? 503 : 200)
      .header('Cache-Control', 'no-store')
      .send(report);
  }
}
