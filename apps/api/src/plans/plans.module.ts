import { Global, Module } from '@nestjs/common';
import { ChangePrices } from './change-prices.js';
import { ListSaleHandler } from './list-sale.js';
import { PlansController } from './plans.controller.js';
import { Plans } from './plans.js';

@Global()
@Module({
  controllers: [PlansController],
  providers: [Plans, ChangePrices, ListSaleHandler],
  exports: [Plans, ChangePrices],
})
export class PlansModule {}
