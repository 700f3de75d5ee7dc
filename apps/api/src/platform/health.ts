import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Controller, Get, Inject, Injectable, Res, SetMetadata } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import { Config } from './config.js';
import { probeDatabase } from './database-probe.js';
import { OPEN } from './endpoint-metadata.js';
import { type DatabaseAnswer, HealthParts, type Part, type Parts, PATIENCE_MS, timed, within } from './health-parts.js';
import { ProcessReports } from './process-reports.js';
import { REDIS } from './redis.js';
import { Standby } from './standby.js';

/** `sinceSeconds`: since when a part is in its state, as far as somebody asked. */
export type HealthReport = {
  status: 'ok' | 'degraded' | 'failed';
  draining: boolean;
  uptimeSeconds: number;
  parts: { [Name in keyof Parts]: Parts[Name] & { sinceSeconds: number } };
};

/** An answer to a probe. */
export type Answer = { status: 200 | 503; body: object };

/** The checks have no rate limit: answers are shared for this long. */
const READY_MS = 1_000;
const PARTS_MS = 3_000;

/**
 * Whether this process lives (`/livez`, asks no store), can take requests now (`/readyz`), and whether the parts of the product work
 * (`/health`, for people and their monitoring). Readiness does not ask Redis, because requests succeed without.
 */
@Injectable()
export class Health implements BeforeApplicationShutdown {
  /** How long a server goes on serving after it was told to end, so that balancers see that it is no longer ready. */
  drainMs = 0;
  #draining = false;
  readonly #database: Remembered<DatabaseAnswer>;
  readonly #parts: Remembered<Parts>;
  readonly #since = new Map<string, { state: string; at: number }>();

  constructor(
    em: EntityManager,
    config: Config,
    reports: ProcessReports,
    standby: Standby,
    @Inject(REDIS) redis: Redis,
  ) {
    this.#database = new Remembered(READY_MS, async () => {
      const [problem, ms] = await timed(() => probeDatabase(em));
      return { problem, ms };
    });
    const asked = { database: () => this.#askDatabase(), standby: () => standby.state() };
    const parts = new HealthParts({ em, config, reports, redis, ...asked });
    this.#parts = new Remembered(PARTS_MS, () => parts.check());
  }

  live(): Answer {
    return { status: 200, body: { status: 'ok' } };
  }

  async ready(): Promise<Answer> {
    const { problem } = await this.#askDatabase();
    const why = [...(this.#draining ? ['draining'] : []), ...(problem === null ? [] : [`database: ${problem}`])];
    return why.length === 0
      ? { status: 200, body: { status: 'ready' } }
      : { status: 503, body: { status: 'unready', why } };
  }

  async health(): Promise<Answer> {
    const body = await this.report();
    return { status: body.status === 'failed' ? 503 : 200, body };
  }

  async report(): Promise<HealthReport> {
    const parts = await this.#parts.get();
    const states = Object.values(parts).map(({ state }) => state);
    const isDegraded = this.#draining || states.some((state) => state !== 'ok');
    return {
      status: states.includes('failed') ? 'failed' : isDegraded ? 'degraded' : 'ok',
      draining: this.#draining,
      uptimeSeconds: Math.floor(process.uptime()),
      parts: {
        database: this.#dated('database', parts.database),
        standby: this.#dated('standby', parts.standby),
        redis: this.#dated('redis', parts.redis),
        outbox: this.#dated('outbox', parts.outbox),
        queue: this.#dated('queue', parts.queue),
        worker: this.#dated('worker', parts.worker),
        disk: this.#dated('disk', parts.disk),
      },
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#draining = true;
    if (this.drainMs > 0) await sleep(this.drainMs);
  }

  #dated<P extends Part>(name: string, part: P): P & { sinceSeconds: number } {
    const now = performance.now();
    let since = this.#since.get(name);
    if (since?.state !== part.state) {
      since = { state: part.state, at: now };
      this.#since.set(name, since);
    }
    return { ...part, sinceSeconds: Math.floor((now - since.at) / 1_000) };
  }

  async #askDatabase(): Promise<DatabaseAnswer> {
    return (await within(PATIENCE_MS, this.#database.get())) ?? { problem: 'unreachable', ms: null };
  }
}

/** The result of `read` for `keepMs`; one read at a time, whoever asks and however long it takes. */
export class Remembered<T> {
  #value: { value: T; at: number } | undefined;
  #reading: Promise<T> | undefined;

  constructor(
    private readonly keepMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  async get(): Promise<T> {
    if (this.#value && performance.now() - this.#value.at < this.keepMs) return this.#value.value;
    this.#reading ??= this.read().finally(() => (this.#reading = undefined));
    const value = await this.#reading;
    this.#value = { value, at: performance.now() };
    return value;
  }
}

const send = ({ status, body }: Answer, reply: FastifyReply): FastifyReply =>
  reply.status(status).header('Cache-Control', 'no-store').send(body);

@Controller()
export class HealthController {
  constructor(private readonly probes: Health) {}

  @Get('/livez')
  @SetMetadata(OPEN, true)
  async live(@Res() reply: FastifyReply): Promise<void> {
    await send(this.probes.live(), reply);
  }

  @Get('/readyz')
  @SetMetadata(OPEN, true)
  async ready(@Res() reply: FastifyReply): Promise<void> {
    await send(await this.probes.ready(), reply);
  }

  @Get('/health')
  @SetMetadata(OPEN, true)
  async health(@Res() reply: FastifyReply): Promise<void> {
    await send(await this.probes.health(), reply);
  }
}
