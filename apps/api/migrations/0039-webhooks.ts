import { Migration } from '@mikro-orm/migrations';

/** Webhooks: endpoints, what they are told, and every delivery (docs/decisions/0073). */
export class Migration0039Webhooks extends Migration {
  override up(): void {
    for (const sql of [ENDPOINTS, MESSAGES, DELIVERIES, EXHAUSTED, GRANTS]) this.addSql(sql);
  }
}

const ENDPOINTS = `
CREATE TABLE webhook_endpoint (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  family_id bigint NOT NULL REFERENCES member (id),
  name text NOT NULL,
  sealed_url text NOT NULL,
  format text NOT NULL CHECK (format IN ('standard', 'wecom', 'feishu', 'dingtalk', 'slack')),
  language text NOT NULL CHECK (language IN ('zh', 'en')),
  events jsonb NOT NULL,
  sealed_secret text,
  old_sealed_secret text,
  old_secret_until timestamptz(3),
  enabled boolean NOT NULL,
  failing_since timestamptz(3),
  paused_at timestamptz(3),
  pause_reason text CHECK (pause_reason IN ('failures', 'gone')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((paused_at IS NULL) = (pause_reason IS NULL)),
  CHECK ((old_sealed_secret IS NULL) = (old_secret_until IS NULL)),
  CHECK (format <> 'standard' OR sealed_secret IS NOT NULL)
);
COMMENT ON TABLE webhook_endpoint IS 'deleted with the account';
COMMENT ON COLUMN webhook_endpoint.sealed_url IS 'encrypted: the address of a robot is its password';
COMMENT ON COLUMN webhook_endpoint.events IS 'by its name, since when it is subscribed to: ms since 1970';
COMMENT ON COLUMN webhook_endpoint.sealed_secret IS 'ours for the format standard, its platform''s for a robot; encrypted';
COMMENT ON COLUMN webhook_endpoint.failing_since IS 'nothing was delivered since';
CREATE INDEX webhook_endpoint_family ON webhook_endpoint (family_id);
CREATE INDEX webhook_endpoint_failing ON webhook_endpoint (failing_since) WHERE failing_since IS NOT NULL AND paused_at IS NULL;
`;

const MESSAGES = `
CREATE TABLE webhook_message (
  id uuid PRIMARY KEY,
  family_id bigint NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  happened_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN webhook_message.id IS 'derived from what happened: it is one message however often its job runs';
COMMENT ON COLUMN webhook_message.subject IS 'messages about the same one are delivered in order';
CREATE INDEX webhook_message_family ON webhook_message (family_id);
CREATE INDEX webhook_message_age ON webhook_message (created_at);
`;

// Of the subject, and not of its message, so that the next delivery is found in one index.
const DELIVERIES = `
CREATE TABLE webhook_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES webhook_message (id) ON DELETE CASCADE,
  endpoint_id bigint NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
  family_id bigint NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'canceled')),
  attempts integer NOT NULL DEFAULT 0,
  first_tried_at timestamptz(3),
  last_tried_at timestamptz(3),
  leased_until timestamptz(3),
  next_at timestamptz(3),
  http_status integer,
  milliseconds integer,
  failure text,
  answer text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (state = 'waiting' OR next_at IS NULL)
);
COMMENT ON COLUMN webhook_delivery.leased_until IS 'so long an attempt is under way, unless its process has died';
COMMENT ON COLUMN webhook_delivery.next_at IS 'null: not before its endpoint is resumed, or never again';
CREATE INDEX webhook_delivery_due ON webhook_delivery (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (endpoint_id, subject, id) WHERE state = 'waiting';
CREATE INDEX webhook_delivery_log ON webhook_delivery (endpoint_id, id);
CREATE INDEX webhook_delivery_message ON webhook_delivery (message_id);
`;

const EXHAUSTED = `
ALTER TABLE member_reminder ADD COLUMN exhausted_told_seq bigint;
COMMENT ON COLUMN member_reminder.exhausted_told_seq IS 'up to this entry of the ledger the balance has stayed at 0 since webhooks were told';
GRANT INSERT (exhausted_told_seq), UPDATE (exhausted_told_seq) ON member_reminder TO yiqiao_app;
`;

const GRANTS = `
REVOKE ALL ON webhook_endpoint, webhook_message, webhook_delivery FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (family_id, name, sealed_url, format, language, events, sealed_secret, enabled),
  UPDATE (name, sealed_url, format, language, events, sealed_secret, old_sealed_secret, old_secret_until, enabled, failing_since,
    paused_at, pause_reason), DELETE ON webhook_endpoint TO yiqiao_app;
GRANT SELECT, INSERT (id, family_id, type, subject, data, happened_at), DELETE ON webhook_message TO yiqiao_app;
GRANT SELECT,
  INSERT (message_id, endpoint_id, family_id, type, subject, state, attempts, first_tried_at, last_tried_at, next_at, http_status,
    milliseconds, failure, answer),
  UPDATE (state, attempts, first_tried_at, last_tried_at, leased_until, next_at, http_status, milliseconds, failure, answer), DELETE
  ON webhook_delivery TO yiqiao_app;
`;
