import { Migration } from '@mikro-orm/migrations';

/** Passkeys of operators, in place of password and code (operators §2). */
export class Migration0029Passkeys extends Migration {
  override up(): void {
    this.addSql(`
CREATE TABLE operator_passkey (
  id text PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operator_account (id),
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX operator_passkey_operator ON operator_passkey (operator_id);
COMMENT ON COLUMN operator_passkey.last_used_at IS 'challenges that are older are refused: each signs in once';
REVOKE ALL ON operator_passkey FROM yiqiao_app, PUBLIC;
GRANT SELECT, DELETE, INSERT (id, operator_id, name, public_key, counter, transports, created_at),
  UPDATE (counter, last_used_at) ON operator_passkey TO yiqiao_operator;
`);
  }
}
