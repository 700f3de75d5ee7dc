import { Migration } from '@mikro-orm/migrations';

/** What all processes have taken of the daily caps of vendor accounts (docs/decisions/0062). */
export class Migration0034VendorDays extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE vendor_day (
  account_id int NOT NULL REFERENCES vendor_account,
  day date NOT NULL,
  chars bigint NOT NULL CHECK (chars >= 0),
  PRIMARY KEY (account_id, day)
)`);
    this.addSql(
      "COMMENT ON TABLE vendor_day IS 'characters taken of the daily cap of an account; only of accounts with one'",
    );
    this.addSql("COMMENT ON COLUMN vendor_day.day IS 'in APP_TIMEZONE'");
    this.addSql('REVOKE ALL ON vendor_day FROM yiqiao_app, PUBLIC');
    this.addSql('GRANT SELECT, INSERT, UPDATE (chars) ON vendor_day TO yiqiao_app');
  }
}
