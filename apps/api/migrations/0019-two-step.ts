import { Migration } from '@mikro-orm/migrations';

/** Two-step sign-in of main accounts (docs/decisions/0050). */
export class Migration0019TwoStep extends Migration {
  override up(): void {
    for (const sql of [TABLE, GRANTS]) this.addSql(sql);
  }
}

const TABLE = `
CREATE TABLE two_step (
  user_id bigint PRIMARY KEY REFERENCES member (id),
  family_id bigint NOT NULL,
  sealed_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  confirmed_at timestamptz(3),
  last_step bigint,
  recovery_digests text[] NOT NULL DEFAULT '{}',
  CHECK ((confirmed_at IS NULL) = (last_step IS NULL))
);
COMMENT ON TABLE two_step IS 'deleted with the account';
COMMENT ON COLUMN two_step.sealed_secret IS 'of the authenticator app, encrypted';
COMMENT ON COLUMN two_step.confirmed_at IS 'null until the member has entered a first code: sign-in asks for none before';
COMMENT ON COLUMN two_step.last_step IS 'time step of the last accepted code: it and earlier ones are refused';
COMMENT ON COLUMN two_step.recovery_digests IS 'keyed digests of the unused recovery codes';
`;

const GRANTS = `
GRANT SELECT, INSERT (user_id, family_id, sealed_secret, created_at), UPDATE (confirmed_at, last_step, recovery_digests), DELETE
  ON two_step TO yiqiao_app;
`;
