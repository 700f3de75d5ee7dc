import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { changeReminders } from '@yiqiao/contracts/reminders';
import type { getUser } from '@yiqiao/contracts/user';
import { Refusal } from '@yiqiao/domain/errors';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { MemberReminder } from './reminder.entity.js';

type Reminders = Answer<typeof getUser>['reminders'];

/** A member's reminder thresholds, or their defaults. A sub-account has no mailbox. */
export async function remindersOf(em: EntityManager, member: { id: number; isMain: boolean }): Promise<Reminders> {
  const settings = await em.findOne(MemberReminder, { userId: member.id }, { disableIdentityMap: true });
  const { lowCharNum, expiryDays, byMail } = REMINDER_DEFAULTS;
  return {
    lowCharNum: settings?.lowCharNum ?? lowCharNum,
    expiryDays: settings?.expiryDays ?? expiryDays,
    byMail: member.isMain && (settings?.byMail ?? byMail === 1) ? 1 : 0,
  };
}

/** Sets a member's reminder thresholds. */
export class ChangeReminders extends Command<true> {
  constructor(
    readonly member: { id: number; isMain: boolean },
    readonly reminders: Input<typeof changeReminders>,
  ) {
    super();
  }
}

/**
 * Keeps the marks of reminders already sent, so that nobody is reminded twice of the same drop, unless the balance is not below the old
 * threshold and the new one, or the expiry is not within the new days: then the new threshold has yet to be crossed. Raw: an upsert from a
 * SELECT … FOR SHARE.
 */
const CHANGE = `
INSERT INTO member_reminder AS r (user_id, family_id, low_char_num, expiry_days, by_mail, to_check)
SELECT id, family_id, ?, ?, ?, true FROM member WHERE id = ? AND closed_at IS NULL FOR SHARE
ON CONFLICT (user_id) DO UPDATE SET
  low_char_num = excluded.low_char_num, expiry_days = excluded.expiry_days, by_mail = excluded.by_mail,
  to_check = true,
  low_told_seq = (SELECT CASE WHEN a.usable_char_num < least(coalesce(r.low_char_num, ${REMINDER_DEFAULTS.lowCharNum}), excluded.low_char_num)
    THEN r.low_told_seq END FROM member_account a WHERE a.user_id = r.user_id),
  expiry_told_for = (SELECT CASE WHEN a.expire_at <= now() + make_interval(days => excluded.expiry_days)
    THEN r.expiry_told_for END FROM member_account a WHERE a.user_id = r.user_id)`;

@CommandHandler(ChangeReminders)
export class ChangeRemindersHandler implements ICommandHandler<ChangeReminders> {
  constructor(private readonly em: EntityManager) {}

  async execute({ member, reminders }: ChangeReminders): Promise<true> {
    const { lowCharNum, expiryDays, byMail } = reminders;
    if (byMail === 1 && !member.isMain) throw new Refusal('NO_MAILBOX');
    await this.em.fork().execute(CHANGE, [lowCharNum, expiryDays, byMail === 1, member.id]);
    return true;
  }
}
