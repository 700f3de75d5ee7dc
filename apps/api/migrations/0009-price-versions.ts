import { Migration } from '@mikro-orm/migrations';

/** Packages are worth what their characters cost at a reference channel; every price keeps its history (docs/decisions/0033, 0034). */
export class Migration0009PriceVersions extends Migration {
  override up(): void {
    for (const sql of [VERSIONS, REFERENCES, RECORDING, FIRST_VERSIONS, ORDERS, GUARD, GRANTS]) this.addSql(sql);
  }
}

// A history outlives its row, so these tables reference neither channels nor plans.
const VERSIONS = `
CREATE TABLE channel_price (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tran_channel_id int NOT NULL,
  price int NOT NULL CHECK (price >= 1),
  effective_at timestamptz(3) NOT NULL,
  manager_id bigint REFERENCES manager (id),
  reason text NOT NULL,
  UNIQUE (tran_channel_id, effective_at)
);
CREATE TABLE plan_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_group_id int NOT NULL,
  billing_mode smallint NOT NULL CHECK (billing_mode IN (1, 2)),
  num bigint NOT NULL CHECK (num >= 0),
  sale_price int NOT NULL CHECK (sale_price >= 0),
  minute_price int NOT NULL CHECK (minute_price >= 1),
  voice_num int NOT NULL,
  image_num int NOT NULL,
  tran_channel_id int,
  reference_channel_id int NOT NULL,
  effective_at timestamptz(3) NOT NULL,
  manager_id bigint REFERENCES manager (id),
  reason text NOT NULL,
  UNIQUE (member_group_id, effective_at)
);
COMMENT ON TABLE channel_price IS 'every price a channel ever had: the one at a moment is the last with effective_at <= it';
COMMENT ON TABLE plan_version IS 'everything of a plan that a purchase copies, as channel_price';
`;

// A plan from before: its own channel, DeepL for the AI tier, else Google, which is what a new price list says; without these channels
// (a database that holds a part of the list) the first one there is.
const REFERENCES = `
ALTER TABLE member_group ADD COLUMN reference_channel_id int REFERENCES tran_channel (id);
UPDATE member_group SET reference_channel_id = coalesce(tran_channel_id,
  (SELECT id FROM tran_channel WHERE code = CASE tier WHEN 'ai' THEN 'deepl' ELSE 'google' END),
  (SELECT min(id) FROM tran_channel));
ALTER TABLE member_group ALTER COLUMN reference_channel_id SET NOT NULL;
COMMENT ON COLUMN member_group.reference_channel_id IS 'the channel at whose price num characters, or minutes, are what the package holds';
`;

// Recorded by the database itself, so that no writer can change a price without its version. The row lock of the UPDATE waits for every
// transaction that read the old price FOR SHARE, and their entries bear earlier times; whoever reads the new price does so after the
// commit, and the commit waits until the version is in effect. Entries are rounded to the nearest millisecond, hence two.
const RECORDING = `
CREATE FUNCTION next_version(last timestamptz) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE at timestamptz;
BEGIN
  IF last IS NULL THEN RETURN 'epoch'; END IF;
  at := greatest(date_trunc('milliseconds', clock_timestamp()) + interval '2 ms', last + interval '1 ms');
  PERFORM pg_sleep(extract(epoch FROM at - clock_timestamp()));
  RETURN at;
END $$;
CREATE FUNCTION record_channel_price() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO channel_price (tran_channel_id, price, effective_at, manager_id, reason)
  SELECT NEW.id, NEW.price, next_version((SELECT max(effective_at) FROM channel_price WHERE tran_channel_id = NEW.id)),
    nullif(current_setting('yiqiao.manager_id', true), '')::bigint, coalesce(current_setting('yiqiao.reason', true), '');
  RETURN NULL;
END $$;
CREATE FUNCTION record_plan_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO plan_version (member_group_id, billing_mode, num, sale_price, minute_price, voice_num, image_num, tran_channel_id,
    reference_channel_id, effective_at, manager_id, reason)
  SELECT NEW.id, NEW.billing_mode, NEW.num, NEW.sale_price, NEW.minute_price, NEW.voice_num, NEW.image_num, NEW.tran_channel_id,
    NEW.reference_channel_id, next_version((SELECT max(effective_at) FROM plan_version WHERE member_group_id = NEW.id)),
    nullif(current_setting('yiqiao.manager_id', true), '')::bigint, coalesce(current_setting('yiqiao.reason', true), '');
  RETURN NULL;
END $$;
CREATE TRIGGER tran_channel_first_price AFTER INSERT ON tran_channel FOR EACH ROW EXECUTE FUNCTION record_channel_price();
CREATE TRIGGER tran_channel_new_price AFTER UPDATE ON tran_channel FOR EACH ROW WHEN (OLD.price <> NEW.price)
  EXECUTE FUNCTION record_channel_price();
CREATE TRIGGER member_group_first_version AFTER INSERT ON member_group FOR EACH ROW EXECUTE FUNCTION record_plan_version();
CREATE TRIGGER member_group_new_version AFTER UPDATE ON member_group FOR EACH ROW
  WHEN ((OLD.billing_mode, OLD.num, OLD.sale_price, OLD.minute_price, OLD.voice_num, OLD.image_num, OLD.tran_channel_id,
      OLD.reference_channel_id)
    IS DISTINCT FROM (NEW.billing_mode, NEW.num, NEW.sale_price, NEW.minute_price, NEW.voice_num, NEW.image_num, NEW.tran_channel_id,
      NEW.reference_channel_id))
  EXECUTE FUNCTION record_plan_version();
`;

const FIRST_VERSIONS = `
INSERT INTO channel_price (tran_channel_id, price, effective_at, reason) SELECT id, price, 'epoch', '' FROM tran_channel ORDER BY id;
INSERT INTO plan_version (member_group_id, billing_mode, num, sale_price, minute_price, voice_num, image_num, tran_channel_id,
  reference_channel_id, effective_at, reason)
SELECT id, billing_mode, num, sale_price, minute_price, voice_num, image_num, tran_channel_id, reference_channel_id, 'epoch', ''
FROM member_group ORDER BY id;
`;

// An order that was credited got num × quantity on the channel that its account was on, so that channel is its reference.
const ORDERS = `
ALTER TABLE recharge_order ADD COLUMN plan_version_id bigint REFERENCES plan_version (id),
  ADD COLUMN reference_channel_id int REFERENCES tran_channel (id), ADD COLUMN reference_price int CHECK (reference_price >= 1);
UPDATE recharge_order o SET plan_version_id = v.id, reference_channel_id = c.id, reference_price = c.price
FROM plan_version v, tran_channel c
WHERE v.member_group_id = o.member_group_id AND c.id = coalesce(
  (SELECT e.last_tran_channel_id FROM account_log e WHERE e.order_id = o.id AND e.log_type = 1), o.tran_channel_id,
  v.reference_channel_id);
ALTER TABLE recharge_order ALTER COLUMN plan_version_id SET NOT NULL, ALTER COLUMN reference_channel_id SET NOT NULL,
  ALTER COLUMN reference_price SET NOT NULL;
COMMENT ON COLUMN recharge_order.reference_price IS 'micro-yuan per character through the reference channel when the order was placed';
`;

const GUARD = ['channel_price', 'plan_version']
  .map(
    (table) => `
CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
`,
  )
  .join('');

// The triggers insert as the owner: the application writes no version by itself.
const GRANTS = `
GRANT SELECT ON channel_price, plan_version TO yiqiao_app;
`;
