import { Migration } from '@mikro-orm/migrations';

/** Mail about an account: receipts, refunds, new devices, the end of the account (docs/decisions/0047). */
export class Migration0015AccountMail extends Migration {
  override up(): void {
    for (const sql of [LANGUAGE, MAIL, DEVICES, GRANTS]) this.addSql(sql);
  }
}

const LANGUAGE = `
ALTER TABLE member ADD COLUMN language text CHECK (language IN ('zh', 'en'));
COMMENT ON COLUMN member.language IS 'of the last sign-in; null before there was one';
`;

const MAIL = `
CREATE TABLE outgoing_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES member (id),
  sealed text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at timestamptz(3)
);
COMMENT ON COLUMN outgoing_mail.sealed IS 'address and content, encrypted until the mail is sent, then null';
COMMENT ON COLUMN outgoing_mail.sent_at IS 'set before the mail server is asked: no mail is sent twice';
CREATE INDEX outgoing_mail_user ON outgoing_mail (user_id);
CREATE INDEX outgoing_mail_age ON outgoing_mail (created_at);
`;

const DEVICES = `
CREATE TABLE member_device (
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  digest text NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, digest)
);
COMMENT ON COLUMN member_device.digest IS 'keyed digest of browser, system, client and network';
CREATE INDEX member_device_age ON member_device (last_seen_at);
`;

const GRANTS = `
GRANT INSERT (language), UPDATE (language) ON member TO yiqiao_app;
GRANT SELECT, INSERT (user_id, sealed), UPDATE (sealed, sent_at), DELETE ON outgoing_mail TO yiqiao_app;
GRANT SELECT, INSERT (user_id, family_id, digest, last_seen_at), UPDATE (last_seen_at), DELETE ON member_device TO yiqiao_app;
`;
