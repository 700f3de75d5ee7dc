import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '@yiqiao/domain/errors';
import { maskEmail } from '@yiqiao/domain/members';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';
import { lookUpLogin } from './login-lookup.js';

/** The mailbox of an account for a password reset; masked unless the address itself was given (decisions §3). */
export class FindEmail extends Query<string> {
  constructor(
    readonly accountOrEmail: string,
    readonly ip: string,
  ) {
    super();
  }
}

@QueryHandler(FindEmail)
export class FindEmailHandler implements IQueryHandler<FindEmail> {
  constructor(
    private readonly members: Members,
    private readonly limits: RateLimits,
  ) {}

  async execute({ accountOrEmail, ip }: FindEmail): Promise<string> {
    await this.limits.take('lookupsPerIp', ip);
    const known = await lookUpLogin(this.members, accountOrEmail);
    if (!known) throw new Refusal('NO_RESULT');
    return accountOrEmail.includes('@') ? known.email : maskEmail(known.email);
  }
}
