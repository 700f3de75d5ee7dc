import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Language } from '@yiqiao/contracts/envelope';
import { Refusal } from '@yiqiao/domain/errors';
import { isEmail, isUsername } from '@yiqiao/domain/members';
import { Members } from '../members/members.js';
import { Outbox } from '../platform/outbox.js';
import { RateLimits } from '../platform/rate-limits.js';
import { lookUpLogin } from './login-lookup.js';
import type { Purpose } from './verification-code.entity.js';
import { VerificationCodes } from './verification-codes.js';

/** Mails a code: to register with for an unknown address, to reset the password for a known account (decisions §3). */
export class SendCode extends Command<true> {
  constructor(
    readonly account: string,
    readonly client: { ip: string; language: Language },
  ) {
    super();
  }
}

@CommandHandler(SendCode)
export class SendCodeHandler implements ICommandHandler<SendCode> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly codes: VerificationCodes,
    private readonly outbox: Outbox,
    private readonly limits: RateLimits,
  ) {}

  async execute({ account, client }: SendCode): Promise<true> {
    await this.limits.take('codesPerIp', client.ip);
    const mail = await this.#addressee(account);
    await this.em.fork().transactional(async (em) => {
      const codeId = await this.codes.issue(em, { ...mail, language: client.language });
      await this.outbox.record(em, { type: 'VerificationCodeIssued', codeId });
    });
    return true;
  }

  async #addressee(account: string): Promise<{ to: string; purpose: Purpose }> {
    const known = await lookUpLogin(this.members, account);
    if (known) return { to: known.email, purpose: 'reset' };
    if (isEmail(account)) return { to: account, purpose: 'register' };
    if (isUsername(account)) throw new Refusal('NO_RESULT');
    throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'account', code: 'EMAIL_FORMAT' }] });
  }
}

/** Mails a member the code to reset the password with, for an operator. `record` notes it in the same transaction. Throws SUB_WITHOUT_MAILBOX. */
export class MailResetCode extends Command<true> {
  constructor(
    readonly userId: number,
    readonly record: (em: EntityManager) => Promise<unknown>,
  ) {
    super();
  }
}

@CommandHandler(MailResetCode)
export class MailResetCodeHandler implements ICommandHandler<MailResetCode> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly codes: VerificationCodes,
    private readonly outbox: Outbox,
  ) {}

  async execute({ userId, record }: MailResetCode): Promise<true> {
    await this.em.fork().transactional(async (em) => {
      const member = await this.members.lock(em, userId);
      if (!member) throw new Refusal('NOT_FOUND');
      const to = member.isMain() ? await this.members.mailboxOf(member) : null;
      if (to === null) throw new Refusal('SUB_WITHOUT_MAILBOX');
      const codeId = await this.codes.issue(em, { to, purpose: 'reset', language: member.language ?? 'zh' });
      await this.outbox.record(em, { type: 'VerificationCodeIssued', codeId });
      await record(em);
    });
    return true;
  }
}
