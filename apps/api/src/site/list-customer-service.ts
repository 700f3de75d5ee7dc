import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listCustomerService } from '@yiqiao/contracts/site';
import { codePath } from './code-routes.js';
import type { Size } from './code-picture.js';
import { codeName, CustomerService } from './customer-service.js';

type Listed = Answer<typeof listCustomerService>;

export class ListCustomerService extends Query<Listed> {
  constructor(readonly size: Size) {
    super();
  }
}

@QueryHandler(ListCustomerService)
export class ListCustomerServiceHandler implements IQueryHandler<ListCustomerService> {
  constructor(private readonly service: CustomerService) {}

  async execute({ size }: ListCustomerService): Promise<Listed> {
    return (await this.service.listed()).map(({ platform, accountList }) => ({
      platform,
      accountList: accountList.map((each) => ({
        accountType: each.accountType,
        qrCode: codePath(codeName(each), size),
        referUrl: each.referUrl,
        account: each.account,
      })),
    }));
  }
}
