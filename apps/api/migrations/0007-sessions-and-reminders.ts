import { Migration } from '@mikro-orm/migrations';

/** Where members are signed in, and when they want to be warned (docs/decisions/0022). */
export class Migration0007SessionsAndReminders extends Migration {
  override up(): void {
    for (const sql of [SESSIONS, REMINDERS, TOLD_ALREADY, GRANTS]) this.addSql(sql);
  }
}

// A session is named to its member by a number: the digest of its token leaves the database for nobody.
const SESSIONS = `
ALTER TABLE session ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE, ADD COLUMN login_ip inet;
COMMENT ON COLUMN session.login_ip IS 'from where it was started; personal, so it goes with its member';
`;

const REMINDERS = `
CREATE TABLE member_reminder (
  user_id bigint PRIMARY KEY REFERENCES member (id),
  family_id bigint NOT NULL,
  low_char_num bigint CHECK (low_char_num >= 0),
  expiry_days int CHECK (expiry_days >= 0),
  by_mail boolean,
  low_told_seq bigint,
  expiry_told_for timestamptz(3)
);
COMMENT ON COLUMN member_reminder.low_char_num IS '0: never; null, like the next two: as the product proposes';
COMMENT ON COLUMN member_reminder.low_told_seq IS 'the member was told; up to this entry the balance has stayed low since. Null: the next fall is told';
COMMENT ON COLUMN member_reminder.expiry_told_for IS 'the expiry that was told';
CREATE INDEX member_reminder_family ON member_reminder (family_id);
CREATE TABLE reminder (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  told_at timestamptz(3) NOT NULL DEFAULT now(),
  char_num bigint,
  least bigint,
  expire_at timestamptz(3),
  mailed_at timestamptz(3),
  CHECK ((char_num IS NULL) = (least IS NULL) AND (char_num IS NULL) <> (expire_at IS NULL))
);
COMMENT ON TABLE reminder IS 'a letter to a member whose balance fell below least, or whose package ends';
COMMENT ON COLUMN reminder.mailed_at IS 'set before the mail server is asked: no letter is sent twice';
CREATE INDEX reminder_user ON reminder (user_id);
CREATE INDEX reminder_age ON reminder (told_at);
`;

// Whoever was low or near its end before there were warnings has not crossed anything now: no letters to all of them at once.
const TOLD_ALREADY = `
INSERT INTO member_reminder (user_id, family_id, low_told_seq, expiry_told_for)
SELECT user_id, family_id, CASE WHEN usable_char_num < 1000 THEN entry_seq END, expire_at FROM member_account
WHERE user_id = family_id AND (usable_char_num < 1000 OR expire_at < now() + interval '3 days');
`;

const GRANTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON member_reminder, reminder TO yiqiao_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO yiqiao_app;
`;
