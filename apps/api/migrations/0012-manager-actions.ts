import { Migration } from '@mikro-orm/migrations';

/** Who may act as an operator, what every operator changed, and refunds of a part of what was paid. */
export class Migration0012ManagerActions extends Migration {
  override up(): void {
    for (const sql of [MANAGERS, ACTIONS, REFUNDS, GRANTS]) this.addSql(sql);
  }
}

// Names stay for ever, because the ledger and the actions point at them; whoever leaves is off the list.
const MANAGERS = `
ALTER TABLE manager
  ADD COLUMN listed boolean NOT NULL DEFAULT true,
  ADD COLUMN added_at timestamptz(3) NOT NULL DEFAULT now();
COMMENT ON COLUMN manager.listed IS 'whether commands are accepted in this name';
`;

const ACTIONS = `
ALTER TABLE manager_action
  ADD COLUMN target_kind text NOT NULL DEFAULT 'member'
    CHECK (target_kind IN ('member', 'plan', 'channel', 'config', 'notice', 'manager')),
  ADD COLUMN target_id text,
  ADD COLUMN before jsonb,
  ADD COLUMN after jsonb,
  ALTER COLUMN user_id DROP NOT NULL,
  ALTER COLUMN family_id DROP NOT NULL,
  ALTER COLUMN reason DROP NOT NULL,
  ADD CONSTRAINT manager_action_target CHECK (CASE WHEN target_kind = 'member'
    THEN user_id IS NOT NULL AND family_id IS NOT NULL AND reason IS NOT NULL AND target_id IS NULL
    ELSE user_id IS NULL AND family_id IS NULL AND target_id IS NOT NULL AND (before IS NOT NULL OR after IS NOT NULL) END);
COMMENT ON TABLE manager_action IS
  'what an operator did and why; of a member, cmd_id is the command id of the entries, which hold what changed';
COMMENT ON COLUMN manager_action.before IS 'the fields that changed, as they were; null: it was not there';
COMMENT ON COLUMN manager_action.after IS 'the same fields, as they became';
CREATE INDEX manager_action_target_history ON manager_action (target_kind, target_id, done_at) WHERE target_kind <> 'member';
`;

// A payment names its last refund; those that were done before it stand beside. What went back: refunded_before, and of the last
// refund its amount once it is done.
const REFUNDS = `
ALTER TABLE payment
  ADD COLUMN refund_amount bigint CHECK (refund_amount > 0 AND refunded_before + refund_amount <= amount),
  ADD COLUMN refunded_before bigint NOT NULL DEFAULT 0 CHECK (refunded_before >= 0),
  ADD COLUMN refund_source text CHECK (refund_source IN ('operator', 'gateway'));
UPDATE payment SET refund_amount = amount, refund_source = 'operator' WHERE refund_state IS NOT NULL AND amount > 0;
COMMENT ON COLUMN payment.refund_amount IS 'fen, of the last refund';
COMMENT ON COLUMN payment.refund_source IS 'gateway: it was made on the gateway''s own pages and recorded here';
CREATE TABLE earlier_refund (
  no text PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payment (id),
  amount bigint NOT NULL CHECK (amount > 0),
  cmd_id uuid NOT NULL,
  manager_id bigint NOT NULL REFERENCES manager (id),
  reason text NOT NULL,
  source text NOT NULL CHECK (source IN ('operator', 'gateway')),
  refunded_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE earlier_refund IS 'refunds that were done before the last one of their payment';
CREATE INDEX earlier_refund_payment ON earlier_refund (payment_id);
`;

const GRANTS = `
GRANT UPDATE (refund_amount, refunded_before, refund_source) ON payment TO yiqiao_app;
GRANT SELECT, INSERT ON earlier_refund TO yiqiao_app;
GRANT UPDATE (listed) ON manager TO yiqiao_app;
`;
