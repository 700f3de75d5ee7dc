import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REMINDER_DEFAULTS } from '@yiqiao/domain/limits';

/** Finds the main accounts that have crossed what they want to be warned of. A repeating job sends it; it may run several times at once. */
export class WatchBalances extends Command<void> {}

@CommandHandler(WatchBalances)
export class WatchBalancesHandler implements ICommandHandler<WatchBalances> {
  constructor(private readonly em: EntityManager) {}

  async execute(): Promise<void> {
    const em = this.em.fork();
    for (const statement of [REFILLED, LOW, ENDING]) await em.execute(statement);
  }
}

/** Who is told in one turn; more of them at the next. */
const AT_ONCE = 1_000;
const LEAST = `coalesce(r.low_char_num, ${REMINDER_DEFAULTS.lowCharNum})`;
const BY_MAIL = `coalesce(r.by_mail, ${REMINDER_DEFAULTS.byMail === 1})`;

const FACTS = `INSERT INTO outbox (fact)
SELECT jsonb_build_object('type', 'ReminderDue', 'reminderId', id) FROM due_letters`;

/**
 * Whose balance was high enough again since it was told, if only for a moment between two turns: the ledger knows. The others' entries
 * have been looked through up to here.
 */
const REFILLED = `
UPDATE member_reminder r SET low_told_seq = CASE WHEN a.usable_char_num >= ${LEAST} OR EXISTS (
    SELECT FROM account_log l
    WHERE l.user_id = r.user_id AND l.seq > r.low_told_seq AND l.seq <= a.entry_seq AND l.last_char >= ${LEAST})
  THEN NULL ELSE a.entry_seq END
FROM member_account a
WHERE a.user_id = r.user_id AND r.low_told_seq IS NOT NULL
  AND (a.entry_seq > r.low_told_seq OR a.usable_char_num >= ${LEAST})`;

// In both: what is told and the fact from which the letter follows are written by one statement, and of two that run at once the second
// finds it told. The whole balance counts, not what is free of it: a hold comes and goes with every translation. An account that never
// moved has not fallen, unless its member has said what low is.
// Whoever never said anything is found by a plain look over the accounts, whoever did by its row: a bound that differs from row to row would
// make the look over all of them several times as dear.
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
  ORDER BY a.user_id LIMIT ${AT_ONCE}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, low_told_seq) SELECT user_id, family_id, entry_seq FROM due
  ON CONFLICT (user_id) DO UPDATE SET low_told_seq = excluded.low_told_seq WHERE r.low_told_seq IS NULL
  RETURNING user_id, ${LEAST} AS least, ${BY_MAIL} AS by_mail
), due_letters AS (
  INSERT INTO reminder (user_id, family_id, char_num, least)
  SELECT user_id, family_id, usable_char_num, least FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
) ${FACTS}`;

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
  ORDER BY a.user_id LIMIT ${AT_ONCE}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, expiry_told_for) SELECT user_id, family_id, expire_at FROM due
  ON CONFLICT (user_id) DO UPDATE SET expiry_told_for = excluded.expiry_told_for
    WHERE r.expiry_told_for IS DISTINCT FROM excluded.expiry_told_for
  RETURNING user_id, ${BY_MAIL} AS by_mail
), due_letters AS (
  INSERT INTO reminder (user_id, family_id, expire_at)
  SELECT user_id, family_id, expire_at FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
) ${FACTS}`;
