import { Migration } from '@mikro-orm/migrations';

/** What vendors asked for a month, beside what the log adds up to; and the log by its time, for the margin (operators §9). */
export class Migration0033VendorBills extends Migration {
  override up(): void {
    for (const sql of [BILLS, TIME, GRANTS]) this.addSql(sql);
  }
}

// A bill that was entered wrongly is voided, not changed: the action log names both.
const BILLS = `
CREATE TABLE vendor_bill (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  vendor_account_id int NOT NULL REFERENCES vendor_account (id),
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  number text NOT NULL CHECK (char_length(number) BETWEEN 1 AND 100),
  amount bigint NOT NULL CHECK (amount >= 0),
  entered_by text NOT NULL,
  entered_at timestamptz(3) NOT NULL DEFAULT now(),
  voided_at timestamptz(3)
);
CREATE UNIQUE INDEX vendor_bill_once ON vendor_bill (vendor_account_id, number) WHERE voided_at IS NULL;
CREATE INDEX vendor_bill_month ON vendor_bill (month);
COMMENT ON COLUMN vendor_bill.amount IS 'fen';
`;

// Lines are written in the order of their time, so a block range is small and costs an insert nothing.
const TIME = `CREATE INDEX translation_log_time ON translation_log USING brin (created_at);`;

const GRANTS = `
REVOKE ALL ON vendor_bill FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (vendor_account_id, month, number, amount, entered_by), UPDATE (voided_at) ON vendor_bill TO yiqiao_operator;
`;
