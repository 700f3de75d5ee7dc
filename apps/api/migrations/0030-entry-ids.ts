import { Migration } from '@mikro-orm/migrations';

/** An entry is found by its id, for its cause (operators §6). Ids ascend, so a new one lands on the index's last page. */
export class Migration0030EntryIds extends Migration {
  override up(): void {
    this.addSql('CREATE UNIQUE INDEX account_log_id ON account_log (id)');
  }
}
