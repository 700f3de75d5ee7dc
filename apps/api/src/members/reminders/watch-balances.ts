import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { REMINDER_DAYS_MAX, REMINDER_DEFAULTS } from '@yiqiao/domain/limits';
import { type Changes, ChangedAccounts } from '../../ledger/ledger.js';
import { lockKey } from '../../platform/database.js';

/**
 * Creates reminders for main accounts that crossed a threshold. A scheduled job runs it; concurrent runs are safe. It looks at the accounts that
 * moved since the last run, whose thresholds were changed, or whose package has come near its end: nothing else can have crossed anything.
 */
export class WatchBalances extends Command<void> {}

@CommandHandler(WatchBalances)
export class WatchBalancesHandler implements ICommandHandler<WatchBalances> {
  constructor(
    private readonly em: EntityManager,
    private readonly changed: ChangedAccounts,
  ) {}

  async execute(): Promise<void> {
    await this.changed.since('watch-balances', (changes) =>
      this.em.fork().transactional(async (em) => {
        await lockKey(em, 'watch balances');
        await watch(em, changes);
      }),
    );
  }
}

async function watch(em: EntityManager, { userIds, after, at }: Changes): Promise<void> {
  // A member who changes a threshold meanwhile waits for this row, and is looked at by the next run.
  const checks = await em.execute<Ids>(TAKE_CHECKS);
  const moved = among(userIds && [...userIds, ...idsOf(checks)]);
  // By a statement of its own: the planner cannot know how narrow the ranges are, and would read every account for the rest.
  const nearer = userIds === null ? [] : idsOf(await em.execute<Ids>(NEARER, [after, at]));
  const near = among(userIds && [...userIds, ...idsOf(checks), ...nearer]);
  await em.execute(refilled(moved.sql), moved.values);
  await em.execute(toppedUp(moved.sql), moved.values);
  await tellAll(em, low(moved.sql), moved.values);
  await tellAll(em, exhausted(moved.sql), moved.values);
  await tellAll(em, ending(near.sql), [...near.values, at, at]);
}

type Ids = { user_id: number }[];
const idsOf = (rows: Ids): number[] => rows.map((row) => Number(row.user_id));

/** The candidates of a statement; null: every account. */
const among = (userIds: readonly number[] | null): { sql: string; values: string[] } =>
  userIds === null ? { sql: ALL, values: [] } : { sql: SOME, values: [`{${[...new Set(userIds)].join(',')}}`] };

/** In steps, so that no statement takes long. */
async function tellAll(em: EntityManager, statement: string, values: unknown[]): Promise<void> {
  for (;;) {
    const [told] = await em.execute<{ due: number }[]>(statement, values);
    if (!told || told.due < BATCH) return;
  }
}

/** Reminders of one statement. */
const BATCH = 1_000;
const THRESHOLD = `coalesce(r.low_char_num, ${REMINDER_DEFAULTS.lowCharNum})`;
const DAYS = `coalesce(r.expiry_days, ${REMINDER_DEFAULTS.expiryDays})`;
const BY_MAIL = `coalesce(r.by_mail, ${REMINDER_DEFAULTS.byMail === 1})`;

const TAKE_CHECKS = 'UPDATE member_reminder SET to_check = false WHERE to_check RETURNING user_id';

const ALL = 'SELECT user_id FROM member_account';
const SOME = 'SELECT unnest(?::bigint[]) AS user_id';
// Packages that have come within some number of days since the last run, in narrow ranges of the index; whether it is their member's number is
// judged with the others.
const NEARER = `
SELECT a.user_id FROM generate_series(0, ${REMINDER_DAYS_MAX}) AS days CROSS JOIN LATERAL (
  SELECT user_id FROM member_account
  WHERE expire_at > (?::timestamp AT TIME ZONE 'UTC') + make_interval(days => days)
    AND expire_at <= (?::timestamp AT TIME ZONE 'UTC') + make_interval(days => days)
) AS a`;

const EVENTS = `INSERT INTO outbox (fact)
SELECT jsonb_build_object('type', 'ReminderDue', 'reminderId', id) FROM due_mail RETURNING id`;
const COUNT = 'SELECT count(*)::int AS due FROM due';

/** The event of each crossing, whether it is mailed or not, of families that have webhooks. Raw: their table belongs to webhooks. */
const told = (type: string, fields: string): string => `INSERT INTO outbox (fact)
SELECT jsonb_build_object('type', '${type}', 'userId', user_id, 'familyId', family_id, ${fields},
  'at', (extract(epoch FROM now()) * 1000)::bigint)
FROM told JOIN due USING (user_id) WHERE EXISTS (SELECT FROM webhook_endpoint w WHERE w.family_id = due.family_id) RETURNING id`;

/**
 * Resets the mark of balances that recovered since the reminder, even for a moment between two runs: the ledger shows it. For the others,
 * advances the mark to the last entry examined. Raw, like the next two: bulk statements.
 */
const refilled = (candidates: string): string => `
UPDATE member_reminder r SET low_told_seq = CASE WHEN a.usable_char_num >= ${THRESHOLD} OR EXISTS (
    SELECT FROM account_log l
    WHERE l.user_id = r.user_id AND l.seq > r.low_told_seq AND l.seq <= a.entry_seq AND l.last_char >= ${THRESHOLD})
  THEN NULL ELSE a.entry_seq END
FROM (${candidates}) AS candidate JOIN member_account a ON a.user_id = candidate.user_id
WHERE a.user_id = r.user_id AND r.low_told_seq IS NOT NULL
  AND (a.entry_seq > r.low_told_seq OR a.usable_char_num >= ${THRESHOLD})`;

// In both: one statement writes the mark and the event that sends the mail, so of two concurrent runs the second finds the mark. The whole
// balance counts, holds included, because they come and go with every translation. An account without movements has not dropped, unless its
// member has set a threshold.
const low = (candidates: string): string => `
WITH due AS (
  SELECT a.user_id, a.family_id, a.usable_char_num, a.entry_seq
  FROM (${candidates}) AS candidate JOIN member_account a ON a.user_id = candidate.user_id JOIN member m ON m.id = a.user_id
    LEFT JOIN member_reminder r ON r.user_id = a.user_id
  WHERE a.usable_char_num < ${THRESHOLD} AND (a.entry_seq > 1 OR r.low_char_num IS NOT NULL) AND r.low_told_seq IS NULL
    AND a.user_id = a.family_id AND m.closed_at IS NULL AND a.billing_mode = 1
    AND (a.expire_at IS NULL OR a.expire_at > now())
  ORDER BY a.user_id LIMIT ${BATCH}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, low_told_seq) SELECT user_id, family_id, entry_seq FROM due
  ON CONFLICT (user_id) DO UPDATE SET low_told_seq = excluded.low_told_seq WHERE r.low_told_seq IS NULL
  RETURNING user_id, ${THRESHOLD} AS least, ${BY_MAIL} AS by_mail
), due_mail AS (
  INSERT INTO reminder (user_id, family_id, char_num, least)
  SELECT user_id, family_id, usable_char_num, least FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
), event AS (${EVENTS}), told_event AS (${told('QuotaLow', "'seq', entry_seq, 'charNum', usable_char_num, 'least', least")}) ${COUNT}`;

/** Like `refilled`, for the mark of a balance that is used up. */
const toppedUp = (candidates: string): string => `
UPDATE member_reminder r SET exhausted_told_seq = CASE WHEN a.usable_char_num > 0 OR EXISTS (
    SELECT FROM account_log l
    WHERE l.user_id = r.user_id AND l.seq > r.exhausted_told_seq AND l.seq <= a.entry_seq AND l.last_char > 0)
  THEN NULL ELSE a.entry_seq END
FROM (${candidates}) AS candidate JOIN member_account a ON a.user_id = candidate.user_id
WHERE a.user_id = r.user_id AND r.exhausted_told_seq IS NOT NULL AND a.entry_seq > r.exhausted_told_seq`;

/** A balance that is used up, whatever threshold its member has set: for webhooks alone. */
const exhausted = (candidates: string): string => `
WITH due AS (
  SELECT a.user_id, a.family_id, a.entry_seq
  FROM (${candidates}) AS candidate JOIN member_account a ON a.user_id = candidate.user_id JOIN member m ON m.id = a.user_id
    LEFT JOIN member_reminder r ON r.user_id = a.user_id
  WHERE a.usable_char_num = 0 AND a.entry_seq > 1 AND r.exhausted_told_seq IS NULL
    AND a.user_id = a.family_id AND m.closed_at IS NULL AND a.billing_mode = 1
    AND (a.expire_at IS NULL OR a.expire_at > now())
  ORDER BY a.user_id LIMIT ${BATCH}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, exhausted_told_seq) SELECT user_id, family_id, entry_seq FROM due
  ON CONFLICT (user_id) DO UPDATE SET exhausted_told_seq = excluded.exhausted_told_seq WHERE r.exhausted_told_seq IS NULL
  RETURNING user_id
), told_event AS (${told('QuotaExhausted', "'seq', entry_seq")}) ${COUNT}`;

const ending = (candidates: string): string => `
WITH candidate AS (${candidates}), due AS (
  SELECT a.user_id, a.family_id, a.expire_at
  FROM candidate JOIN member_account a ON a.user_id = candidate.user_id JOIN member m ON m.id = a.user_id
    LEFT JOIN member_reminder r ON r.user_id = a.user_id
  WHERE a.expire_at > (?::timestamp AT TIME ZONE 'UTC') AND a.expire_at <= (?::timestamp AT TIME ZONE 'UTC') + make_interval(days => ${DAYS})
    AND r.expiry_told_for IS DISTINCT FROM a.expire_at AND a.user_id = a.family_id AND m.closed_at IS NULL
  ORDER BY a.user_id LIMIT ${BATCH}
), told AS (
  INSERT INTO member_reminder AS r (user_id, family_id, expiry_told_for) SELECT user_id, family_id, expire_at FROM due
  ON CONFLICT (user_id) DO UPDATE SET expiry_told_for = excluded.expiry_told_for
    WHERE r.expiry_told_for IS DISTINCT FROM excluded.expiry_told_for
  RETURNING user_id, ${BY_MAIL} AS by_mail
), due_mail AS (
  INSERT INTO reminder (user_id, family_id, expire_at)
  SELECT user_id, family_id, expire_at FROM told JOIN due USING (user_id) WHERE by_mail RETURNING id
), event AS (${EVENTS}), told_event AS (${told('PackageExpiring', "'expireAt', (extract(epoch FROM due.expire_at) * 1000)::bigint")}) ${COUNT}`;
