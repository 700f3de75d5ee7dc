import type { EntityManager } from '@mikro-orm/postgresql';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getUser } from '@yiqiao/contracts/user';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';

type Reminders = Answer<typeof getUser>['reminders'];
type Row = { low_char_num: number | null; expiry_days: number | null; by_mail: boolean | null };

/** A member's reminder thresholds, or their defaults. A sub-account has no mailbox. */
export async function remindersOf(em: EntityManager, member: { id: number; isMain: boolean }): Promise<Reminders> {
  const [row] = await em.execute<Row[]>(
    'SELECT low_char_num, expiry_days, by_mail FROM member_reminder WHERE user_id = ?',
    [member.id],
  );
  const { lowCharNum, expiryDays, byMail } = REMINDER_DEFAULTS;
  return {
    lowCharNum: Number(row?.low_char_num ?? lowCharNum),
    expiryDays: row?.expiry_days ?? expiryDays,
    byMail: member.isMain && (row?.by_mail ?? byMail === 1) ? 1 : 0,
  };
}
