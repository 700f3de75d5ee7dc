import { Global, Module } from '@nestjs/common';
import { ListSaleHandler } from './list-sale.js';
import { PlansController } from './plans.controller.js';
import { Plans } from './plans.js';

@Global()
@Module({ controllers: [PlansController], providers: [Plans, ListSaleHandler], exports: [Plans] })
export class PlansModule {}
