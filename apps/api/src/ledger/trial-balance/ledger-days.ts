import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import type { EntryLine } from '@yiqiao/domain/trial-balance';
import { Config } from '../../platform/config.js';
import { lockKey } from '../../platform/database.js';
import { among, ChangedAccounts } from '../changed-accounts.js';

const T = ENTRY_TYPES;
const either = (condition: string, one: EntryLine, other: EntryLine): string =>
  `CASE WHEN ${condition} THEN '${one}' ELSE '${other}' END`;

/** The line of the trial balance that an entry belongs to. An unknown type has none, and appears as the difference. */
export const LINE = `
CASE log_type
  WHEN ${T.RECHARGE_ORDER_BY_MEMBER_GROUP.code} THEN ${either('order_id IS NULL', 'grants', 'purchases')}
  WHEN ${T.SYS_ADJUST.code} THEN ${either('order_id IS NULL', 'adjustments', 'refunds')}
  WHEN ${T.INVITE_REWARD.code} THEN 'inviteRewards'
  WHEN ${T.OTHER.code} THEN ${either('image_change < 0', 'images', 'trialGifts')}
  WHEN ${T.TRANSLATION_CONSUME.code} THEN 'translations'
  WHEN ${T.VOICE_CONSUME.code} THEN 'voice'
  WHEN ${T.MATRIX.code} THEN 'conversions' WHEN ${T.SYS_MATRIX.code} THEN 'conversions'
  WHEN ${T.DISTRIBUTION.code} THEN 'moved' WHEN ${T.RECOVERY.code} THEN 'moved'
  ELSE 'none' END`;

/** Accounts with entries that no day includes yet. */
export const UNROLLED = `
SELECT a.user_id, coalesce(m.rolled_seq, 0) AS after, a.entry_seq AS upto
FROM member_account a LEFT JOIN ledger_day_mark m ON m.user_id = a.user_id WHERE a.entry_seq > coalesce(m.rolled_seq, 0)`;

/** Entries that one transaction counts; at most twice as many. */
const PIECE = 50_000;

/** Sums the ledger's changes per day and line of the trial balance (ledger_day), each entry once, like the usage roll-up. */
@Injectable()
export class LedgerDays {
  readonly #zone: string;

  constructor(
    private readonly em: EntityManager,
    { env }: Config,
  ) {
    this.#zone = env.APP_TIMEZONE;
  }

  /** Counts everything that these accounts (null: all) have written so far; returns the number of accounts that had something new. */
  async catchUp(userIds: readonly number[] | null = null): Promise<number> {
    const em = this.em.fork();
    const { sql, values } = among(userIds);
    const count = countPiece(this.#zone, sql);
    for (let accounts = 0; ;) {
      const counted = await em.transactional(async (tx) => {
        await lockKey(tx, 'days of the ledger');
        // A separate statement, so that it sees the writes of the last holder of the lock.
        const rows = await tx.execute<unknown[]>(count, values);
        return rows.length;
      });
      if (counted === 0) return accounts;
      accounts += counted;
    }
  }
}

/** Counts the entries since the last run, so that the trial balance has little left to read. */
export class RollUpLedgerDays extends Command<number> {}

@CommandHandler(RollUpLedgerDays)
export class RollUpLedgerDaysHandler implements ICommandHandler<RollUpLedgerDays> {
  constructor(
    private readonly days: LedgerDays,
    private readonly changed: ChangedAccounts,
  ) {}

  async execute(): Promise<number> {
    let counted = 0;
    await this.changed.since('roll-up-ledger-days', async ({ userIds }) => {
      counted += await this.days.catchUp(userIds);
    });
    return counted;
  }
}

const SUMS = ['entries', 'char_num', 'voice_num', 'image_num', 'amount'];

/** `zone` is a checked name. */
const countPiece = (zone: string, among: string): string => `
WITH behind AS (
  SELECT user_id, after, least(upto, after + ${PIECE}) AS upto FROM (${UNROLLED} ${among}) AS unrolled
), piece AS MATERIALIZED (
  SELECT * FROM (SELECT *, sum(upto - after) OVER (ORDER BY user_id) - (upto - after) AS already FROM behind) AS queue
  WHERE already < ${PIECE}
), sums AS (
  SELECT day, line, count(*) AS entries, sum(char_change) AS char_num, sum(voice_change) AS voice_num, sum(image_change) AS image_num,
    sum(amount) AS amount
  FROM piece CROSS JOIN LATERAL (
    SELECT (created_at AT TIME ZONE '${zone}')::date AS day, ${LINE} AS line, char_change, voice_change, image_change, amount
    FROM account_log WHERE user_id = piece.user_id AND seq > piece.after AND seq <= piece.upto
  ) AS entry GROUP BY day, line
), counted AS (
  INSERT INTO ledger_day AS d (day, line, ${SUMS.join(', ')}) SELECT day, line, ${SUMS.join(', ')} FROM sums
  ON CONFLICT (day, line) DO UPDATE SET ${SUMS.map((name) => `${name} = d.${name} + excluded.${name}`).join(', ')}
)
INSERT INTO ledger_day_mark (user_id, rolled_seq) SELECT user_id, upto FROM piece
ON CONFLICT (user_id) DO UPDATE SET rolled_seq = excluded.rolled_seq RETURNING user_id`;
