import { Global, Module } from '@nestjs/common';
import { CheckCustomerServiceHandler } from './check-customer-service.js';
import { CustomerService } from './customer-service.js';
import { GetDataConfigHandler } from './get-data-config.js';
import { ListCustomerServiceHandler, ListServicePlatformsHandler } from './list-customer-service.js';
import { SaveDataConfigHandler } from './save-data-config.js';
import { SiteController } from './site.controller.js';
import { Site } from './site.js';

const handlers = [
  GetDataConfigHandler,
  SaveDataConfigHandler,
  ListServicePlatformsHandler,
  ListCustomerServiceHandler,
  CheckCustomerServiceHandler,
];

@Global()
@Module({
  controllers: [SiteController],
  providers: [Site, CustomerService, ...handlers],
  exports: [Site, CustomerService],
})
export class SiteModule {}
