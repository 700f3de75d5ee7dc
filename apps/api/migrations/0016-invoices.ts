import { Migration } from '@mikro-orm/migrations';

/** Requests for tax invoices (docs/decisions/0048). */
export class Migration0016Invoices extends Migration {
  override up(): void {
    for (const sql of [REQUESTS, ACTIONS, GRANTS]) this.addSql(sql);
  }
}

const REQUESTS = `
CREATE TABLE invoice_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES recharge_order (id),
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'issued', 'rejected')),
  kind text NOT NULL CHECK (kind IN ('company', 'personal')),
  title text NOT NULL,
  tax_no text,
  email text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  invoice_no text,
  reason text,
  requested_at timestamptz(3) NOT NULL,
  answered_at timestamptz(3),
  CHECK ((kind = 'company') = (tax_no IS NOT NULL)),
  CHECK ((state = 'requested') = (answered_at IS NULL)),
  CHECK ((state = 'rejected') = (reason IS NOT NULL)),
  CHECK (invoice_no IS NULL OR state = 'issued')
);
COMMENT ON TABLE invoice_request IS 'personal data: deleted with the account';
COMMENT ON COLUMN invoice_request.amount IS 'fen: what was paid, less what had gone back';
CREATE UNIQUE INDEX invoice_request_one ON invoice_request (order_id) WHERE state <> 'rejected';
CREATE INDEX invoice_request_order ON invoice_request (order_id, id);
CREATE INDEX invoice_request_user ON invoice_request (user_id);
CREATE INDEX invoice_request_open ON invoice_request (id) WHERE state = 'requested';
`;

const ACTIONS = `
ALTER TABLE manager_action DROP CONSTRAINT manager_action_target_kind_check,
  ADD CONSTRAINT manager_action_target_kind_check
    CHECK (target_kind IN ('member', 'plan', 'channel', 'config', 'notice', 'manager', 'invoice'));
`;

const GRANTS = `
GRANT SELECT, INSERT (order_id, user_id, family_id, kind, title, tax_no, email, amount, requested_at),
  UPDATE (state, invoice_no, reason, answered_at), DELETE ON invoice_request TO yiqiao_app;
`;
