import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { checkCustomerService } from '@yiqiao/contracts/site';
import { tidy } from '@yiqiao/domain/members';
import type { ClientInfo } from '../platform/endpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { CustomerService } from './customer-service.js';

export class CheckCustomerService extends Query<boolean> {
  constructor(
    readonly input: Input<typeof checkCustomerService>,
    readonly client: ClientInfo,
  ) {
    super();
  }
}

/** Letter by letter, after both were tidied alike: whoever looks like one of ours is not. Nobody may try names without end. */
@QueryHandler(CheckCustomerService)
export class CheckCustomerServiceHandler implements IQueryHandler<CheckCustomerService> {
  constructor(
    private readonly service: CustomerService,
    private readonly rates: RateLimits,
  ) {}

  async execute({ input: { platform, account }, client }: CheckCustomerService): Promise<boolean> {
    await this.rates.take('serviceChecks', client.ip);
    await this.rates.take('serviceChecksPerDay', client.ip);
    return (await this.service.all()).some(
      (row) => plain(row.platform) === platform && row.accountList.some((each) => plain(each.account) === account),
    );
  }
}

/** As the request is tidied by its contract. */
const plain = (text: string): string => tidy(text.normalize('NFKC'));
