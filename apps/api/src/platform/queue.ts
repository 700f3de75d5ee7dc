import { BullModule } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Fact } from '@yiqiao/domain/facts';
import { type Processor, Worker, type WorkerOptions } from 'bullmq';
import { Config } from './config.js';
import { plainly } from './logger.js';

export const DELIVERIES_QUEUE = 'deliveries';
export const LETTERS_QUEUE = 'letters';
export const CHORES_QUEUE = 'chores';

/** Ids only: nothing personal and nothing secret ever stands in Redis. */
export type DeliveryJob = { outboxId: number; fact: Fact };

/**
 * Producers are told at once when Redis is away; a worker has nobody to tell, and waits until it is back. With the producers' connection
 * one that met a socket that was just ending would ask again and again in the same turn of the event loop, and never hear of its end.
 */
class PatientWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions) {
    super(name, processor, {
      ...options,
      connection: { ...options.connection, maxRetriesPerRequest: null, enableOfflineQueue: true },
    });
    const log = new Logger('Worker');
    // Without a listener each of these is printed with its stack.
    this.on('error', (error) => log.warn({ msg: 'the queue was out of reach', queue: name, error: plainly(error) }));
  }
}
// The module would start workers with the connection of the queue's producers.
BullModule.workerClass = PatientWorker;

/** BullMQ on Redis. A job that keeps failing leaves the queue; its fact stays open in the outbox and is carried again. */
export const queueModules = [
  BullModule.forRootAsync({
    inject: [Config],
    useFactory: (config: Config) => ({
      prefix: config.env.REDIS_PREFIX,
      connection: { url: config.env.REDIS_URL, maxRetriesPerRequest: null, enableOfflineQueue: true },
      defaultJobOptions: {
        attempts: 5,
        backoff: { type: 'exponential', delay: 1_000, jitter: 0.3 },
        removeOnComplete: true,
        removeOnFail: true,
      },
    }),
  }),
  ...[DELIVERIES_QUEUE, LETTERS_QUEUE, CHORES_QUEUE].map((name) =>
    BullModule.registerQueueAsync({
      name,
      inject: [Config],
      useFactory: (config: Config) => ({
        connection: { url: config.env.REDIS_URL, maxRetriesPerRequest: 1, enableOfflineQueue: false },
      }),
    }),
  ),
];
