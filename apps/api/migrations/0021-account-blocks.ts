import { Migration } from '@mikro-orm/migrations';

/**
 * Summaries of each account's entries in blocks of 32 and 1,024, so that the time machine reads any moment and any span of a long account
 * without replaying it. Derived from account_log alone; docs/decisions/0053.
 */
export class Migration0021AccountBlocks extends Migration {
  override up(): void {
    for (const sql of [TABLES, GRANTS]) this.addSql(sql);
  }
}

const TABLES = `
CREATE TABLE account_block (
  user_id bigint NOT NULL,
  level smallint NOT NULL CHECK (level IN (0, 1)),
  block bigint NOT NULL,
  last_at timestamptz(3) NOT NULL,
  min_char bigint NOT NULL,
  max_char bigint NOT NULL,
  min_voice bigint NOT NULL,
  max_voice bigint NOT NULL,
  min_image bigint NOT NULL,
  max_image bigint NOT NULL,
  used_char_total bigint NOT NULL,
  recharge_amount_total bigint NOT NULL,
  type_seqs bigint[] NOT NULL,
  PRIMARY KEY (user_id, level, block)
);
CREATE INDEX account_block_time ON account_block (user_id, level, last_at, block);
COMMENT ON COLUMN account_block.level IS '0: 32 entries, 1: 1,024';
COMMENT ON COLUMN account_block.block IS 'from 0: entries block * size + 1 to (block + 1) * size';
COMMENT ON COLUMN account_block.type_seqs IS 'totals and ordinals are those after the last entry of the block';
CREATE TABLE account_block_part (
  user_id bigint NOT NULL,
  block bigint NOT NULL,
  log_type smallint NOT NULL,
  cause_kind text NOT NULL CHECK (cause_kind IN ('order', 'member', 'operator', 'day', 'entry')),
  cause bigint NOT NULL,
  entries integer NOT NULL,
  char_num bigint NOT NULL,
  voice_num bigint NOT NULL,
  image_num bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (user_id, block, log_type, cause_kind, cause)
);
COMMENT ON TABLE account_block_part IS 'the changes in a block of 1,024 entries, by type and cause';
COMMENT ON COLUMN account_block_part.cause IS 'id of the order, member or manager; day as days since 1970 in APP_TIMEZONE; number of the entry';
`;

const GRANTS = `
GRANT SELECT,
  INSERT (user_id, level, block, last_at, min_char, max_char, min_voice, max_voice, min_image, max_image, used_char_total,
    recharge_amount_total, type_seqs)
  ON account_block TO yiqiao_app;
GRANT SELECT, INSERT (user_id, block, log_type, cause_kind, cause, entries, char_num, voice_num, image_num, amount)
  ON account_block_part TO yiqiao_app;
`;
