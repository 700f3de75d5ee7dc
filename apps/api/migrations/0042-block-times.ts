import { Migration } from '@mikro-orm/migrations';

/**
 * Blocks are looked up by time at level 0 alone. While the large ones were in the same index, the planner read all of an account's through
 * it to find one by its number, which took half of a timeline (docs/performance.md).
 */
export class Migration0042BlockTimes extends Migration {
  override up(): void {
    this.addSql(INDEX);
  }
}

const INDEX = `
DROP INDEX account_block_time;
CREATE INDEX account_block_time ON account_block (user_id, last_at, block) WHERE level = 0;
`;
