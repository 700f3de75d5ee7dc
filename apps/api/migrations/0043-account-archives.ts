import { Migration } from '@mikro-orm/migrations';

/** Old translations of an account in cold files, and the signed anchor at which its log begins then (docs/decisions/0075). */
export class Migration0043AccountArchives extends Migration {
  override up(): void {
    for (const sql of [ARCHIVES, GUARD, GRANTS]) this.addSql(sql);
  }
}

const ARCHIVES = `
CREATE TABLE account_archive (
  user_id bigint PRIMARY KEY REFERENCES member_account (user_id),
  seq bigint NOT NULL CHECK (seq > 0),
  usage_seq bigint NOT NULL,
  usage_day date,
  at timestamptz(3) NOT NULL,
  type_seqs bigint[] NOT NULL,
  state text NOT NULL,
  batch bigint NOT NULL REFERENCES anchor_batch (id),
  place int NOT NULL CHECK (place >= 0),
  path bytea NOT NULL
);
COMMENT ON TABLE account_archive IS 'an account whose translations up to entry seq are in cold files: an anchor at that entry, which stays';
COMMENT ON COLUMN account_archive.at IS 'time of entry seq; a copy of what is in state, like usage_seq, usage_day and type_seqs';
CREATE INDEX account_archive_at ON account_archive (at);
CREATE TABLE cold_file (
  user_id bigint NOT NULL REFERENCES account_archive (user_id) ON DELETE CASCADE,
  log text NOT NULL CHECK (log IN ('entries', 'lines')),
  first bigint NOT NULL,
  last bigint NOT NULL CHECK (last >= first),
  name text NOT NULL UNIQUE,
  sha256 bytea NOT NULL CHECK (length(sha256) = 32),
  bytes bigint NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, log, last)
);
COMMENT ON TABLE cold_file IS 'an object of the backup storage with rows of account_log or translation_log';
COMMENT ON COLUMN cold_file.first IS 'the first row, by seq or usage_seq';
COMMENT ON COLUMN cold_file.sha256 IS 'of the sealed object';
`;

// Only what the archive's anchor covers, and only translations: what others refer to stays.
const GUARD = `
CREATE FUNCTION refuse_rewriting_of_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (OLD.log_type IN (7, 8) OR OLD.log_type = 9 AND OLD.image_change < 0)
    AND EXISTS (SELECT FROM account_archive a WHERE a.user_id = OLD.user_id AND OLD.seq < a.seq) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
DROP TRIGGER account_log_append_only ON account_log;
CREATE TRIGGER account_log_append_only BEFORE UPDATE OR DELETE ON account_log FOR EACH ROW EXECUTE FUNCTION refuse_rewriting_of_entries();
`;

// Moving is for the owner alone; audits look at every foreign key.
const GRANTS = `
REVOKE ALL ON account_archive, cold_file FROM yiqiao_app, yiqiao_operator, PUBLIC;
REVOKE EXECUTE ON FUNCTION refuse_rewriting_of_entries() FROM PUBLIC;
GRANT SELECT ON account_archive TO yiqiao_app, yiqiao_operator;
GRANT SELECT ON cold_file TO yiqiao_operator;
`;
