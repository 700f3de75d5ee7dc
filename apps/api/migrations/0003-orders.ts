import { Migration } from '@mikro-orm/migrations';

/** Orders, the money that comes for them, and what gateways say about it. */
export class Migration0003Orders extends Migration {
  override up(): void {
    for (const sql of [ORDERS, PAYMENTS, NOTIFICATIONS, LEDGER, HOLDS, GRANTED, SESSIONS, SITE, GRANTS])
      this.addSql(sql);
  }
}

// What is bought is copied into the order: a price list that changes later changes no order (decisions §5).
const ORDERS = `
CREATE TABLE recharge_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  no text NOT NULL UNIQUE CHECK (no ~ '^[0-9A-Z]{6,32}$'),
  user_id bigint NOT NULL REFERENCES member (id),
  family_id bigint NOT NULL,
  pay_cmd uuid NOT NULL UNIQUE,
  pay_channel text NOT NULL,
  pay_status char(1) NOT NULL DEFAULT 'W' CHECK (pay_status IN ('W', 'P', 'T', 'C')),
  member_group_id int NOT NULL REFERENCES member_group (id),
  group_name text NOT NULL,
  group_en_name text NOT NULL,
  billing_mode smallint NOT NULL CHECK (billing_mode IN (1, 2)),
  num bigint NOT NULL CHECK (num > 0),
  voice_num int NOT NULL CHECK (voice_num >= 0),
  image_num int NOT NULL CHECK (image_num >= 0),
  minute_price int NOT NULL CHECK (minute_price >= 1),
  tran_channel_id int REFERENCES tran_channel (id),
  sales_num int NOT NULL CHECK (sales_num BETWEEN 1 AND 999),
  sale_price bigint NOT NULL CHECK (sale_price > 0),
  amount bigint NOT NULL CHECK (amount = sale_price * sales_num),
  offer text,
  asked int NOT NULL DEFAULT 0,
  paid_by bigint UNIQUE,
  group_before int REFERENCES member_group (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  paid_at timestamptz(3),
  CHECK ((pay_status = 'P') = (paid_by IS NOT NULL)),
  CHECK ((pay_status = 'P') = (paid_at IS NOT NULL))
);
COMMENT ON COLUMN recharge_order.num IS 'of one unit: characters, or minutes of a time package';
COMMENT ON COLUMN recharge_order.amount IS 'fen';
COMMENT ON COLUMN recharge_order.offer IS 'the text of the QR code, once the gateway gave it';
COMMENT ON COLUMN recharge_order.asked IS 'how often the gateway was asked about it by itself';
COMMENT ON COLUMN recharge_order.group_before IS 'the plan that a refund leads back to';
CREATE INDEX recharge_order_user ON recharge_order (user_id, id DESC);
CREATE INDEX recharge_order_open ON recharge_order (user_id) WHERE pay_status = 'W';
CREATE TABLE order_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES recharge_order (id),
  family_id bigint NOT NULL,
  event text NOT NULL,
  happened_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX order_event_order ON order_event (order_id, id);
CREATE INDEX order_event_unanswered ON order_event (order_id) WHERE event = 'unanswered';
`;

// One row for each transaction of a gateway that is proven to be for one of our orders: money that is here, whatever became of it.
const PAYMENTS = `
CREATE TABLE payment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway text NOT NULL,
  trade_no text NOT NULL,
  order_id bigint NOT NULL REFERENCES recharge_order (id),
  family_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  currency text NOT NULL,
  paid_at timestamptz(3),
  seen_by text NOT NULL CHECK (seen_by IN ('notification', 'query')),
  verdict text NOT NULL CHECK (verdict IN ('credit', 'double', 'afterLogOff', 'wrongAmount', 'tooLarge')),
  refund_state text CHECK (refund_state IN ('started', 'done', 'refused')),
  refund_no text UNIQUE,
  refund_cmd uuid,
  refund_manager_id bigint REFERENCES manager (id),
  refund_reason text,
  refund_answer text,
  refunded_at timestamptz(3),
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (gateway, trade_no),
  CHECK ((refund_state IS NULL) = (refund_no IS NULL))
);
CREATE INDEX payment_order ON payment (order_id);
CREATE INDEX payment_attention ON payment (id) WHERE verdict <> 'credit' OR refund_state IS NOT NULL;
ALTER TABLE recharge_order ADD FOREIGN KEY (paid_by) REFERENCES payment (id);
`;

// What gateways sent, as it came. A forged message must not stand in the way of the true one, so only true ones are unique by their
// transaction; forged ones are unique by what they say.
const NOTIFICATIONS = `
CREATE TABLE pay_notification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  gateway text NOT NULL,
  genuine boolean NOT NULL,
  subject text NOT NULL,
  order_no text,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  payment jsonb,
  outcome text,
  times int NOT NULL DEFAULT 1,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  last_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (gateway, genuine, subject)
);
COMMENT ON COLUMN pay_notification.subject IS 'the transaction and what happened to it; of a forgery the digest of the body';
COMMENT ON COLUMN pay_notification.payment IS 'the payment that a genuine message reports: what is left to do after a crash';
COMMENT ON COLUMN pay_notification.outcome IS 'null until it was worked on';
CREATE INDEX pay_notification_order ON pay_notification (order_no);
CREATE INDEX pay_notification_attention ON pay_notification (id)
  WHERE outcome IN ('forged', 'stranger', 'unknownOrder', 'wrongOrder', 'wrongAmount');
CREATE INDEX pay_notification_waiting ON pay_notification (id) WHERE outcome IS NULL;
`;

// The database itself refuses a second recharge for one order.
const LEDGER = `
CREATE UNIQUE INDEX account_log_order ON account_log (order_id) WHERE order_id IS NOT NULL AND log_type = 1;
CREATE INDEX account_log_of_order ON account_log (order_id, user_id, seq) WHERE order_id IS NOT NULL;
`;

// A conversion looks for what was given back a moment ago. Holds that are settled never enter this index.
const HOLDS = `
CREATE INDEX ledger_hold_released ON ledger_hold (user_id, released_at) WHERE released_at IS NOT NULL;
`;

// The audit looks for the reason of every plan that an operator gave.
const GRANTED = `
CREATE INDEX account_log_granted ON account_log (user_id, seq) WHERE log_type = 1 AND manager_id IS NOT NULL;
`;

// Whoever is switched on again finds here what being switched off had ended.
const SESSIONS = `
CREATE INDEX session_disabled ON session (user_id) WHERE end_reason = 'disabled';
`;

const SITE = `
CREATE TABLE data_config (
  id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_]{1,64}$'),
  valued jsonb NOT NULL,
  public boolean NOT NULL DEFAULT true,
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);
`;

const GRANTS = `
GRANT SELECT ON recharge_order, order_event, payment, pay_notification, data_config TO yiqiao_app;
GRANT INSERT ON recharge_order, order_event, payment, pay_notification TO yiqiao_app;
GRANT UPDATE (pay_status, offer, asked, paid_by, paid_at, group_before) ON recharge_order TO yiqiao_app;
GRANT UPDATE (amount, currency, paid_at, seen_by, verdict, refund_state, refund_no, refund_cmd, refund_manager_id, refund_reason,
  refund_answer, refunded_at) ON payment TO yiqiao_app;
GRANT UPDATE (outcome, times, last_at) ON pay_notification TO yiqiao_app;
GRANT DELETE ON pay_notification TO yiqiao_app;
GRANT INSERT, UPDATE, DELETE ON data_config TO yiqiao_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO yiqiao_app;
`;
