import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { DomainEvent } from '@yiqiao/domain/events';
import { type Job, type Processor, Queue, type QueueOptions, Worker, type WorkerOptions } from 'bullmq';
import { Config } from './config.js';
import { serializeError, ThrottledLines } from './logger.js';
import { outageKind } from './outage.js';
import { EVENTS_QUEUE, MAIL_QUEUE, queueLabel, SCHEDULED_JOBS_QUEUE } from './queue-names.js';
import { redisConnection } from './redis-address.js';
import { record } from './telemetry/instruments.js';
import { beginTrace, ending, traceOf, within } from './telemetry/tracing.js';

export { EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE };

/** The data of a job, named as queued jobs have it. Ids only: Redis never holds anything personal or secret. */
export type EventJob = { outboxId: number; fact: DomainEvent };

/** Shorter than the time after which a process is killed (infra/local/lifecycle.mjs: 10 s). */
const DRAIN_MS = 7_000;

/**
 * On shutdown, before the database closes: takes no new job and waits for those in flight. A job that does not finish in time is run again
 * by another worker, or by this one after its restart.
 */
export async function drain(worker: Worker): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    worker.close(),
    sleep(DRAIN_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined),
  ]);
  over.abort();
}

/**
 * Producers fail fast when Redis is away; a worker waits until it is back. With the producers' connection options a worker that met a closing
 * socket would retry in the same turn of the event loop and never see the socket close.
 */
class ReconnectingWorker extends Worker {
  constructor(name: string, processor: (job: Job) => Promise<unknown>, options: WorkerOptions) {
    super(name, measured(name, processor), {
      ...options,
      connection: { ...options.connection, maxRetriesPerRequest: null, enableOfflineQueue: true },
    });
    this.on('error', logsErrors(name, 'Worker'));
  }
}
// Otherwise the module starts workers with the connection options of the producers.
BullModule.workerClass = ReconnectingWorker;

const measured =
  (queue: string, process: (job: Job) => Promise<unknown>): Processor =>
  async (job) => {
    const span = beginTrace(traceOfJob(job as Job<Partial<EventJob>>), `job ${job.name}`, { kind: SpanKind.CONSUMER });
    const began = performance.now();
    const ended = (error?: unknown): void =>
      record('messaging.process.duration', (performance.now() - began) / 1_000, {
        'messaging.system': 'bullmq',
        'messaging.destination.name': queueLabel(queue),
        'bullmq.job.name': job.name,
        ...(error !== undefined && { 'error.type': error instanceof Error ? error.name : '_OTHER' }),
      });
    try {
      const result = await ending(span, () => within(span, () => process(job)));
      ended();
      return result;
    } catch (error) {
      ended(error);
      throw error;
    }
  };

/** What follows from an order belongs to its trace. */
function traceOfJob({ id = '', data }: Job<Partial<EventJob>>): string {
  const { fact } = data;
  return traceOf(fact && 'orderId' in fact ? `order ${fact.orderId}` : `job ${id}`);
}

class LoggingQueue extends Queue {
  constructor(name: string, options: QueueOptions) {
    super(name, options);
    this.on('error', logsErrors(name, 'Queue'));
  }
}
BullModule.queueClass = LoggingQueue;

/** Without a listener each error is printed with its stack. */
function logsErrors(queue: string, context: string): (error: Error) => void {
  const log = new Logger(context);
  const lines = new ThrottledLines((line) => log.warn({ msg: 'queue unreachable', queue, ...line }));
  return (error) => lines.add(outageKind(error), () => ({ error: serializeError(error) }));
}

const connectionOf = ({ env }: Config) => redisConnection(env.REDIS_URL, env.SENTINEL_PASSWORD);

/** BullMQ on Redis. A job that keeps failing leaves the queue; its event stays open in the outbox and is relayed again. */
export const queueModules = [
  BullModule.forRootAsync({
    // Otherwise jobs that are due run while the module starts, before the handlers of their commands are known.
    extraOptions: { manualRegistration: true },
    inject: [Config],
    useFactory: (config: Config) => ({
      prefix: config.env.REDIS_PREFIX,
      connection: { ...connectionOf(config), maxRetriesPerRequest: null, enableOfflineQueue: true },
      defaultJobOptions: {
        attempts: 5,
        backoff: { type: 'exponential', delay: 1_000, jitter: 0.3 },
        removeOnComplete: true,
        removeOnFail: true,
      },
    }),
  }),
  ...[EVENTS_QUEUE, MAIL_QUEUE, SCHEDULED_JOBS_QUEUE].map((name) =>
    BullModule.registerQueueAsync({
      name,
      inject: [Config],
      useFactory: (config: Config) => ({
        connection: { ...connectionOf(config), maxRetriesPerRequest: 1, enableOfflineQueue: false },
      }),
    }),
  ),
];
