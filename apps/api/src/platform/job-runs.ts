import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { Clock } from './clock.js';
import { Config } from './config.js';
import { REDIS } from './redis.js';

const run = z.object({ endedAt: z.int(), ms: z.int(), ok: z.boolean() });
export type JobRun = z.output<typeof run>;

/** The last run of each scheduled job, for operators. In Redis, beside the schedules. */
@Injectable()
export class JobRuns {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Runs the job's work and remembers how it ended. Throws what the work throws. */
  async record(name: string, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    const remember = (ok: boolean): Promise<unknown> => {
      const ended: JobRun = { endedAt: this.clock.now().getTime(), ms: Math.round(performance.now() - began), ok };
      return this.redis.hset(this.#key, name, JSON.stringify(ended)).catch(() => undefined);
    };
    try {
      await work();
      await remember(true);
    } catch (error) {
      await remember(false);
      throw error;
    }
  }

  /** By the job's name. Rejects while Redis is away. */
  async last(): Promise<ReadonlyMap<string, JobRun>> {
    const all = Object.entries(await this.redis.hgetall(this.#key));
    return new Map(
      all.flatMap(([name, text]) => {
        const read = run.safeParse(JSON.parse(text));
        return read.success ? [[name, read.data] as const] : [];
      }),
    );
  }

  get #key(): string {
    return `${this.config.env.REDIS_PREFIX}:job-runs`;
  }
}
