import { Migration } from '@mikro-orm/migrations';

/** Translations that members want remembered, and what that saved them (docs/decisions/0020). */
export class Migration0006RememberedTranslations extends Migration {
  override up(): void {
    for (const sql of [SETTING, REMEMBERED, SAVED, GRANTS]) this.addSql(sql);
  }
}

const SETTING = `
ALTER TABLE member ADD COLUMN translation_cache boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN member.translation_cache IS 'its translations are remembered for the family, and what is remembered is answered free';
`;

// Nothing in it can be read without APP_SECRET, neither the texts nor whether somebody asked for a certain one.
const REMEMBERED = `
CREATE TABLE cached_translation (
  family_id bigint NOT NULL,
  key bytea NOT NULL CHECK (length(key) = 32),
  user_id bigint NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (family_id, key)
);
COMMENT ON COLUMN cached_translation.key IS 'keyed digest of family, channel, languages, glossary version and text';
COMMENT ON COLUMN cached_translation.user_id IS 'who had it translated last';
COMMENT ON COLUMN cached_translation.sealed IS 'the translation, encrypted';
CREATE INDEX cached_translation_age ON cached_translation (created_at);
CREATE INDEX cached_translation_user ON cached_translation (user_id);
`;

const SAVED = `
CREATE TABLE saving_day (
  family_id bigint NOT NULL,
  day date NOT NULL,
  user_id bigint NOT NULL,
  texts bigint NOT NULL,
  char_num bigint NOT NULL,
  PRIMARY KEY (family_id, day, user_id)
);
COMMENT ON COLUMN saving_day.day IS 'in APP_TIMEZONE';
COMMENT ON COLUMN saving_day.texts IS 'answered without asking a channel';
COMMENT ON COLUMN saving_day.char_num IS 'what they would have cost';
`;

const GRANTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON cached_translation, saving_day TO yiqiao_app;
`;
