import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SpendingCaps as Wire } from '@yiqiao/contracts/sub-accounts';
import type { Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { ordinalRange } from './log/ordinal-range.js';
import { arrayLiteral } from './rows/array-parameters.js';

/** Caps per day and per month; 0: none. */
export type Caps = { day: Quota; month: Quota };

/** Sets and reads the caps of sub-accounts; the writer enforces them. */
@Injectable()
export class SpendingCaps {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** In the transaction of `em`. What was used today and this month before counts, too. */
  async set(em: EntityManager, { userId, familyId }: { userId: number; familyId: number }, caps: Caps): Promise<void> {
    const { day, month } = caps;
    const limits = [day.charNum, day.voiceNum, day.imageNum, month.charNum, month.voiceNum, month.imageNum];
    // Locks the account, so that nothing is charged until the caps apply, and changes the row, so that the writer reads it again.
    const [account] = await em.execute<{ today: string }[]>(LOCK, [userId, this.config.env.APP_TIMEZONE]);
    if (!account) throw new Error(`sub-account ${userId} has no account`);
    const { today } = account;
    const from = this.clock.fromWire(`${today.slice(0, 7)}-01 00:00:00`);
    const { lo } = await ordinalRange(em, userId, { numbering: { of: 'lines' }, from, to: undefined });
    await em.execute(SET, [
      this.clock.fromWire(`${today} 00:00:00`),
      userId,
      lo,
      userId,
      familyId,
      ...limits,
      today,
      today,
    ]);
    await this.changed(em, userId);
  }

  /**
   * To be called in the transaction that changed the caps of an account's API keys: the writer learns whether it has to look for caps, and
   * nothing is charged until that transaction commits.
   */
  async changed(em: EntityManager, userId: number): Promise<void> {
    // Locked by a statement of its own: one that waits for the row would decide by the keys that it saw before.
    await this.lock(em, [userId]);
    await em.execute(FLAG, [userId]);
  }

  /** Locks accounts, as every writer of the ledger does in ascending id; their API keys may be locked after that. */
  async lock(em: EntityManager, userIds: readonly number[]): Promise<void> {
    await em.execute(LOCK_ACCOUNTS, [arrayLiteral(userIds)]);
  }

  /** Of those that have caps. */
  async of(userIds: readonly number[]): Promise<Map<number, Wire>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.em.fork().execute<Row[]>(READ, [this.config.env.APP_TIMEZONE, arrayLiteral(userIds)]);
    return new Map(rows.map((row) => [Number(row.user_id), row.caps]));
  }
}

type Row = { user_id: number; caps: Wire };

/** The day is read under the lock: that of the next entry, by which the writer counts. Its time does not go back behind this one. */
const LOCK = `
WITH locked AS (UPDATE member_account SET capped = true, last_written_at = greatest(now()::timestamptz(3), last_written_at)
  WHERE user_id = ? RETURNING last_written_at AS at)
SELECT (at AT TIME ZONE ?)::date::text AS today FROM locked`;

const LOCK_ACCOUNTS = `
SELECT user_id FROM member_account WHERE user_id = ANY (?::bigint[]) ORDER BY user_id FOR NO KEY UPDATE`;

const HAS_CAPS = 'greatest(day_char, day_voice, day_image, month_char, month_voice, month_image) > 0';

const FLAG = `
UPDATE member_account a SET capped =
  EXISTS (SELECT FROM spending_cap c WHERE c.user_id = a.user_id AND ${HAS_CAPS})
  OR EXISTS (SELECT FROM api_key k WHERE k.user_id = a.user_id AND k.revoked_at IS NULL AND (k.day_cap > 0 OR k.month_cap > 0))
WHERE user_id = ?`;

const SET = `
WITH used AS (
  SELECT coalesce(sum(charged) FILTER (WHERE kind = 1 AND today), 0) AS dc, coalesce(sum(charged) FILTER (WHERE kind = 2 AND today), 0) AS dv,
    coalesce(sum(charged) FILTER (WHERE kind = 3 AND today), 0) AS di, coalesce(sum(charged) FILTER (WHERE kind = 1), 0) AS mc,
    coalesce(sum(charged) FILTER (WHERE kind = 2), 0) AS mv, coalesce(sum(charged) FILTER (WHERE kind = 3), 0) AS mi
  FROM (SELECT kind, charged, created_at >= ?::timestamptz AS today FROM translation_log WHERE user_id = ? AND usage_seq >= ?) AS line
)
INSERT INTO spending_cap (user_id, family_id, day_char, day_voice, day_image, month_char, month_voice, month_image, day, month,
  day_char_used, day_voice_used, day_image_used, month_char_used, month_voice_used, month_image_used)
SELECT ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::date, date_trunc('month', ?::date)::date, dc, dv, di, mc, mv, mi FROM used
ON CONFLICT (user_id) DO UPDATE SET day_char = excluded.day_char, day_voice = excluded.day_voice, day_image = excluded.day_image,
  month_char = excluded.month_char, month_voice = excluded.month_voice, month_image = excluded.month_image,
  day = excluded.day, month = excluded.month,
  day_char_used = excluded.day_char_used, day_voice_used = excluded.day_voice_used, day_image_used = excluded.day_image_used,
  month_char_used = excluded.month_char_used, month_voice_used = excluded.month_voice_used,
  month_image_used = excluded.month_image_used`;

const used = (period: 'day' | 'month', isNow: string): string => `json_build_object(
  'charNum', CASE WHEN ${isNow} THEN c.${period}_char_used ELSE 0 END,
  'voiceNum', CASE WHEN ${isNow} THEN c.${period}_voice_used ELSE 0 END,
  'imageNum', CASE WHEN ${isNow} THEN c.${period}_image_used ELSE 0 END)`;

const limit = (period: 'day' | 'month'): string =>
  `json_build_object('charNum', c.${period}_char, 'voiceNum', c.${period}_voice, 'imageNum', c.${period}_image)`;

const READ = `
SELECT c.user_id, json_build_object('day', ${limit('day')}, 'month', ${limit('month')},
  'usedToday', ${used('day', 'c.day = today')}, 'usedThisMonth', ${used('month', "c.month = date_trunc('month', today)::date")}) AS caps
FROM spending_cap c, (SELECT (now() AT TIME ZONE ?)::date AS today) AS t
WHERE c.user_id = ANY (?::bigint[]) AND ${HAS_CAPS}`;
