import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';

/** Creates reminders for main accounts that crossed a threshold. A scheduled job runs it; concurrent runs are safe. */
export class WatchBalances extends Command<void> {}

@CommandHandler(WatchBalances)
export class WatchBalancesHandler implements ICommandHandler<WatchBalances> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    for (const statement of [REFILLED, LOW, ENDING]) await em.execute(statement);
  }
}

/** Reminders per run; the rest follows in the next. */
const BATCH = 1_000;
const THRESHOLD = `coalesce(r.low_char_num, ${REMINDER_DEFAULTS.lowCharNum})`;
const BY_MAIL = `coalesce(r.by_mail, ${REMINDER_DEFAULTS.byMail === 1})`;

const EVENTS = `INSERT INTO outbox (fact)
SELECT jsonb_build_object('type', 'ReminderDue', 'reminderId', id) FROM due_mail`;

/**
 * Resets the mark of balances that recovered since the reminder, even for a moment between two runs: the ledger shows it. For the others,
 * advances the mark to the last entry examined. Raw, like the next two: bulk statements.
 */
const REFILLED = `
UPDATE member_reminder r SET low_told_seq = CASE WHEN a.usable_char_num >= ${THRESHOLD} OR EXISTS (
    SELECT FROM account_log l
    WHERE l.user_id = r.user_id AND l.seq > r.low_told_seq AND l.seq <= a.entry_seq AND l.last_char >= ${THRESHOLD})
  THEN NULL ELSE a.entry_seq END
FROM member_account a
WHERE a.user_id = r.user_id AND r.low_told_seq IS NOT NULL
  AND (a.entry_seq > r.low_told_seq OR a.usable_char_num >= ${THRESHOLD})`;

// In both: one statement writes the mark and the event that sends the mail, so of two concurrent runs the second finds the mark. The whole
// balance counts, holds included, because they come and go with every translation. An account without movements has not dropped, unless its
// member has set a threshold.
// Members without settings are found by scanning the accounts with the default threshold, the others by their settings row: a threshold that
// differs by row would make the scan several times as expensive.
const LOW = `
WITH due AS (
  SELECT a.user_id, a.family_id, a.usable_char_num, a.entry_seq
  FROM (
    SELECT a.* FROM member_account a LEFT JOIN member_reminder r ON r.user_id = a.user_id
    WHERE a.usable_char_num < ${REMINDER_DEFAULTS.lowCharNum} AND a.entry_seq > 1
      AND r.low_char_num IS NULL AND r.low_told_seq IS NULL
    UNION ALL
    SELECT a.* FROM member_reminder r JOIN member_account a ON a.user_id = r.user_id
    WHERE a.usable_char_num < r.low_char_num AND r.low_told_seq IS NULL
  ) AS a JOIN member m ON m.id = a.user_id
  WHERE a.user_id = a.family_id AND m.closed_at IS NULL AND a.billing_mode = 1
    AND (a.expire_at IS NULL OR a.expire_at > now())
  ORDER BY a.user_id LIMIT ${BATCH}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, low_told_seq) SELECT user_id, family_id, entry_seq FROM due
  ON CONFLICT (user_id) DO UPDATE SET low_told_seq = excluded.low_told_seq WHERE r.low_told_seq IS NULL
  RETURNING user_id, ${THRESHOLD} AS least, ${BY_MAIL} AS by_mail
), due_mail AS (
  INSERT INTO reminder (user_id, family_id, char_num, least)
  SELECT user_id, family_id, usable_char_num, least FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
) ${EVENTS}`;

const ENDING = `
WITH due AS (
  SELECT a.user_id, a.family_id, a.expire_at
  FROM (
    SELECT a.* FROM member_account a LEFT JOIN member_reminder r ON r.user_id = a.user_id
    WHERE a.expire_at > now() AND a.expire_at <= now() + make_interval(days => ${REMINDER_DEFAULTS.expiryDays})
      AND r.expiry_days IS NULL AND r.expiry_told_for IS DISTINCT FROM a.expire_at
    UNION ALL
    SELECT a.* FROM member_reminder r JOIN member_account a ON a.user_id = r.user_id
    WHERE a.expire_at > now() AND a.expire_at <= now() + make_interval(days => r.expiry_days)
      AND r.expiry_told_for IS DISTINCT FROM a.expire_at
  ) AS a JOIN member m ON m.id = a.user_id
  WHERE a.user_id = a.family_id AND m.closed_at IS NULL
  ORDER BY a.user_id LIMIT ${BATCH}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, expiry_told_for) SELECT user_id, family_id, expire_at FROM due
  ON CONFLICT (user_id) DO UPDATE SET expiry_told_for = excluded.expiry_told_for
    WHERE r.expiry_told_for IS DISTINCT FROM excluded.expiry_told_for
  RETURNING user_id, ${BY_MAIL} AS by_mail
), due_mail AS (
  INSERT INTO reminder (user_id, family_id, expire_at)
  SELECT user_id, family_id, expire_at FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
) ${EVENTS}`;
