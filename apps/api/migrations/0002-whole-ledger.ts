import { Migration } from '@mikro-orm/migrations';

/** What sub-accounts, operators and charts need beside the first schema. */
export class Migration0002WholeLedger extends Migration {
  override up(): void {
    for (const sql of [MANAGERS, USAGE, ERASURE, INDEXES, GRANTS]) this.addSql(sql);
  }
}

// The ledger holds the operator's id alone; the name and the reason are joined when read (decisions §3, §4).
const MANAGERS = `
CREATE TABLE manager (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE
);
CREATE TABLE manager_action (
  cmd_id uuid PRIMARY KEY,
  manager_id bigint NOT NULL REFERENCES manager (id),
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  done_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE manager_action IS 'why an operator changed an account: cmd_id is the command id of the entries';
`;

// A roll-up of the ledger by day. Entries of an account are numbered without gaps, so rolled_seq says exactly how far it has come.
const USAGE = `
CREATE TABLE usage_day (
  family_id bigint NOT NULL,
  day date NOT NULL,
  user_id bigint NOT NULL,
  char_num bigint NOT NULL DEFAULT 0,
  voice_num bigint NOT NULL DEFAULT 0,
  image_num bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (family_id, day, user_id)
);
COMMENT ON COLUMN usage_day.day IS 'in APP_TIMEZONE';
CREATE TABLE family_usage_day (
  family_id bigint NOT NULL,
  day date NOT NULL,
  char_num bigint NOT NULL DEFAULT 0,
  voice_num bigint NOT NULL DEFAULT 0,
  image_num bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (family_id, day)
);
COMMENT ON TABLE family_usage_day IS 'the sums of usage_day, so that a family of thousands has its chart at once';
CREATE TABLE usage_mark (
  user_id bigint PRIMARY KEY,
  family_id bigint NOT NULL,
  rolled_seq bigint NOT NULL
);
CREATE INDEX usage_mark_family ON usage_mark (family_id);
`;

// After log-off addresses are erased, while the lines that explain the ledger stay (decisions §3).
const ERASURE = `
ALTER TABLE translation_log ALTER COLUMN ip DROP NOT NULL;
`;

// The logs' filters by address and client (docs/decisions/0008); the few entries that something else must confirm, for the audit.
const INDEXES = `
CREATE INDEX identity_family ON identity (family_id);
CREATE INDEX login_log_family ON login_log (family_id);
CREATE INDEX translation_log_from ON translation_log (user_id, ip, client_type, usage_seq) INCLUDE (entry_seq);
CREATE INDEX translation_log_client ON translation_log (user_id, client_type, usage_seq) INCLUDE (entry_seq);
CREATE INDEX account_log_moved ON account_log (user_id, seq) WHERE log_type BETWEEN 2 AND 6;
`;

const GRANTS = `
GRANT SELECT ON manager, manager_action, usage_day, family_usage_day, usage_mark TO yiqiao_app;
GRANT INSERT ON manager, manager_action TO yiqiao_app;
GRANT INSERT, UPDATE, DELETE ON usage_day, family_usage_day, usage_mark TO yiqiao_app;
GRANT UPDATE (ip) ON translation_log TO yiqiao_app;
GRANT DELETE ON login_log TO yiqiao_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO yiqiao_app;
`;
