import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { failpoint } from '../../platform/failpoint.js';
import { Mailer } from '../../platform/mail.js';
import { Members } from '../members.js';
import { reminderMail, type ReminderSubject } from './mail-messages.js';
import { Reminder } from './reminder.entity.js';

/** Mails the owner of an account that its balance is low or its package ends. Runs in a job. */
export class SendReminder extends Command<void> {
  constructor(readonly reminderId: number) {
    super();
  }
}

type Row = {
  user_id: number;
  told_at: Date;
  char_num: number | null;
  least: number | null;
  expire_at: Date | null;
};

/** No row when it was sent before, or the member has switched mail off. Raw: an UPDATE that depends on another table. */
const CLAIM = `
UPDATE reminder SET mailed_at = now() WHERE id = ? AND mailed_at IS NULL
  AND NOT EXISTS (SELECT FROM member_reminder r WHERE r.user_id = reminder.user_id AND r.by_mail IS FALSE)
RETURNING user_id, told_at, char_num, least, expire_at`;

/**
 * Sends at most one mail per reminder: marks it as sent before calling the mail server, and resets the mark when that fails. A crash in
 * between loses the mail rather than sending it twice; the console shows the reminder as well.
 */
@CommandHandler(SendReminder)
export class SendReminderHandler implements ICommandHandler<SendReminder> {
  constructor(
    private readonly em: EntityManager,
    private readonly members: Members,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async execute({ reminderId }: SendReminder): Promise<void> {
    const em = this.em.fork();
    const [row] = await em.execute<Row[]>(CLAIM, [reminderId]);
    const member = row && (await this.members.find(row.user_id));
    const to = member && (await this.members.mailboxOf(member));
    if (!to) return;
    try {
      await this.mailer.send({ to, ...reminderMail(this.#subjectOf(row), this.config.publicUrl) });
    } catch (error) {
      await em.nativeUpdate(Reminder, { id: reminderId }, { mailedAt: null });
      throw error;
    }
    failpoint('after-mail');
  }

  #subjectOf({ told_at: toldAt, char_num: charNum, least, expire_at: expireAt }: Row): ReminderSubject {
    const at = this.clock.toWire(new Date(toldAt));
    if (expireAt !== null) return { expireAt: this.clock.toWire(new Date(expireAt)), at };
    return { charNum: Number(charNum), least: Number(least), at };
  }
}
