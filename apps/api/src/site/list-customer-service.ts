import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import { serviceRows, type CodeSize } from '@yiqiao/contracts/service-codes';
import type { listCustomerService } from '@yiqiao/contracts/site';
import { CustomerService, sha256 } from './customer-service.js';

type Listed = Answer<typeof listCustomerService>;

export class ListCustomerService extends Query<Listed> {
  constructor(readonly size: CodeSize) {
    super();
  }
}

@QueryHandler(ListCustomerService)
export class ListCustomerServiceHandler implements IQueryHandler<ListCustomerService> {
  constructor(private readonly service: CustomerService) {}

  async execute({ size }: ListCustomerService): Promise<Listed> {
    return serviceRows(await this.service.all(), size, sha256);
  }
}
