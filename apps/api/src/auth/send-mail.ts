import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Mailer } from '../platform/mail.js';
import { Vault } from '../platform/vault.js';
import { passwordChangedMail, verificationMail, type VerificationMail } from './mail-messages.js';
import { VerificationCode } from './verification-code.entity.js';

/** Mails a verification code. Runs in a job, which is retried when sending fails. */
export class SendVerificationMail extends Command<void> {
  constructor(readonly codeId: number) {
    super();
  }
}

@CommandHandler(SendVerificationMail)
export class SendVerificationMailHandler implements ICommandHandler<SendVerificationMail> {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: Vault,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** A mail that was sent has no content any more; one for an expired code is never sent. */
  async execute({ codeId }: SendVerificationMail): Promise<void> {
    const em = this.em.fork();
    const unsent = { id: codeId, sentAt: null, usedAt: null, expiresAt: { $gt: this.clock.now() } };
    const code = await em.findOne(VerificationCode, unsent);
    if (!code?.sealedLetter) return;
    const message = JSON.parse(this.vault.open(code.sealedLetter)) as VerificationMail;
    await this.mailer.send({ to: message.to, ...verificationMail(message) });
    await em.nativeUpdate(VerificationCode, { id: codeId }, { sentAt: this.clock.now(), sealedLetter: null });
  }
}

/** Mails the owner that a password was changed; a sub-account's owner is its main account. Runs in a job. */
export class SendPasswordNotice extends Command<void> {
  constructor(readonly userId: number) {
    super();
  }
}

@CommandHandler(SendPasswordNotice)
export class SendPasswordNoticeHandler implements ICommandHandler<SendPasswordNotice> {
  constructor(
    private readonly members: Members,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  async execute({ userId }: SendPasswordNotice): Promise<void> {
    const member = await this.members.find(userId);
    const to = member && (await this.members.mailboxOf(member));
    if (!to) return;
    const notice = passwordChangedMail(member.isMain() ? 'yours' : 'sub-account', this.clock.toWire(this.clock.now()));
    await this.mailer.send({ to, ...notice });
  }
}
