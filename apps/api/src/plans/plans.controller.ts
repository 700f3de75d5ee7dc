import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { listSale } from '@yiqiao/contracts/plans';
import { Endpoint } from '../platform/endpoint.js';
import { ListSale } from './list-sale.js';

@Controller()
export class PlansController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(listSale)
  listSale() {
    return this.queries.execute(new ListSale());
  }
}
