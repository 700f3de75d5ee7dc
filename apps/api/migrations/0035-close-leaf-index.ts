import { Migration } from '@mikro-orm/migrations';

/**
 * The leaves of one close lie together, so a summary of the blocks finds them. The index by order that it replaces also offered itself for
 * the last leaf of an account: the first close of 100,000 accounts then read half of all leaves for each of them (300 s).
 */
export class Migration0035CloseLeafIndex extends Migration {
  override up(): void {
    this.addSql('DROP INDEX close_leaf_close');
    this.addSql('CREATE INDEX close_leaf_close ON close_leaf USING brin (n) WITH (pages_per_range = 16)');
  }
}
