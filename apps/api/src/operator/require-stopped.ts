import type { Redis } from 'ioredis';
import pg from 'pg';
import { Clock } from '../platform/clock.js';
import { CommandError } from '../platform/cli-messages.js';
import type { Config } from '../platform/config.js';
import { appConnection, OPERATOR_ROLE } from '../platform/database.js';
import { ProcessReports, SILENT_SECONDS } from '../platform/process-reports.js';
import { connectRedis } from '../platform/redis.js';

/**
 * Throws CommandError while api, worker or operators run on the database or report to Redis. What does not answer runs nothing. `own`: the backend
 * of the command that asks.
 */
export async function requireStopped(config: Config, own = 0): Promise<void> {
  const names = new Set([...(await sessionsOf(config, own)), ...(await reportsOf(config))]);
  if (names.size === 0) return;
  throw new CommandError({
    zh: `请先停止 api、worker、operators 与 backup：${[...names].join('、')} 还在运行`,
    en: `Stop api, worker, operators and backup first; still running: ${[...names].join(', ')}`,
  });
}

async function sessionsOf(config: Config, own: number): Promise<string[]> {
  const client = new pg.Client({
    ...appConnection(config, 'yiqiao-restore', OPERATOR_ROLE),
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
       WHERE application_name LIKE 'yiqiao%' AND application_name NOT LIKE 'yiqiao-restore%' AND pid NOT IN (pg_backend_pid(), $1)`,
      [own],
    );
    return rows.map(({ name }) => name);
  } catch {
    return [];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function reportsOf(config: Config): Promise<string[]> {
  return withRedis(config, async (redis) => {
    const all = await new ProcessReports(redis, config, new Clock(config)).all();
    return all.filter(({ seenSeconds }) => seenSeconds <= SILENT_SECONDS).map(({ kind, name }) => `${kind} ${name}`);
  }).catch(() => []);
}

/** Runs `work` on a connection that does not wait for a Redis that is away. */
export async function withRedis<T>(config: Config, work: (redis: Redis) => Promise<T>): Promise<T> {
  const options = { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null, connectTimeout: 3_000 };
  const redis = connectRedis(config, options);
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
