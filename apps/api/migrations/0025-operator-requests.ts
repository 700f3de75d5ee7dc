import { Migration } from '@mikro-orm/migrations';

/** What two operators decide together, and how much one may give alone (operators §4). */
export class Migration0025OperatorRequests extends Migration {
  override up(): void {
    for (const sql of [REQUESTS, LIMITS, GRANTS]) this.addSql(sql);
  }
}

// The database itself refuses a maker who decides, a second decision, a late one and another payload.
const REQUESTS = `
CREATE TABLE operator_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  payload text NOT NULL,
  payload_hash text NOT NULL CHECK (payload_hash = encode(sha256(convert_to(payload, 'UTF8')), 'hex')),
  summary jsonb NOT NULL,
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 10 AND 500),
  maker_id bigint NOT NULL REFERENCES operator_account (id),
  maker_ip inet,
  made_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL CHECK (expires_at = made_at + interval '72 hours'),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed', 'rejected', 'withdrawn', 'lapsed')),
  decided_by bigint REFERENCES operator_account (id),
  decided_at timestamptz(3),
  decision_reason text CHECK (char_length(decision_reason) BETWEEN 1 AND 500),
  outcome jsonb,
  CHECK ((state = 'open') = (decided_at IS NULL)),
  CHECK ((state IN ('open', 'lapsed')) = (decided_by IS NULL)),
  CHECK ((state = 'lapsed') = (decided_at >= expires_at) OR decided_at IS NULL),
  CONSTRAINT operator_request_two_persons CHECK (state NOT IN ('done', 'failed', 'rejected') OR decided_by <> maker_id),
  CONSTRAINT operator_request_own_withdrawal CHECK (state <> 'withdrawn' OR decided_by = maker_id),
  CHECK (state NOT IN ('done', 'failed', 'rejected') OR decision_reason IS NOT NULL)
);
CREATE UNIQUE INDEX operator_request_one_open ON operator_request (kind, target_kind, target_id) WHERE state = 'open';
CREATE INDEX operator_request_maker ON operator_request (maker_id, id);
CREATE INDEX operator_request_lapse ON operator_request (expires_at) WHERE state = 'open';
COMMENT ON COLUMN operator_request.payload IS 'JSON, exactly as it will be carried out';
CREATE FUNCTION refuse_second_decision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE decision text[] := ARRAY['state', 'decided_by', 'decided_at', 'decision_reason', 'outcome'];
BEGIN
  IF OLD.state <> 'open' THEN RAISE EXCEPTION 'request % is decided', OLD.id; END IF;
  IF to_jsonb(NEW) - decision <> to_jsonb(OLD) - decision THEN RAISE EXCEPTION 'request % is frozen', OLD.id; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER operator_request_once BEFORE UPDATE ON operator_request FOR EACH ROW EXECUTE FUNCTION refuse_second_decision();
CREATE TRIGGER operator_request_kept BEFORE DELETE ON operator_request FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER operator_request_no_truncate BEFORE TRUNCATE ON operator_request FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
`;

const LIMITS = `
CREATE TABLE operator_limits (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  char_num bigint NOT NULL DEFAULT 100000 CHECK (char_num >= 0),
  voice_num bigint NOT NULL DEFAULT 100 CHECK (voice_num >= 0),
  image_num bigint NOT NULL DEFAULT 100 CHECK (image_num >= 0),
  amount bigint NOT NULL DEFAULT 50000 CHECK (amount >= 0)
);
INSERT INTO operator_limits DEFAULT VALUES;
COMMENT ON TABLE operator_limits IS 'what one operator may give without a second person; amount in fen';
`;

const GRANTS = `
REVOKE ALL ON operator_request, operator_limits FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (kind, target_kind, target_id, payload, payload_hash, summary, reason, maker_id, maker_ip, made_at, expires_at),
  UPDATE (state, decided_by, decided_at, decision_reason, outcome) ON operator_request TO yiqiao_operator;
GRANT SELECT, UPDATE (char_num, voice_num, image_num, amount) ON operator_limits TO yiqiao_operator;
`;
