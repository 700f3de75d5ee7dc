import { Migration } from '@mikro-orm/migrations';

/** Browser and system of sign-ins (docs/decisions/0022). */
export class Migration0020SignInDevices extends Migration {
  override up(): void {
    for (const table of ['session', 'login_log']) for (const sql of columnsOf(table)) this.addSql(sql);
    // Erased with the address when the account is closed; the rows of the login log are deleted.
    this.addSql('GRANT UPDATE (browser, system) ON session TO yiqiao_app');
  }
}

const columnsOf = (table: string): string[] => [
  `ALTER TABLE ${table} ADD COLUMN browser text CHECK (length(browser) <= 40), ADD COLUMN system text CHECK (length(system) <= 40)`,
  `COMMENT ON COLUMN ${table}.browser IS 'name and major version as read from the User-Agent header; null when not recognized'`,
  `GRANT INSERT (browser, system) ON ${table} TO yiqiao_app`,
];
