import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { resetPwdByVcode } from '@yiqiao/contracts/login';
import { Refusal } from '@yiqiao/domain/errors';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Passwords } from '../platform/passwords.js';
import { recoverable } from './recoverable.js';
import { VerificationCodes } from './verification-codes.js';

/** A new password for whoever can read the mailbox; ends every session of the account (decisions §2). */
export class ResetPassword extends Command<true> {
  constructor(
    readonly form: Input<typeof resetPwdByVcode>,
    readonly ip: string,
  ) {
    super();
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly codes: VerificationCodes,
    private readonly passwords: Passwords,
    private readonly limits: RateLimits,
  ) {}

  async execute({ form, ip }: ResetPassword): Promise<true> {
    const known = await recoverable(this.members, form.email);
    // No code can exist for nobody: this route says no more about accounts than findEmail does.
    if (!known) throw new Refusal('VCODE_WRONG');
    const { member, email } = known;
    const codeId = await this.#checked({ key: `${member.id}|${ip}`, email, vcode: form.vcode });
    const passwordHash = await this.passwords.hash(form.password);
    await this.em.fork().transactional(async (em) => {
      await this.codes.consume(em, codeId);
      await this.members.setPassword(em, member.id, passwordHash);
    });
    return true;
  }

  /**
   * Five tries a code and ten codes an hour are still many tries a day, so they are limited as well: per mailbox and address,
   * because a limit of the mailbox alone would let any stranger keep its owner out.
   */
  async #checked({ key, ...guess }: { key: string; email: string; vcode: string }): Promise<number> {
    await this.limits.check('resetTries', key);
    return this.codes.check(guess.email, 'reset', guess.vcode).catch(async (reason: unknown) => {
      if (reason instanceof Refusal && reason.code === 'VCODE_WRONG') await this.limits.count('resetTries', key);
      throw reason;
    });
  }
}
