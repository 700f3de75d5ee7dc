import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CustomerService } from './customer-service.js';

export class ListServicePlatforms extends Query<string[]> {}

/** Those that are shown to nobody count, too: an account on them may be one of ours. */
@QueryHandler(ListServicePlatforms)
export class ListServicePlatformsHandler implements IQueryHandler<ListServicePlatforms> {
  constructor(private readonly service: CustomerService) {}

  async execute(): Promise<string[]> {
    const used = (await this.service.all()).filter(({ accountList }) => accountList.length > 0);
    return [...new Set(used.map(({ platform }) => platform))];
  }
}
