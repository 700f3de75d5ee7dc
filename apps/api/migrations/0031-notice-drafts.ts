import { Migration } from '@mikro-orm/migrations';

/** Notices can be drafts, and the members' process records in the action log who saved a document (operators §5, §10). */
export class Migration0031NoticeDrafts extends Migration {
  override up(): void {
    for (const sql of [DRAFTS, DOCUMENT_ACTIONS]) this.addSql(sql);
  }
}

const DRAFTS = `
ALTER TABLE notice ADD COLUMN published_at timestamptz(3);
UPDATE notice SET published_at = created_at;
ALTER TABLE notice ALTER COLUMN starts_at DROP NOT NULL;
ALTER TABLE notice ADD CONSTRAINT notice_published CHECK (published_at IS NULL OR starts_at IS NOT NULL);
COMMENT ON COLUMN notice.published_at IS 'null: a draft, which nobody but operators sees';
DROP INDEX notice_shown;
CREATE INDEX notice_shown ON notice (starts_at DESC, id DESC) WHERE withdrawn_at IS NULL AND published_at IS NOT NULL;
GRANT INSERT (published_at), UPDATE (published_at) ON notice TO yiqiao_app;
`;

// The members' process can neither read nor write the action log. With an operator's token it saves documents, and records that and nothing
// else. The lock is the one of every append.
const DOCUMENT_ACTIONS = `
CREATE FUNCTION append_document_action(said jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  last operator_action;
  body text;
  next_n bigint;
BEGIN
  IF (said ->> 'actor' LIKE 'token:%' AND said ->> 'action' = 'config.change' AND said -> 'target' ->> 'kind' = 'config')
    IS NOT TRUE THEN
    RAISE EXCEPTION 'only changes of documents are recorded here' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('operator actions', 0));
  SELECT * INTO last FROM operator_action ORDER BY n DESC LIMIT 1;
  next_n := coalesce(last.n, 0) + 1;
  body := (said || jsonb_build_object('n', next_n))::text;
  INSERT INTO operator_action (n, body, hash)
  VALUES (next_n, body, sha256(coalesce(last.hash, decode(repeat('00', 32), 'hex')) || convert_to(body, 'UTF8')));
  RETURN next_n;
END $$;
REVOKE ALL ON FUNCTION append_document_action FROM PUBLIC;
GRANT EXECUTE ON FUNCTION append_document_action TO yiqiao_app;
`;
