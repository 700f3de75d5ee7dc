import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Optional } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Config } from '../../platform/config.js';
import { among, ChangedAccounts } from '../changed-accounts.js';

/**
 * Sums usage per day from the ledger (usage_day, family_usage_day). Entries of an account are numbered without gaps, so one number per
 * account (usage_mark) says which are counted. It moves with the sums in one transaction, one at a time per family, so nothing counts twice.
 */
@Injectable()
export class UsageRollUp {
  readonly #running = new Map<number, Promise<void>>();
  readonly #count: string;

  constructor(
    private readonly em: EntityManager,
    { env }: Config,
    @Optional() piece = PIECE,
  ) {
    this.#count = countPiece(env.APP_TIMEZONE, piece);
  }

  /** Counts everything the family has used so far. Concurrent requests share the work. */
  async catchUp(familyId: number): Promise<void> {
    // A count under way may have read before the caller's last entry; only one that starts from now on includes it.
    await this.#running.get(familyId)?.catch(() => undefined);
    let mine = this.#running.get(familyId);
    if (!mine) {
      mine = this.countAll([familyId]).finally(() => this.#running.delete(familyId));
      this.#running.set(familyId, mine);
    }
    await mine;
  }

  /** Families with uncounted entries among these accounts; null: among all. */
  async familiesBehind(userIds: readonly number[] | null): Promise<number[]> {
    const { sql, values } = among(userIds);
    const rows = await this.em
      .fork()
      .execute<{ family_id: number }[]>(`SELECT DISTINCT a.family_id ${BEHIND} ${sql}`, values);
    return rows.map((row) => row.family_id);
  }

  /** In pieces, each its own transaction, so that a long log blocks nobody and progress is kept. */
  async countAll(familyIds: readonly number[]): Promise<void> {
    const families = `{${familyIds.join(',')}}`;
    const em = this.em.fork();
    for (;;) {
      const [state] = await em.execute<{ behind: boolean }[]>(
        `SELECT EXISTS (SELECT ${BEHIND} AND a.family_id = ANY (?::bigint[])) AS behind`,
        [families],
      );
      if (!state?.behind) return;
      await em.transactional(async (tx) => {
        await tx.execute(LOCK_FAMILIES, [families]);
        // A separate statement, so that it sees the writes of the last holder of the lock.
        await tx.execute(this.#count, [families]);
      });
    }
  }
}

/** Counts the usage of every family since the last run, so that a chart has little left to count. Returns the number of families. */
export class RollUpUsage extends Command<number> {}

/** Families per transaction. */
const FAMILIES = 100;

@CommandHandler(RollUpUsage)
export class RollUpUsageHandler implements ICommandHandler<RollUpUsage> {
  constructor(
    private readonly usage: UsageRollUp,
    private readonly changed: ChangedAccounts,
  ) {}

  async execute(): Promise<number> {
    let counted = 0;
    await this.changed.since('roll-up-usage', async ({ userIds }) => {
      const families = await this.usage.familiesBehind(userIds);
      for (let at = 0; at < families.length; at += FAMILIES)
        await this.usage.countAll(families.slice(at, at + FAMILIES));
      counted += families.length;
    });
    return counted;
  }
}

/** Entries that one transaction counts; at most twice as many. */
const PIECE = 20_000;

const BEHIND = `
FROM member_account a LEFT JOIN usage_mark m ON m.user_id = a.user_id WHERE a.entry_seq > coalesce(m.rolled_seq, 0)`;

// In ascending order, so that two transactions cannot deadlock.
const LOCK_FAMILIES = `
SELECT pg_advisory_xact_lock(key)
FROM (SELECT hashtextextended('usage of ' || family, 0) AS key FROM unnest(?::bigint[]) AS family ORDER BY key) AS keys`;

const VOICE = ENTRY_TYPES.VOICE_CONSUME.code;
// Images are of type OTHER (decisions §4), and so is the gift of a new account, which uses nothing.
const IMAGE = ENTRY_TYPES.OTHER.code;

const ADDED = `char_num = d.char_num + excluded.char_num, voice_num = d.voice_num + excluded.voice_num,
    image_num = d.image_num + excluded.image_num`;

/** Each account's entries are read by their numbers alone, whatever the planner thinks of the rest. `zone` is a checked name. */
const countPiece = (zone: string, size: number): string => `
WITH behind AS (
  SELECT a.family_id, a.user_id, coalesce(m.rolled_seq, 0) AS after,
    least(a.entry_seq, coalesce(m.rolled_seq, 0) + ${size}) AS upto
  ${BEHIND} AND a.family_id = ANY (?::bigint[])
), piece AS MATERIALIZED (
  SELECT * FROM (SELECT *, sum(upto - after) OVER (ORDER BY user_id) - (upto - after) AS already FROM behind) AS queue
  WHERE already < ${size}
), used AS MATERIALIZED (
  SELECT piece.family_id, piece.user_id, sums.*
  FROM piece CROSS JOIN LATERAL (
    SELECT (created_at AT TIME ZONE '${zone}')::date AS day, sum(used_char_num) AS chars,
      sum(CASE WHEN log_type = ${VOICE} THEN -voice_change ELSE 0 END) AS voice,
      sum(CASE WHEN log_type = ${IMAGE} AND image_change < 0 THEN -image_change ELSE 0 END) AS images
    FROM account_log
    WHERE user_id = piece.user_id AND seq > piece.after AND seq <= piece.upto
      AND (used_char_num <> 0 OR log_type = ${VOICE} OR (log_type = ${IMAGE} AND image_change < 0))
    GROUP BY 1
  ) AS sums
), by_member AS (
  INSERT INTO usage_day AS d (family_id, day, user_id, char_num, voice_num, image_num)
  SELECT family_id, day, user_id, chars, voice, images FROM used
  ON CONFLICT (family_id, day, user_id) DO UPDATE SET ${ADDED}
), by_family AS (
  INSERT INTO family_usage_day AS d (family_id, day, char_num, voice_num, image_num)
  SELECT family_id, day, sum(chars), sum(voice), sum(images) FROM used GROUP BY family_id, day
  ON CONFLICT (family_id, day) DO UPDATE SET ${ADDED}
)
INSERT INTO usage_mark (user_id, family_id, rolled_seq) SELECT user_id, family_id, upto FROM piece
ON CONFLICT (user_id) DO UPDATE SET rolled_seq = excluded.rolled_seq`;
