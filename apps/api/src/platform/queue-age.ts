import type { Redis } from 'ioredis';
import { EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE } from './queue-names.js';

/** BullMQ stores the due time of a delayed job, in ms, above the twelve bits of a counter. */
const COUNTER = 4_096;

/**
 * How long the job that waits longest has been due, in seconds, over all queues; null: none waits. Reads the keys of BullMQ, which a process
 * without queues need not load. Jobs that are being executed do not count. Rejects while Redis is away.
 */
export async function oldestJobSeconds(redis: Redis, prefix: string, now: number): Promise<number | null> {
  const due = await Promise.all(
    [EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE].map((name) => earliestDue(redis, `${prefix}:${name}`)),
  );
  const earliest = Math.min(...due.filter((at) => at <= now));
  return Number.isFinite(earliest) ? Math.floor((now - earliest) / 1_000) : null;
}

async function earliestDue(redis: Redis, queue: string): Promise<number> {
  const [waiting, [prioritized], [delayed, score]] = await Promise.all([
    redis.lindex(`${queue}:wait`, '-1'),
    redis.zrange(`${queue}:prioritized`, '0', '0'),
    redis.zrange(`${queue}:delayed`, '0', '0', 'WITHSCORES'),
  ]);
  const ids = [waiting, prioritized].filter((id) => typeof id === 'string');
  const due = await Promise.all(ids.map((id) => dueAt(redis, `${queue}:${id}`)));
  return Math.min(...due, delayed === undefined ? Infinity : Math.floor(Number(score) / COUNTER));
}

/** When a waiting job could have begun; one that is tried again, no later than when its last attempt began. */
async function dueAt(redis: Redis, job: string): Promise<number> {
  const [created, options, triedAt] = await redis.hmget(job, 'timestamp', 'opts', 'processedOn');
  // Taken by a worker in between.
  if (!created) return Infinity;
  const { delay = 0 } = JSON.parse(options ?? '{}') as { delay?: number };
  return Math.max(Number(created) + delay, Number(triedAt ?? 0));
}
