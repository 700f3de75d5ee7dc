import { Migration } from '@mikro-orm/migrations';

/** What the audit holds entries against beside the ledger itself (docs/decisions/0035). */
export class Migration0010AuditWitnesses extends Migration {
  override up(): void {
    for (const sql of [GIFTS, PAIRS, USAGE, PAYMENTS]) this.addSql(sql);
  }
}

const GIFTS = `
ALTER TABLE mailbox_gift ADD COLUMN user_id bigint REFERENCES member (id),
  ADD COLUMN char_num bigint, ADD COLUMN voice_num bigint, ADD COLUMN image_num bigint;
CREATE UNIQUE INDEX mailbox_gift_user ON mailbox_gift (user_id, gift);
COMMENT ON COLUMN mailbox_gift.user_id IS 'whose entry gave it; the keyed hash says nothing of the mailbox';
`;

// Gift and entry were always written in one transaction, so the n-th gift of a kind belongs to the n-th entry that gives one.
const PAIRS = `
WITH gifts AS (
  SELECT mailbox_hmac, gift, row_number() OVER (PARTITION BY gift ORDER BY given_at, mailbox_hmac) AS n FROM mailbox_gift
), entries AS (
  SELECT user_id, char_change, voice_change, image_change, CASE log_type WHEN 9 THEN 'trial' ELSE 'invite' END AS gift,
    row_number() OVER (PARTITION BY log_type ORDER BY created_at, user_id) AS n
  FROM account_log
  WHERE type_seq = 1 AND (log_type = 10 OR (log_type = 9 AND seq = 1 AND member_group_id = 1
    AND char_change + voice_change + image_change > 0))
)
UPDATE mailbox_gift g SET user_id = e.user_id, char_num = e.char_change, voice_num = e.voice_change, image_num = e.image_change
FROM gifts s JOIN entries e ON e.gift = s.gift AND e.n = s.n
WHERE g.mailbox_hmac = s.mailbox_hmac AND g.gift = s.gift;
`;

// The audit reads the roll-up account by account.
const USAGE = `
CREATE INDEX usage_day_user ON usage_day (user_id, day);
`;

// What a gateway reported is revised only while it is of a wrong amount and nothing of it went back: then it is money that counts.
const PAYMENTS = `
CREATE FUNCTION refuse_revising_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'payment % counts: what was paid is not revised', OLD.id USING ERRCODE = 'insufficient_privilege'; END $$;
CREATE TRIGGER payment_counts BEFORE UPDATE ON payment FOR EACH ROW
  WHEN ((OLD.verdict <> 'wrongAmount' OR OLD.refund_state IS NOT NULL)
    AND (OLD.amount, OLD.currency, OLD.gateway, OLD.trade_no, OLD.order_id)
      IS DISTINCT FROM (NEW.amount, NEW.currency, NEW.gateway, NEW.trade_no, NEW.order_id))
  EXECUTE FUNCTION refuse_revising_payment();
`;
