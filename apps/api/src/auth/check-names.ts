import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';

/** Whether an address is free to register (specification §7: truthy if available). */
export class CheckAccount extends Query<boolean> {
  constructor(
    readonly email: string,
    readonly ip: string,
  ) {
    super();
  }
}

@QueryHandler(CheckAccount)
export class CheckAccountHandler implements IQueryHandler<CheckAccount> {
  constructor(
    private readonly members: Members,
    private readonly limits: RateLimits,
  ) {}

  async execute({ email, ip }: CheckAccount): Promise<boolean> {
    await this.limits.take('lookupsPerIp', ip);
    return this.members.isFree('email', email);
  }
}

/** Whether a username is free, among main accounts and sub-accounts alike (specification §7: truthy if available). */
export class CheckUsername extends Query<boolean> {
  constructor(
    readonly username: string,
    readonly ip: string,
  ) {
    super();
  }
}

@QueryHandler(CheckUsername)
export class CheckUsernameHandler implements IQueryHandler<CheckUsername> {
  constructor(
    private readonly members: Members,
    private readonly limits: RateLimits,
  ) {}

  async execute({ username, ip }: CheckUsername): Promise<boolean> {
    await this.limits.take('lookupsPerIp', ip);
    return this.members.isFree('username', username);
  }
}
