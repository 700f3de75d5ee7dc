import { Migration } from '@mikro-orm/migrations';

/** Sub-accounts may have caps per day and per month. */
export class Migration0017SpendingCaps extends Migration {
  override up(): void {
    for (const sql of [CAPS, FLAG, RIGHTS]) this.addSql(sql);
  }
}

// What was used counts for the day and the month beside it; a later one begins at 0. All of it changes under the lock of the account's row.
const CAPS = `
CREATE TABLE spending_cap (
  user_id bigint PRIMARY KEY,
  family_id bigint NOT NULL,
  day_char bigint NOT NULL CHECK (day_char >= 0),
  day_voice bigint NOT NULL CHECK (day_voice >= 0),
  day_image bigint NOT NULL CHECK (day_image >= 0),
  month_char bigint NOT NULL CHECK (month_char >= 0),
  month_voice bigint NOT NULL CHECK (month_voice >= 0),
  month_image bigint NOT NULL CHECK (month_image >= 0),
  day date NOT NULL,
  day_char_used bigint NOT NULL CHECK (day_char_used >= 0),
  day_voice_used bigint NOT NULL CHECK (day_voice_used >= 0),
  day_image_used bigint NOT NULL CHECK (day_image_used >= 0),
  month date NOT NULL,
  month_char_used bigint NOT NULL CHECK (month_char_used >= 0),
  month_voice_used bigint NOT NULL CHECK (month_voice_used >= 0),
  month_image_used bigint NOT NULL CHECK (month_image_used >= 0)
) WITH (fillfactor = 70);
COMMENT ON TABLE spending_cap IS 'caps of sub-accounts, 0: none; days and months of APP_TIMEZONE';
`;

// The writer reads caps of accounts with this flag alone: the others cost it nothing.
const FLAG = `
ALTER TABLE member_account ADD COLUMN capped boolean NOT NULL DEFAULT false;
`;

const RIGHTS = `
GRANT SELECT,
  INSERT (user_id, family_id, day_char, day_voice, day_image, month_char, month_voice, month_image, day, day_char_used,
    day_voice_used, day_image_used, month, month_char_used, month_voice_used, month_image_used),
  UPDATE (day_char, day_voice, day_image, month_char, month_voice, month_image, day, day_char_used, day_voice_used,
    day_image_used, month, month_char_used, month_voice_used, month_image_used)
  ON spending_cap TO yiqiao_app;
GRANT UPDATE (capped) ON member_account TO yiqiao_app;
`;
