import { Migration } from '@mikro-orm/migrations';

/** Members for operators: found by parts of their names, noted about, and viewed read-only (docs/decisions/0058). */
export class Migration0026MemberSearch extends Migration {
  override up(): void {
    for (const sql of [PARTS, INDEXES, NOTES, VIEWS, GRANTS]) this.addSql(sql);
  }
}

// Pairs for Chinese names of two characters, threes because pairs alone are too common. Not pg_trgm, which knows no pairs and, in the C
// locale, no Chinese. PL/pgSQL: four times as fast as one SQL statement, for every registration and for the index of a full table.
const PARTS = `
CREATE FUNCTION letter_runs(name text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE runs text[] := '{}';
BEGIN
  FOR at IN 1..length(name) - 1 LOOP
    runs[2 * at - 1] := substr(name, at, 2);
    runs[2 * at] := substr(name, at, 3);
  END LOOP;
  RETURN runs;
END $$;
COMMENT ON FUNCTION letter_runs IS 'every two and three neighbouring letters: the index keys of a search for a part of a name';
`;

// A deleted sub-account has lost its nickname and may have its last name instead.
const INDEXES = `
CREATE INDEX identity_key_prefix ON identity (unique_key text_pattern_ops);
CREATE INDEX identity_key_parts ON identity USING gin (letter_runs(unique_key));
CREATE INDEX member_name_prefix ON member (lower(coalesce(nickname, last_name)) text_pattern_ops);
CREATE INDEX member_name_parts ON member USING gin (letter_runs(lower(coalesce(nickname, last_name))));
CREATE INDEX member_sub ON member (id) WHERE parent_id IS NOT NULL;
CREATE INDEX member_disabled ON member (id) WHERE NOT enabled;
CREATE INDEX member_closed ON member (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX member_account_expiry ON member_account (expire_at) WHERE expire_at IS NOT NULL;
`;

const NOTES = `
CREATE TABLE member_note (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  manager_id bigint NOT NULL REFERENCES manager (id),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 500),
  noted_at timestamptz(3) NOT NULL
);
CREATE INDEX member_note_family ON member_note (family_id, id);
COMMENT ON TABLE member_note IS 'what operators note about a member; deleted with the account';
`;

const VIEWS = `
CREATE TABLE member_view (
  digest text PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  viewed_by text NOT NULL,
  operator_session text NOT NULL REFERENCES operator_session (digest) ON DELETE CASCADE,
  link_until timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  session_digest text,
  ended_at timestamptz(3)
);
CREATE INDEX member_view_operator ON member_view (operator_session);
COMMENT ON TABLE member_view IS 'links with which operators open a member''s console read-only';
COMMENT ON COLUMN member_view.digest IS 'of the token in the link';
COMMENT ON COLUMN member_view.session_digest IS 'the member session that the link started; null until it is used';
ALTER TABLE session ADD COLUMN view_until timestamptz(3);
COMMENT ON COLUMN session.view_until IS 'of an operator who views the account: read-only, and ends then; null for the member''s own';
`;

const GRANTS = `
GRANT SELECT ON member_note, member_view TO yiqiao_operator;
GRANT INSERT (user_id, family_id, manager_id, text, noted_at) ON member_note TO yiqiao_operator;
GRANT INSERT (digest, user_id, family_id, viewed_by, operator_session, link_until, until), UPDATE (ended_at)
  ON member_view TO yiqiao_operator;
GRANT SELECT (user_id), DELETE ON member_note TO yiqiao_app;
GRANT SELECT, UPDATE (session_digest), DELETE ON member_view TO yiqiao_app;
GRANT INSERT (view_until) ON session TO yiqiao_app;
`;
