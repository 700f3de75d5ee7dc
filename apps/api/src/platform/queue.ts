import { BullModule } from '@nestjs/bullmq';
import type { Fact } from '@yiqiao/domain/facts';
import { type Processor, Worker, type WorkerOptions } from 'bullmq';
import { Config } from './config.js';

export const DELIVERIES_QUEUE = 'deliveries';
export const CHORES_QUEUE = 'chores';

/** Ids only: nothing personal and nothing secret ever stands in Redis. */
export type DeliveryJob = { outboxId: number; fact: Fact };

/** Producers are told at once when Redis is away; a worker has nobody to tell, and waits until it is back. */
class PatientWorker extends Worker {
  constructor(name: string, processor: Processor, options: WorkerOptions) {
    super(name, processor, {
      ...options,
      connection: { ...options.connection, maxRetriesPerRequest: null, enableOfflineQueue: true },
    });
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
  ...[DELIVERIES_QUEUE, CHORES_QUEUE].map((name) =>
    BullModule.registerQueueAsync({
      name,
      inject: [Config],
      useFactory: (config: Config) => ({
        connection: { url: config.env.REDIS_URL, maxRetriesPerRequest: 1, enableOfflineQueue: false },
      }),
    }),
  ),
];
