import { Migration } from '@mikro-orm/migrations';

/** Requests that take over an idempotency key are told from those that had it before (docs/decisions/0071). */
export class Migration0041IdempotencyAttempts extends Migration {
  override up(): void {
    this.addSql(ATTEMPT);
  }
}

const ATTEMPT = `
ALTER TABLE idempotency_key ADD COLUMN attempt int NOT NULL DEFAULT 1;
COMMENT ON COLUMN idempotency_key.attempt IS 'how often the command was begun; only the last one may give the key up';
GRANT UPDATE (attempt) ON idempotency_key TO yiqiao_app;
`;
