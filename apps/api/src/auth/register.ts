import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { register } from '@yiqiao/contracts/login';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Passwords } from '../platform/passwords.js';
import { VerificationCodes } from './verification-codes.js';

type Registered = Answer<typeof register>;

export class Register extends Command<Registered> {
  constructor(
    readonly form: Input<typeof register>,
    readonly ip: string,
  ) {
    super();
  }
}

@CommandHandler(Register)
export class RegisterHandler implements ICommandHandler<Register> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly codes: VerificationCodes,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
  ) {}

  async execute({ form, ip }: Register): Promise<Registered> {
    const { username, account: email, vcode, nickname = username, inviteCode } = form;
    await this.limits.take('registerPerIp', ip);
    // Names first: do not spend a try of the code on a form that will be refused.
    await this.members.requireFree({ username, email });
    const codeId = await this.codes.check({ email, purpose: 'register', code: vcode, ip });
    const passwordHash = await this.passwords.hash(form.password);
    return this.em.fork().transactional(async (em) => {
      await this.codes.consume(em, codeId);
      return { userId: await this.members.createMain(em, { username, email, nickname, passwordHash, inviteCode }) };
    });
  }
}
