import { Migration } from '@mikro-orm/migrations';

/** Accounts at vendors as data, and which of them served a translation at what cost (docs/decisions/0060). */
export class Migration0028VendorAccounts extends Migration {
  override up(): void {
    for (const sql of [ACCOUNTS, LINES, GRANTS]) this.addSql(sql);
  }
}

// Accounts of the settings have a row for their cost and for the log only: address and keys stay in the settings. A removed account keeps
// its row, because the log names it.
const ACCOUNTS = `
CREATE TABLE vendor_account (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text NOT NULL,
  name text NOT NULL,
  origin text NOT NULL CHECK (origin IN ('console', 'environment', 'file', 'sandbox')),
  base_url text,
  sealed_keys text,
  key_end text,
  key_set_at timestamptz(3),
  region text,
  model text,
  weight int NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100),
  requests_per_second double precision CHECK (requests_per_second > 0),
  chars_per_minute bigint CHECK (chars_per_minute > 0),
  chars_per_day bigint CHECK (chars_per_day > 0),
  char_cost int NOT NULL DEFAULT 0 CHECK (char_cost >= 0),
  voice_cost bigint NOT NULL DEFAULT 0 CHECK (voice_cost >= 0),
  image_cost bigint NOT NULL DEFAULT 0 CHECK (image_cost >= 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  paused_at timestamptz(3),
  removed_at timestamptz(3),
  CHECK ((origin = 'console') = (base_url IS NOT NULL)),
  CHECK (origin = 'console' OR (sealed_keys IS NULL AND paused_at IS NULL AND removed_at IS NULL)),
  CHECK (removed_at IS NULL OR sealed_keys IS NULL)
);
CREATE UNIQUE INDEX vendor_account_name ON vendor_account (code, name, origin) WHERE removed_at IS NULL;
COMMENT ON COLUMN vendor_account.sealed_keys IS 'JSON of key and secret; NULL: none, or removed';
COMMENT ON COLUMN vendor_account.key_end IS 'the last four characters of the key';
COMMENT ON COLUMN vendor_account.char_cost IS 'micro-yuan per character; voice_cost per minute, image_cost per picture';
`;

// Without a foreign key, whose check would cost every translation a lookup: accounts are never deleted.
const LINES = `
ALTER TABLE translation_log ADD COLUMN vendor_account_id int, ADD COLUMN vendor_cost bigint;
COMMENT ON COLUMN translation_log.vendor_account_id IS 'the account that served the most of it; NULL: no vendor, or before costs were recorded';
COMMENT ON COLUMN translation_log.vendor_cost IS 'micro-yuan';
`;

// The members' process only registers the accounts of its settings; what is stored of one of the console it cannot make.
const GRANTS = `
REVOKE ALL ON vendor_account FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (code, name, origin) ON vendor_account TO yiqiao_app;
GRANT INSERT (code, name, origin, base_url, sealed_keys, key_end, key_set_at, region, model, weight, requests_per_second,
    chars_per_minute, chars_per_day, char_cost, voice_cost, image_cost),
  UPDATE (base_url, sealed_keys, key_end, key_set_at, region, model, weight, requests_per_second, chars_per_minute, chars_per_day,
    char_cost, voice_cost, image_cost, paused_at, removed_at) ON vendor_account TO yiqiao_operator;
GRANT INSERT (vendor_account_id, vendor_cost) ON translation_log TO yiqiao_app;
`;
