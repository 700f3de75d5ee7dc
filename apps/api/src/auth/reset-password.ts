import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type { resetPwdByVcode } from '@yiqiao/contracts/login';
import { Refusal } from '@yiqiao/domain/errors';
import { uniqueKey } from '@yiqiao/domain/members';
import { Members } from '../members/members.js';
import { RateLimits } from '../platform/rate-limits.js';
import { Passwords } from '../platform/passwords.js';
import { VerificationCodes } from './verification-codes.js';

/** Sets a new password by a mailed code; ends every session of the account (decisions §2). */
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
    await this.limits.take('lookupsPerIp', ip);
    const known = await this.members.findByAccount(form.email);
    const email = known?.isMain() ? await this.members.mailboxOf(known) : null;
    const key = `${known?.id ?? uniqueKey(form.email)}|${ip}`;
    await this.limits.check('resetTries', key);
    // A sub-account has no mailbox. Sub-accounts and unknown names look like an account with a wrong code.
    if (!known || email === null) throw await this.#failed(key);
    const codeId = await this.codes
      .check({ email, purpose: 'reset', code: form.vcode, ip })
      .catch(async (reason: unknown) => {
        throw reason instanceof Refusal && reason.code === 'VCODE_WRONG' ? await this.#failed(key) : reason;
      });
    const passwordHash = await this.passwords.hash(form.password);
    await this.em.fork().transactional(async (em) => {
      await this.codes.consume(em, codeId);
      await this.members.setPassword(em, known.id, passwordHash);
    });
    return true;
  }

  /**
   * Five tries a code and ten codes an hour are still many tries a day, so they are limited as well: per mailbox and address,
   * because a limit of the mailbox alone would let any stranger keep its owner out.
   */
  async #failed(key: string): Promise<Refusal> {
    await this.limits.count('resetTries', key);
    return new Refusal('VCODE_WRONG');
  }
}
