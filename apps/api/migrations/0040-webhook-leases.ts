import { Migration } from '@mikro-orm/migrations';

/** Finds the deliveries under way, of which every claim counts those of each family (docs/decisions/0073). */
export class Migration0040WebhookLeases extends Migration {
  override up(): void {
    this.addSql(LEASES);
  }
}

const LEASES = `
CREATE INDEX webhook_delivery_leased ON webhook_delivery (leased_until) WHERE state = 'waiting' AND leased_until IS NOT NULL;
`;
