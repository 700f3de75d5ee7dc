import { BullModule } from '@nestjs/bullmq';
import type { Fact } from '@yiqiao/domain/facts';
import { Config } from './config.js';

export const DELIVERIES_QUEUE = 'deliveries';
export const CHORES_QUEUE = 'chores';

/** Ids only: nothing personal and nothing secret ever stands in Redis. */
export type DeliveryJob = { outboxId: number; fact: Fact };

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
  // Whoever adds is told at once when Redis is away; only workers wait for it.
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
