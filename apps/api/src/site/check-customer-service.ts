import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { checkCustomerService } from '@yiqiao/contracts/site';
import type { ClientInfo } from '../platform/endpoint.js';
import { RateLimits } from '../platform/rate-limits.js';
import { CustomerService, plain } from './customer-service.js';

export class CheckCustomerService extends Query<boolean> {
  constructor(
    readonly input: Input<typeof checkCustomerService>,
    readonly client: ClientInfo,
  ) {
    super();
  }
}

/** Rate-limited against enumeration. */
@QueryHandler(CheckCustomerService)
export class CheckCustomerServiceHandler implements IQueryHandler<CheckCustomerService> {
  constructor(
    private readonly service: CustomerService,
    private readonly rates: RateLimits,
  ) {}

  async execute({ input: { platform, account }, client }: CheckCustomerService): Promise<boolean> {
    await this.rates.take('serviceChecks', client.ip);
    await this.rates.take('serviceChecksPerDay', client.ip);
    return (await this.service.find(account)).some((found) => plain(found.platform) === platform);
  }
}
