import { Migration } from '@mikro-orm/migrations';

/** Signed anchors of accounts, and how deep a run of the audit reads (operators §7; docs/decisions/0067). */
export class Migration0036AccountAnchors extends Migration {
  override up(): void {
    for (const sql of [ANCHORS, RUNS, GRANTS]) this.addSql(sql);
  }
}

// Derived: what is missing is made again by the next audit. What is altered is found by the signature of its batch, so no trigger guards it.
const ANCHORS = `
CREATE TABLE anchor_batch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  close_n bigint NOT NULL REFERENCES ledger_close (n),
  close_hash bytea NOT NULL CHECK (length(close_hash) = 32),
  time_zone text NOT NULL,
  size int NOT NULL CHECK (size > 0),
  root bytea NOT NULL CHECK (length(root) = 32),
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  signature bytea NOT NULL CHECK (length(signature) = 64),
  made_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE anchor_batch IS 'a signature over the root of the Merkle tree of the anchors that were made together';
COMMENT ON COLUMN anchor_batch.close_n IS 'the newest close then: the entry of every anchor is the account''s leaf in it';
COMMENT ON COLUMN anchor_batch.time_zone IS 'of the days of usage in the states';
CREATE TABLE account_anchor (
  user_id bigint PRIMARY KEY,
  seq bigint NOT NULL CHECK (seq > 0),
  usage_seq bigint NOT NULL,
  usage_day date,
  state text NOT NULL,
  batch bigint NOT NULL REFERENCES anchor_batch (id),
  place int NOT NULL CHECK (place >= 0),
  path bytea NOT NULL
);
COMMENT ON TABLE account_anchor IS 'where an audit since the anchors begins: the replay of the account up to entry seq, as an audit found it whole';
COMMENT ON COLUMN account_anchor.usage_seq IS 'the last line of the translation log before the next entry; a copy of what is in state, like usage_day';
COMMENT ON COLUMN account_anchor.usage_day IS 'the last day with usage; null: none';
COMMENT ON COLUMN account_anchor.path IS 'the inclusion path in the batch''s tree, 32 bytes a node';
`;

const RUNS = `
ALTER TABLE audit_run ADD COLUMN depth text NOT NULL DEFAULT 'full' CHECK (depth IN ('full', 'anchors'));
ALTER TABLE audit_run ADD COLUMN anchored bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN audit_run.depth IS 'full: from the first entry; anchors: from the anchor of each account';
COMMENT ON COLUMN audit_run.anchored IS 'accounts that began at their anchor';
`;

const GRANTS = `
REVOKE ALL ON anchor_batch, account_anchor FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (close_n, close_hash, time_zone, size, root, public_key, signature) ON anchor_batch TO yiqiao_operator;
GRANT SELECT, DELETE, INSERT (user_id, seq, usage_seq, usage_day, state, batch, place, path),
  UPDATE (seq, usage_seq, usage_day, state, batch, place, path) ON account_anchor TO yiqiao_operator;
GRANT INSERT (depth), UPDATE (anchored) ON audit_run TO yiqiao_operator;
`;
