import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { listSale } from '@yiqiao/contracts/plans';
import { Endpoint, Input } from '../platform/endpoint.js';
import { ListSale } from './list-sale.js';

@Controller()
export class PlansController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(listSale)
  listSale(@Input(listSale) _: InputOf<typeof listSale>) {
    return this.queries.execute(new ListSale());
  }
}
