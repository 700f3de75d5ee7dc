import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Config } from '../../platform/config.js';
import { lockKey } from '../../platform/database.js';
import { among, ChangedAccounts } from '../changed-accounts.js';

/** Entries in a block of level 0 and of level 1. A block of level 1 consists of 32 of level 0. */
export const BLOCK = 32;
export const LARGE_BLOCK = BLOCK * BLOCK;

/** Entries summarised by one transaction. */
const PIECE = 20 * LARGE_BLOCK;

/**
 * Summarises the entries of an account in blocks (account_block, account_block_part). Entries never change, so a complete block never does
 * either. The readers take what no block covers yet from the entries themselves.
 */
@Injectable()
export class AccountBlocks {
  readonly #build: { small: string; large: string; parts: string };

  constructor(
    private readonly em: EntityManager,
    { env }: Config,
  ) {
    this.#build = { small: SMALL, large: LARGE, parts: parts(env.APP_TIMEZONE) };
  }

  /** Builds the blocks of one account that are complete. */
  async catchUp(userId: number): Promise<void> {
    let after = -1;
    for (;;) {
      const done = await this.#piece(userId);
      if (done === after) return;
      after = done;
    }
  }

  /** The same for every account of a family. */
  async catchUpFamily(familyId: number): Promise<void> {
    const rows = await this.em.fork().execute<{ user_id: number }[]>(behind('family_id = ?'), [familyId]);
    for (const { user_id: userId } of rows) await this.catchUp(userId);
  }

  /** Accounts with complete blocks that are not built, in ascending id, among these; null: among all. */
  async accountsBehind(userIds: readonly number[] | null = null): Promise<number[]> {
    const { sql, values } = among(userIds);
    const rows = await this.em.fork().execute<{ user_id: number }[]>(behind(`true ${sql}`), values);
    return rows.map((row) => row.user_id);
  }

  /** Builds the next blocks; returns the number of blocks of level 0 that the account has then. */
  async #piece(userId: number): Promise<number> {
    const em = this.em.fork();
    const built = await em.execute<Progress[]>(PROGRESS, [userId, userId, userId]);
    const { entries, small } = progressOf(built);
    if (Math.floor(entries / BLOCK) <= small) return small;
    return em.transactional(async (tx) => {
      await lockKey(tx, `blocks of ${userId}`);
      // A separate statement, so that it sees the writes of the last holder of the lock.
      const now = progressOf(await tx.execute<Progress[]>(PROGRESS, [userId, userId, userId]));
      const whole = Math.floor(now.entries / BLOCK);
      const end = Math.min(whole, (Math.floor(now.small / BLOCK) * LARGE_BLOCK + PIECE) / BLOCK);
      if (end <= now.small) return now.small;
      await tx.execute(this.#build.small, [userId, now.small, end]);
      const large = Math.floor(end / BLOCK);
      if (large > now.large) {
        await tx.execute(this.#build.large, [userId, now.large, large]);
        await tx.execute(this.#build.parts, [userId, now.large, large]);
      }
      return end;
    });
  }
}

/** Summarises what every account has written since the last run. Returns the number of accounts. */
export class BuildAccountBlocks extends Command<number> {}

@CommandHandler(BuildAccountBlocks)
export class BuildAccountBlocksHandler implements ICommandHandler<BuildAccountBlocks> {
  constructor(
    private readonly blocks: AccountBlocks,
    private readonly changed: ChangedAccounts,
  ) {}

  async execute(): Promise<number> {
    let built = 0;
    await this.changed.since('build-account-blocks', async ({ userIds }) => {
      const accounts = await this.blocks.accountsBehind(userIds);
      for (const userId of accounts) await this.blocks.catchUp(userId);
      built += accounts.length;
    });
    return built;
  }
}

type Progress = { entries: number; small: number; large: number };
const progressOf = ([row]: Progress[]): Progress => row ?? { entries: 0, small: 0, large: 0 };

const BUILT = (level: number, user: string): string =>
  `coalesce((SELECT block + 1 FROM account_block WHERE user_id = ${user} AND level = ${level} ORDER BY block DESC LIMIT 1), 0)`;

const PROGRESS = `
SELECT entry_seq AS entries, ${BUILT(0, '?')} AS small, ${BUILT(1, '?')} AS large FROM member_account WHERE user_id = ?`;

const behind = (condition: string): string => `
SELECT user_id FROM member_account a
WHERE ${condition} AND entry_seq >= ${BLOCK} AND entry_seq / ${BLOCK} > ${BUILT(0, 'a.user_id')} ORDER BY user_id`;

// The account, the first block and the one after the last.
const SPAN = 'span (user_id, first, beyond) AS (VALUES (?::bigint, ?::bigint, ?::bigint))';

const SMALL = `
WITH ${SPAN}, entry AS MATERIALIZED (
  SELECT (seq - 1) / ${BLOCK} AS block, log_type, type_seq, created_at, last_char, last_voice, last_image, used_char_num, amount
  FROM account_log JOIN span USING (user_id) WHERE seq > first * ${BLOCK} AND seq <= beyond * ${BLOCK}
), before AS (
  SELECT used_char_total, recharge_amount_total, type_seqs
  FROM account_block JOIN span USING (user_id) WHERE level = 0 AND block = first - 1
), sums AS (
  SELECT block, max(created_at) AS last_at, min(last_char) AS min_char, max(last_char) AS max_char, min(last_voice) AS min_voice,
    max(last_voice) AS max_voice, min(last_image) AS min_image, max(last_image) AS max_image, sum(used_char_num) AS used,
    sum(amount) AS amount
  FROM entry GROUP BY block
), ordinals AS (
  SELECT block, array_agg(ordinal ORDER BY code) AS type_seqs FROM (
    SELECT sums.block, code,
      coalesce(max(ordinal) OVER (PARTITION BY code ORDER BY sums.block), (SELECT type_seqs[code] FROM before), 0) AS ordinal
    FROM sums
    CROSS JOIN generate_series(1, (SELECT greatest(max(log_type), (SELECT cardinality(type_seqs) FROM before)) FROM entry)) AS code
    LEFT JOIN (SELECT block, log_type, max(type_seq) AS ordinal FROM entry GROUP BY block, log_type) AS last
      ON last.block = sums.block AND last.log_type = code
  ) AS by_type GROUP BY block
)
INSERT INTO account_block (user_id, level, block, last_at, min_char, max_char, min_voice, max_voice, min_image, max_image,
  used_char_total, recharge_amount_total, type_seqs)
SELECT user_id, 0, block, last_at, min_char, max_char, min_voice, max_voice, min_image, max_image,
  coalesce((SELECT used_char_total FROM before), 0) + sum(used) OVER (ORDER BY block),
  coalesce((SELECT recharge_amount_total FROM before), 0) + sum(amount) OVER (ORDER BY block), type_seqs
FROM sums JOIN ordinals USING (block) CROSS JOIN span`;

const LARGE = `
WITH ${SPAN}, part AS (
  SELECT block / ${BLOCK} AS large, b.* FROM account_block b JOIN span USING (user_id)
  WHERE level = 0 AND block >= first * ${BLOCK} AND block < beyond * ${BLOCK}
), sums AS (
  SELECT user_id, large, max(block) AS last, min(min_char) AS min_char, max(max_char) AS max_char, min(min_voice) AS min_voice,
    max(max_voice) AS max_voice, min(min_image) AS min_image, max(max_image) AS max_image
  FROM part GROUP BY user_id, large
)
INSERT INTO account_block (user_id, level, block, last_at, min_char, max_char, min_voice, max_voice, min_image, max_image,
  used_char_total, recharge_amount_total, type_seqs)
SELECT s.user_id, 1, s.large, l.last_at, s.min_char, s.max_char, s.min_voice, s.max_voice, s.min_image, s.max_image,
  l.used_char_total, l.recharge_amount_total, l.type_seqs
FROM sums s JOIN account_block l ON l.user_id = s.user_id AND l.level = 0 AND l.block = s.last`;

const { TRANSLATION_CONSUME, VOICE_CONSUME, OTHER } = ENTRY_TYPES;

/** What caused an entry: use by its day, a movement by the other member, anything else by order, operator, or alone. */
export const causeColumns = (zone: string): string => {
  const isUse = `log_type IN (${TRANSLATION_CONSUME.code}, ${VOICE_CONSUME.code}) OR log_type = ${OTHER.code} AND image_change < 0`;
  return `
  CASE WHEN ${isUse} THEN 'day' WHEN counterpart_id IS NOT NULL THEN 'member' WHEN order_id IS NOT NULL THEN 'order'
    WHEN manager_id IS NOT NULL THEN 'operator' ELSE 'entry' END AS cause_kind,
  CASE WHEN ${isUse} THEN (created_at AT TIME ZONE '${zone}')::date - date '1970-01-01'
    ELSE coalesce(counterpart_id, order_id, manager_id, seq) END AS cause`;
};

const parts = (zone: string): string => `
WITH ${SPAN}
INSERT INTO account_block_part (user_id, block, log_type, cause_kind, cause, entries, char_num, voice_num, image_num, amount)
SELECT user_id, block, log_type, cause_kind, cause, count(*), sum(char_change), sum(voice_change), sum(image_change), sum(amount)
FROM (
  SELECT user_id, (seq - 1) / ${LARGE_BLOCK} AS block, log_type, char_change, voice_change, image_change, amount, ${causeColumns(zone)}
  FROM account_log JOIN span USING (user_id) WHERE seq > first * ${LARGE_BLOCK} AND seq <= beyond * ${LARGE_BLOCK}
) AS entry
GROUP BY user_id, block, log_type, cause_kind, cause`;
