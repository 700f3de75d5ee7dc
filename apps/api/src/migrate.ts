import { MikroORM, defineConfig } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { Migration0001Initial } from '../migrations/0001-initial.js';
import { Migration0002WholeLedger } from '../migrations/0002-whole-ledger.js';
import { Migration0003Orders } from '../migrations/0003-orders.js';
import { Migration0004Vendors } from '../migrations/0004-vendors.js';
import { Migration0005Glossary } from '../migrations/0005-glossary.js';
import { Migration0006RememberedTranslations } from '../migrations/0006-remembered-translations.js';
import { Migration0007SessionsAndReminders } from '../migrations/0007-sessions-and-reminders.js';
import { Migration0008Notices } from '../migrations/0008-notices.js';
import { Migration0009PriceVersions } from '../migrations/0009-price-versions.js';
import { Migration0010AuditWitnesses } from '../migrations/0010-audit-witnesses.js';
import { Migration0011Input } from '../migrations/0011-input.js';
import { Migration0012ManagerActions } from '../migrations/0012-manager-actions.js';
import { Migration0013LeastRights } from '../migrations/0013-least-rights.js';
import { Migration0014OpenEntryTypes } from '../migrations/0014-open-entry-types.js';

const migrationsList = [
  { name: '0001-initial', class: Migration0001Initial },
  { name: '0002-whole-ledger', class: Migration0002WholeLedger },
  { name: '0003-orders', class: Migration0003Orders },
  { name: '0004-vendors', class: Migration0004Vendors },
  { name: '0005-glossary', class: Migration0005Glossary },
  { name: '0006-remembered-translations', class: Migration0006RememberedTranslations },
  { name: '0007-sessions-and-reminders', class: Migration0007SessionsAndReminders },
  { name: '0008-notices', class: Migration0008Notices },
  { name: '0009-price-versions', class: Migration0009PriceVersions },
  { name: '0010-audit-witnesses', class: Migration0010AuditWitnesses },
  { name: '0011-input', class: Migration0011Input },
  { name: '0012-manager-actions', class: Migration0012ManagerActions },
  { name: '0013-least-rights', class: Migration0013LeastRights },
  { name: '0014-open-entry-types', class: Migration0014OpenEntryTypes },
];

/**
 * Migrates the database at `url`, which signs in as the owner of the schema, and creates it if it does not exist. `to`: only up to this
 * migration, for tests that start from an older release.
 */
export async function migrate(url: string, to?: string): Promise<void> {
  const orm = new MikroORM(
    defineConfig({
      clientUrl: url,
      entities: [],
      extensions: [Migrator],
      discovery: { warnWhenNoEntities: false },
      logger: () => undefined,
      migrations: { migrationsList, snapshot: false },
    }),
  );
  try {
    await orm.schema.ensureDatabase({ create: false });
    await orm.migrator.up(to === undefined ? undefined : { to });
    // Privileges on a database are not part of its dumps and copies. Raw: DDL.
    const [{ name = '' } = {}] = await orm.em.execute<{ name: string }[]>(
      'SELECT quote_ident(current_database()) AS name',
    );
    await orm.em.execute(`REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM yiqiao_app, PUBLIC`);
  } finally {
    await orm.close(true);
  }
}
