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

const migrationsList = [
  { name: '0001-initial', class: Migration0001Initial },
  { name: '0002-whole-ledger', class: Migration0002WholeLedger },
  { name: '0003-orders', class: Migration0003Orders },
  { name: '0004-vendors', class: Migration0004Vendors },
  { name: '0005-glossary', class: Migration0005Glossary },
  { name: '0006-remembered-translations', class: Migration0006RememberedTranslations },
  { name: '0007-sessions-and-reminders', class: Migration0007SessionsAndReminders },
  { name: '0008-notices', class: Migration0008Notices },
];

/** Brings the database at `url` up to date, creating it when it is not there. `url` signs in as the owner of the schema. */
export async function migrate(url: string): Promise<void> {
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
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}
