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

/** Exact match after the same normalization, so that look-alikes fail. Rate-limited against enumeration. */
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

/** The normalization of the contract. */
const plain = (text: string): string => tidy(text.normalize('NFKC'));
