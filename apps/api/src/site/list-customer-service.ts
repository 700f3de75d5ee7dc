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

export class ListServicePlatforms extends Query<string[]> {}

/** Includes unlisted accounts, because visitors may check those as well. */
@QueryHandler(ListServicePlatforms)
export class ListServicePlatformsHandler implements IQueryHandler<ListServicePlatforms> {
  constructor(private readonly service: CustomerService) {}

  async execute(): Promise<string[]> {
    const used = (await this.service.all()).filter(({ accountList }) => accountList.length > 0);
    return [...new Set(used.map(({ platform }) => platform))];
  }
}
