import { Migration } from '@mikro-orm/migrations';

/** Operators of the back office, their sessions, their role in the database, and the log of everything that they do (operators §1–§5). */
export class Migration0022Operators extends Migration {
  override up(): void {
    for (const sql of [ROLE, ACCOUNTS, SESSIONS, ACTIONS, GRANTS]) this.addSql(sql);
  }
}

// Roles belong to the server: another database of it may have made this one.
const ROLE = `
DO $$ BEGIN
  CREATE ROLE yiqiao_operator NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN EXECUTE format('GRANT yiqiao_operator TO %I', current_user); EXCEPTION WHEN OTHERS THEN
  IF NOT pg_has_role(current_user, 'yiqiao_operator', 'MEMBER') THEN RAISE; END IF; END $$;
GRANT yiqiao_app TO yiqiao_operator;
GRANT USAGE ON SCHEMA public TO yiqiao_operator;
`;

const ACCOUNTS = `
CREATE TABLE operator_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  manager_id bigint NOT NULL UNIQUE REFERENCES manager (id),
  role text NOT NULL CHECK (role IN ('viewer', 'support', 'finance', 'owner')),
  password_hash text,
  sealed_secret text,
  last_step bigint,
  recovery_digests text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  enrolled_at timestamptz(3),
  disabled_at timestamptz(3),
  CHECK ((enrolled_at IS NULL) = (password_hash IS NULL)),
  CHECK ((password_hash IS NULL) = (sealed_secret IS NULL))
);
CREATE UNIQUE INDEX operator_account_name ON operator_account (lower(name));
COMMENT ON COLUMN operator_account.last_step IS 'time step of the last accepted one-time code: a code counts once';
CREATE TABLE operator_enrolment (
  digest text PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operator_account (id),
  sealed_secret text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
CREATE INDEX operator_enrolment_operator ON operator_enrolment (operator_id);
COMMENT ON COLUMN operator_enrolment.digest IS 'of the token in the link, which is shown once';
`;

const SESSIONS = `
CREATE TABLE operator_session (
  digest text PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operator_account (id),
  csrf text NOT NULL,
  ip inet NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3)
);
CREATE INDEX operator_session_operator ON operator_session (operator_id) WHERE ended_at IS NULL;
COMMENT ON COLUMN operator_session.digest IS 'of the 256 random bits in the cookie';
`;

// What is shown of an action is what is hashed: its columns are read from the body.
const ACTIONS = `
CREATE TABLE operator_action (
  n bigint PRIMARY KEY CHECK (n > 0),
  body text NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  done_at timestamptz(3) GENERATED ALWAYS AS (to_timestamp(((body::jsonb ->> 'at')::bigint) / 1000.0)) STORED,
  actor text NOT NULL GENERATED ALWAYS AS (body::jsonb ->> 'actor') STORED,
  action text NOT NULL GENERATED ALWAYS AS (body::jsonb ->> 'action') STORED,
  target_kind text GENERATED ALWAYS AS (body::jsonb -> 'target' ->> 'kind') STORED,
  target_id text GENERATED ALWAYS AS (body::jsonb -> 'target' ->> 'id') STORED,
  cmd_id uuid GENERATED ALWAYS AS ((body::jsonb ->> 'cmdId')::uuid) STORED
);
CREATE INDEX operator_action_actor ON operator_action (actor, n);
CREATE INDEX operator_action_kind ON operator_action (action, n);
CREATE INDEX operator_action_target ON operator_action (target_kind, target_id, n);
CREATE INDEX operator_action_cmd ON operator_action (cmd_id) WHERE cmd_id IS NOT NULL;
COMMENT ON TABLE operator_action IS 'everything an operator did, numbered without gaps; hash = SHA-256(hash of n - 1, body)';
CREATE TRIGGER operator_action_append_only BEFORE UPDATE OR DELETE ON operator_action FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER operator_action_no_truncate BEFORE TRUNCATE ON operator_action FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
`;

const GRANTS = `
REVOKE ALL ON operator_account, operator_enrolment, operator_session, operator_action FROM yiqiao_app, PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO yiqiao_operator;
GRANT INSERT (name, manager_id, role), UPDATE (role, password_hash, sealed_secret, last_step, recovery_digests, enrolled_at, disabled_at)
  ON operator_account TO yiqiao_operator;
GRANT INSERT (digest, operator_id, sealed_secret, expires_at), UPDATE (used_at) ON operator_enrolment TO yiqiao_operator;
GRANT INSERT (digest, operator_id, csrf, ip, user_agent, created_at, last_used_at), UPDATE (last_used_at, ended_at), DELETE
  ON operator_session TO yiqiao_operator;
GRANT INSERT (n, body, hash) ON operator_action TO yiqiao_operator;
`;
