import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Mailer } from '../platform/mail.js';
import { passwordChangedMail } from './mail-messages.js';

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
