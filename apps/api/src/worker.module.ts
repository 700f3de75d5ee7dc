import { Module, type DynamicModule } from '@nestjs/common';
import { AppModule } from './app.module.js';
import { ProductEventRoutes } from './event-routes.js';
import type { Config } from './platform/config.js';
import { JobProcessor, MailProcessor } from './platform/job-processor.js';
import { OutboxRelay } from './platform/outbox-relay.js';
import { EventRoutes } from './platform/outbox.js';
import { queueModules } from './platform/queue.js';
import { ScheduledJobs } from './scheduled-jobs.js';

/** The product plus the worker's own providers. */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [AppModule.with(config), ...queueModules],
      providers: [
        { provide: EventRoutes, useClass: ProductEventRoutes },
        JobProcessor,
        MailProcessor,
        OutboxRelay,
        ScheduledJobs,
      ],
    };
  }
}
