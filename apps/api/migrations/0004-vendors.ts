import { Migration } from '@mikro-orm/migrations';

/** What translation by several vendors adds to a member. */
export class Migration0004Vendors extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE member ADD COLUMN channel_failover boolean NOT NULL DEFAULT false');
    this.addSql(
      "COMMENT ON COLUMN member.channel_failover IS 'of a main account: another channel at no higher price may serve when its own fails'",
    );
  }
}
