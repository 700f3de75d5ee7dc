import { Module, type DynamicModule } from '@nestjs/common';
import { AppModule } from './app.module.js';
import { Chores } from './chores.js';
import { ProductDeliveries } from './deliveries.js';
import type { Config } from './platform/config.js';
import { Courier, LetterCourier } from './platform/couriers.js';
import { Deliverer } from './platform/deliverer.js';
import { Deliveries } from './platform/deliveries.js';
import { queueModules } from './platform/queue.js';
import { Relay } from './platform/relay.js';

/** The product plus what only a worker does. */
@Module({})
export class WorkerModule {
  static with(config: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [AppModule.with(config), ...queueModules],
      providers: [
        { provide: Deliveries, useClass: ProductDeliveries },
        ...[Deliverer, Courier, LetterCourier, Relay, Chores],
      ],
    };
  }
}
