import { Migration } from '@mikro-orm/migrations';

/** The words that a family wants translated its own way. */
export class Migration0005Glossary extends Migration {
  override up(): void {
    for (const sql of [GLOSSARY, TERMS, GRANTS]) this.addSql(sql);
  }
}

const GLOSSARY = `
CREATE TABLE glossary (
  family_id bigint PRIMARY KEY REFERENCES member (id),
  version bigint NOT NULL DEFAULT 1 CHECK (version > 0),
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN glossary.version IS 'grows by one with every change of the family''s terms';
`;

const TERMS = `
CREATE TABLE glossary_term (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  family_id bigint NOT NULL REFERENCES member (id),
  source text NOT NULL,
  target text NOT NULL CHECK (target <> source),
  term text NOT NULL,
  term_key text NOT NULL,
  translation text NOT NULL,
  sought text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (family_id, source, target, term_key)
);
COMMENT ON COLUMN glossary_term.term_key IS 'terms of one key would be found in the same places of a text';
COMMENT ON COLUMN glossary_term.sought IS 'what the filter of the page looks in: term and translation, whatever their case';
CREATE INDEX glossary_term_family ON glossary_term (family_id, id DESC);
`;

const GRANTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON glossary, glossary_term TO yiqiao_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO yiqiao_app;
`;
