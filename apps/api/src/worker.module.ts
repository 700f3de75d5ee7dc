import { BullRegistrar } from '@nestjs/bullmq';
import { type DynamicModule, type INestApplicationContext, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { BackupModule } from './backup/backup.module.js';
import { OperatorsModule } from './operators/operators.module.js';
import { NightlyTasks } from './operators/today/nightly-tasks.js';
import { OPERATOR_ROLE } from './platform/database.js';
import { SessionGuard } from './platform/session-guard.js';
import { ProductEventRoutes } from './event-routes.js';
import type { Config } from './platform/config.js';
import { JobProcessor, MailProcessor } from './platform/job-processor.js';
import { OutboxRelay } from './platform/outbox-relay.js';
import { EventRoutes } from './platform/outbox.js';
import { queueModules } from './platform/queue.js';
import { ScheduledJobs } from './scheduled-jobs.js';
import { StateMetrics } from './state-metrics.js';
import { DeliveryWorker } from './webhooks/delivery-worker.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The product plus the worker's own providers. It also carries out what operators start, so it works in their role (docs/decisions/0056). */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        AppModule.with(config, { guard: SessionGuard, imports: [OperatorsModule], role: OPERATOR_ROLE }),
        ...queueModules,
        BackupModule,
        WebhooksModule,
      ],
      providers: [
        { provide: EventRoutes, useClass: ProductEventRoutes },
        JobProcessor,
        MailProcessor,
        OutboxRelay,
        DeliveryWorker,
        ScheduledJobs,
        NightlyTasks,
        StateMetrics,
      ],
    };
  }
}

/** The worker, at work. */
export async function buildWorker(config: Config, logger: LoggerService): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), { logger, abortOnError: false });
  app.get(BullRegistrar).register();
  return app;
}
