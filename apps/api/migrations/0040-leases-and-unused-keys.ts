import { Migration } from '@mikro-orm/migrations';

/** Counts the deliveries under way (docs/decisions/0073), and lets keys go that were never used (docs/decisions/0071). */
export class Migration0040LeasesAndUnusedKeys extends Migration {
  override up(): void {
    for (const sql of [LEASES, KEYS]) this.addSql(sql);
  }
}

const LEASES = `
CREATE INDEX webhook_delivery_leased ON webhook_delivery (leased_until) WHERE state = 'waiting' AND leased_until IS NOT NULL;
`;

// A key that has served keeps its row: the foreign key of its days refuses to delete it.
const KEYS = `
CREATE INDEX api_key_live ON api_key (family_id) WHERE revoked_at IS NULL;
CREATE INDEX api_key_user ON api_key (user_id);
CREATE INDEX api_key_unused ON api_key (revoked_at) WHERE last_used_at IS NULL AND revoked_at IS NOT NULL;
GRANT DELETE ON api_key TO yiqiao_app;
`;
