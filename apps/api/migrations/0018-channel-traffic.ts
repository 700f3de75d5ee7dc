import { Migration } from '@mikro-orm/migrations';

/** Requests of each channel per half hour, kept for 90 days, for the status page. */
export class Migration0018ChannelTraffic extends Migration {
  override up(): void {
    for (const sql of [TABLE, GRANTS]) this.addSql(sql);
  }
}

const TABLE = `
CREATE TABLE channel_traffic (
  tran_channel_id int NOT NULL REFERENCES tran_channel (id),
  begins_at timestamptz(3) NOT NULL,
  requests integer NOT NULL,
  failed integer NOT NULL,
  answered integer[] NOT NULL,
  PRIMARY KEY (tran_channel_id, begins_at),
  CHECK (failed BETWEEN 0 AND requests)
);
COMMENT ON COLUMN channel_traffic.begins_at IS 'of the half hour';
COMMENT ON COLUMN channel_traffic.answered IS 'successful requests in each class of response time';
CREATE INDEX channel_traffic_age ON channel_traffic (begins_at);
`;

const GRANTS = `
GRANT SELECT, INSERT (tran_channel_id, begins_at, requests, failed, answered), UPDATE (requests, failed, answered), DELETE
  ON channel_traffic TO yiqiao_app;
`;
