import { Migration } from '@mikro-orm/migrations';

/** Runs of the reconciliation, the statements they read, their differences, and exceptions closed by hand (operators §10). */
export class Migration0027Reconciliations extends Migration {
  override up(): void {
    for (const sql of [RUNS, LINES, DIFFERENCES, CLOSINGS, LISTS, GRANTS]) this.addSql(sql);
  }
}

const RUNS = `
CREATE TABLE reconciliation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL CHECK (source IN ('statement', 'gateway')),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL CHECK (to_at >= from_at),
  started_by text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  beat_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz(3),
  total int NOT NULL DEFAULT 0,
  done int NOT NULL DEFAULT 0,
  files jsonb NOT NULL DEFAULT '[]',
  totals jsonb NOT NULL DEFAULT '[]',
  CHECK ((state = 'running') = (finished_at IS NULL))
);
CREATE UNIQUE INDEX reconciliation_one_running ON reconciliation (source) WHERE state = 'running';
COMMENT ON COLUMN reconciliation.source IS 'statement: compared with files; gateway: each order was asked for';
COMMENT ON COLUMN reconciliation.files IS 'name, SHA-256, gateway, days and sums of each statement; amounts in fen';
COMMENT ON COLUMN reconciliation.totals IS 'both sides by gateway, in fen';
`;

// A line of overlapping files is kept once.
const LINES = `
CREATE TABLE statement_line (
  gateway text NOT NULL CHECK (gateway IN ('alipay', 'wechat')),
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  trade_no text NOT NULL,
  refund_no text NOT NULL,
  order_no text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz(0) NOT NULL,
  run_id bigint NOT NULL REFERENCES reconciliation (id),
  PRIMARY KEY (gateway, kind, trade_no, refund_no)
);
CREATE INDEX statement_line_at ON statement_line (at);
CREATE INDEX statement_line_order ON statement_line (order_no);
CREATE INDEX statement_line_run ON statement_line (run_id);
COMMENT ON TABLE statement_line IS 'the gateways'' statements as imported; amount in fen';
`;

const DIFFERENCES = `
CREATE TABLE payment_difference (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  fingerprint text NOT NULL UNIQUE,
  source text NOT NULL CHECK (source IN ('statement', 'gateway')),
  what text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'refund')),
  gateway text NOT NULL,
  order_no text NOT NULL,
  trade_no text NOT NULL,
  refund_no text NOT NULL,
  expected bigint,
  found bigint,
  detail text NOT NULL,
  at timestamptz(3),
  first_run bigint NOT NULL REFERENCES reconciliation (id),
  last_run bigint NOT NULL REFERENCES reconciliation (id),
  closed_how text CHECK (closed_how IN ('reason', 'settled', 'matched')),
  closed_by text,
  closed_at timestamptz(3),
  close_reason text CHECK (char_length(close_reason) BETWEEN 4 AND 500),
  CHECK ((closed_how IS NULL) = (closed_at IS NULL) AND (closed_how IS NULL) = (closed_by IS NULL)),
  CHECK ((closed_how = 'reason') = (close_reason IS NOT NULL))
);
CREATE INDEX payment_difference_open ON payment_difference (id) WHERE closed_at IS NULL;
CREATE INDEX payment_difference_order ON payment_difference (order_no);
CREATE INDEX payment_difference_first_run ON payment_difference (first_run);
CREATE INDEX payment_difference_last_run ON payment_difference (last_run);
COMMENT ON TABLE payment_difference IS 'one row for the same difference, in however many runs; expected: here, found: there, in fen';
CREATE TABLE reconciliation_finding (
  run_id bigint NOT NULL REFERENCES reconciliation (id),
  difference_id bigint NOT NULL REFERENCES payment_difference (id),
  PRIMARY KEY (run_id, difference_id)
);
CREATE INDEX reconciliation_finding_difference ON reconciliation_finding (difference_id);
CREATE FUNCTION refuse_second_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.closed_how = 'reason' AND (OLD.closed_how, OLD.closed_by, OLD.closed_at, OLD.close_reason)
    IS DISTINCT FROM (NEW.closed_how, NEW.closed_by, NEW.closed_at, NEW.close_reason)
  THEN RAISE EXCEPTION 'difference % is closed', OLD.id; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payment_difference_closed_once BEFORE UPDATE ON payment_difference FOR EACH ROW EXECUTE FUNCTION refuse_second_closing();
`;

const CLOSINGS = `
CREATE TABLE payment_exception_closing (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL,
  what text NOT NULL,
  order_no text,
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 4 AND 500),
  closed_by text NOT NULL,
  closed_at timestamptz(3) NOT NULL
);
CREATE INDEX payment_exception_closing_key ON payment_exception_closing (key, closed_at);
COMMENT ON TABLE payment_exception_closing IS 'an exception that happens again after it was closed is listed again';
`;

// For lists of orders, payments and refunds by time.
const LISTS = `
CREATE INDEX recharge_order_created ON recharge_order (created_at);
CREATE INDEX payment_refunded ON payment (refunded_at) WHERE refunded_at IS NOT NULL;
`;

const GRANTS = `
REVOKE ALL ON reconciliation, statement_line, payment_difference, reconciliation_finding, payment_exception_closing FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (source, state, from_at, to_at, started_by, finished_at, total, done, files, totals),
  UPDATE (state, beat_at, finished_at, total, done, totals) ON reconciliation TO yiqiao_operator;
GRANT SELECT, INSERT ON statement_line, reconciliation_finding TO yiqiao_operator;
GRANT SELECT, INSERT (fingerprint, source, what, kind, gateway, order_no, trade_no, refund_no, expected, found, detail, at, first_run, last_run),
  UPDATE (last_run, closed_how, closed_by, closed_at, close_reason) ON payment_difference TO yiqiao_operator;
GRANT SELECT, INSERT (key, what, order_no, reason, closed_by, closed_at) ON payment_exception_closing TO yiqiao_operator;
GRANT SELECT (key, closed_at) ON payment_exception_closing TO yiqiao_app;
`;
