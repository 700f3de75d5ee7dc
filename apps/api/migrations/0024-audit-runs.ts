import { Migration } from '@mikro-orm/migrations';

/** Runs of the audit with their progress and result, and the families that a difference has made read-only (operators §7). */
export class Migration0024AuditRuns extends Migration {
  override up(): void {
    for (const sql of [RUNS, READ_ONLY, FLAG, GRANTS]) this.addSql(sql);
  }
}

// `proven` is what a run resumes after; `runner` changes with each process that takes the run over.
const RUNS = `
CREATE TABLE audit_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text NOT NULL CHECK (scope IN ('all', 'family', 'account')),
  user_id bigint,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'whole', 'different', 'cancelled', 'failed')),
  started_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  beat_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  active_ms bigint NOT NULL DEFAULT 0,
  runner uuid,
  entries bigint NOT NULL DEFAULT 0,
  entries_total bigint NOT NULL DEFAULT 0,
  accounts bigint NOT NULL DEFAULT 0,
  accounts_total bigint NOT NULL DEFAULT 0,
  families bigint NOT NULL DEFAULT 0,
  families_total bigint NOT NULL DEFAULT 0,
  orders bigint NOT NULL DEFAULT 0,
  progress jsonb NOT NULL DEFAULT '{}',
  proven jsonb,
  differences jsonb NOT NULL DEFAULT '[]',
  CHECK ((scope = 'all') = (user_id IS NULL)),
  CHECK ((state IN ('waiting', 'running')) = (finished_at IS NULL))
);
CREATE UNIQUE INDEX audit_run_one_whole ON audit_run (scope) WHERE scope = 'all' AND finished_at IS NULL;
COMMENT ON COLUMN audit_run.user_id IS 'the account, or an account of the family';
COMMENT ON COLUMN audit_run.started_by IS 'an operator, cli:<system user>, or system for the nightly run';
COMMENT ON COLUMN audit_run.progress IS 'rate, phase, and the entry under audit';
COMMENT ON COLUMN audit_run.proven IS 'the last account before the first difference: where a later run goes on';
`;

const READ_ONLY = `
CREATE TABLE family_read_only (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  family_id bigint NOT NULL,
  run_id bigint NOT NULL REFERENCES audit_run (id),
  account bigint NOT NULL,
  seq bigint,
  what text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT now(),
  lifted_at timestamptz(3)
);
CREATE UNIQUE INDEX family_read_only_open ON family_read_only (family_id) WHERE lifted_at IS NULL;
COMMENT ON TABLE family_read_only IS 'families in which an audit found a difference: no entry is written for them until an owner lifts it';
`;

// Read with every account that is locked for a command: a family that is not read-only costs nothing.
const FLAG = `
ALTER TABLE member_account ADD COLUMN read_only boolean NOT NULL DEFAULT false;
`;

// The members' process can neither set nor lift it: a new sub-account takes it over from its main account. Operators read every table, also
// those that come later: the audit looks for orphans of every foreign key.
const GRANTS = `
REVOKE ALL ON audit_run, family_read_only FROM yiqiao_app, PUBLIC;
GRANT SELECT,
  INSERT (scope, user_id, state, started_by, started_at, runner),
  UPDATE (state, started_at, finished_at, beat_at, active_ms, runner, entries, entries_total, accounts, accounts_total, families,
    families_total, orders, progress, proven, differences)
  ON audit_run TO yiqiao_operator;
GRANT SELECT, INSERT (family_id, run_id, account, seq, what), UPDATE (lifted_at) ON family_read_only TO yiqiao_operator;
GRANT INSERT (read_only) ON member_account TO yiqiao_app;
GRANT UPDATE (read_only) ON member_account TO yiqiao_operator;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO yiqiao_operator;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO yiqiao_operator;
`;
